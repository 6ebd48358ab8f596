FROM python:3.13-slim AS build
WORKDIR /build
COPY pyproject.toml README.md LICENSE ./
COPY locks locks
COPY src src
# The build backend has an environment of its own; the other one, with nothing but what serving takes, becomes the image.
RUN python -m venv /opt/build \
    && /opt/build/bin/pip install --no-cache-dir --require-hashes --requirement locks/build.lock \
    && /opt/build/bin/pip wheel --no-cache-dir --no-deps --no-build-isolation --wheel-dir wheel . \
    && python -m venv /opt/illusion \
    && /opt/illusion/bin/pip install --no-cache-dir --require-hashes --requirement locks/play.lock --requirement locks/postgres.lock --requirement locks/club.lock \
    && /opt/illusion/bin/pip install --no-cache-dir --no-deps --no-index wheel/*.whl

FROM python:3.13-slim
LABEL org.opencontainers.image.title="Illusion" \
      org.opencontainers.image.description="The card game about how much colour you really see" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.authors="the contributors of Illusion"
RUN useradd --uid 10001 --create-home --home-dir /var/lib/illusion illusion
COPY --from=build /opt/illusion /opt/illusion
USER 10001
VOLUME /var/lib/illusion
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=8s CMD ["/opt/illusion/bin/python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=6)"]
ENTRYPOINT ["/opt/illusion/bin/illusion", "serve", "--host", "0.0.0.0", "--port", "8000"]
CMD ["--database", "/var/lib/illusion/tables.db", "--log", "requests"]
