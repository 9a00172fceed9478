#include "native/serve/content_type.hpp"

#include <doctest/doctest.h>

using bev::serve::content_type;

TEST_SUITE("native/serve/content_type") {
  TEST_CASE("what a browser refuses under another type has its own") {
    CHECK(content_type("core.wasm") == "application/wasm");
    CHECK(content_type("assets/worker.js") == "text/javascript; charset=utf-8");
    CHECK(content_type("bev_core.mjs") == "text/javascript; charset=utf-8");
    CHECK(content_type("index.html") == "text/html; charset=utf-8");
    CHECK(content_type("style.css") == "text/css; charset=utf-8");
  }

  TEST_CASE("a store's metadata is JSON, its chunks are bytes") {
    CHECK(content_type("agents/.zarray") == "application/json");
    CHECK(content_type(".zmetadata") == "application/json");
    CHECK(content_type("agents/12") == "application/octet-stream");
    CHECK(content_type("t/0.0.1") == "application/octet-stream");
    CHECK(content_type("") == "application/octet-stream");
  }
}
