"""Attributes worked out when first asked for, and then kept."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class once(Generic[Value]):  # noqa: N801  (read like `property`)
    """Like `functools.cached_property`, without the lock that makes it slow before Python 3.12."""

    def __init__(self, work: Callable[[Any], Value]) -> None:
        self.work, self.name = work, work.__name__
        self.__doc__ = work.__doc__

    def __get__(self, instance: Any, owner: type) -> Value:
        # The instance's own attribute comes first from now on.
        value: Value = self.work(instance)
        instance.__dict__[self.name] = value
        return value
