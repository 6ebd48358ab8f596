"""The correlations between the colours' columns of shares, kept up to date while values are swapped."""

from itertools import combinations
from statistics import pstdev


class Correlations:
    """Pearson's correlation of any two columns.

    Swapping two values within a column changes neither its mean nor its standard deviation, so only the sums of
    products have to be updated.
    """

    def __init__(self, columns: list[list[int]]) -> None:
        self.columns = columns
        self.means = [sum(column) / len(column) for column in columns]
        self.deviations = [pstdev(column) for column in columns]
        self.products = {
            pair: sum(a * b for a, b in zip(columns[pair[0]], columns[pair[1]], strict=True))
            for pair in combinations(range(len(columns)), 2)
        }

    def strongest(self) -> tuple[float, int, int]:
        """The correlation farthest from zero, and the two columns it is between."""
        found = ((self._correlation(pair), *pair) for pair in self.products)
        return max(found, key=lambda correlated: abs(correlated[0]))

    def _correlation(self, pair: tuple[int, int]) -> float:
        i, j = pair
        covariance = self.products[pair] / len(self.columns[i]) - self.means[i] * self.means[j]
        return covariance / (self.deviations[i] * self.deviations[j])

    def swap(self, column: int, one: int, other: int) -> None:
        """Exchange a column's values at two places."""
        values = self.columns[column]
        change = values[other] - values[one]
        for pair in self.products:
            if column in pair:
                against = self.columns[pair[0] + pair[1] - column]
                self.products[pair] -= change * (against[other] - against[one])
        values[one], values[other] = values[other], values[one]
