#include "native/http/url_text.hpp"

#include <doctest/doctest.h>

TEST_SUITE("native/http/url_text") {
  TEST_CASE("a URL is recognized by its scheme, in any case") {
    for (const auto* address : {"http://a", "https://a", "HTTP://a", "Https://a/b"}) {
      CHECK(bev::native::is_url(address));
    }
    for (const auto* path : {"", "http", "http:", "http:/a", "ftp://a", "a/http://b"}) {
      CHECK_FALSE(bev::native::is_url(path));
    }
  }
}
