# bevscope, its viewer and its Python package: docs/container.md. tests/image runs the steps
# without Docker.
FROM debian:12 AS build
WORKDIR /src
COPY scripts scripts
COPY web/package.json web/package-lock.json web/
RUN scripts/setup package
COPY . .
RUN scripts/build program app dist
RUN rm -rf build/image && \
    cmake --install build/release --prefix build/image --component program --strip && \
    python3 -m zipfile -e build/python/dist/*.whl build/image/lib/python3.11/dist-packages

FROM debian:12
LABEL org.opencontainers.image.title="bevscope" \
    org.opencontainers.image.description="Reads and shows driving-prediction data" \
    org.opencontainers.image.licenses="Apache-2.0"
RUN apt-get -qq update && \
    DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends \
        ca-certificates python3 python3-numpy python3-urllib3 \
        libblosc1 libcurl4 libjpeg62-turbo liblz4-1 liblzma5 libpng16-16 libssl3 libyaml-cpp0.7 libzstd1 && \
    rm -rf /var/lib/apt/lists/*
COPY --from=build /src/build/image/ /usr/local/
COPY LICENSE NOTICE /usr/local/share/doc/bevscope/
RUN useradd --uid 10001 --create-home bevscope && install -d -o bevscope -g bevscope /data
USER 10001:10001
WORKDIR /data
EXPOSE 8000
HEALTHCHECK CMD ["python3", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
CMD ["bevscope", "serve", "/data", "--port", "8000", "--bind", "0.0.0.0"]
