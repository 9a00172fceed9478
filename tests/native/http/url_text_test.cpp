#include "native/http/url_text.hpp"

#include <doctest/doctest.h>

#include <string>

using bev::native::url_decoded;
using bev::native::url_encoded;

TEST_SUITE("native/http/url_text") {
  TEST_CASE("a URL is recognized by its scheme, in any case") {
    for (const auto* address : {"http://a", "https://a", "HTTP://a", "Https://a/b"}) {
      CHECK(bev::native::is_url(address));
    }
    for (const auto* path : {"", "http", "http:", "http:/a", "ftp://a", "a/http://b"}) {
      CHECK_FALSE(bev::native::is_url(path));
    }
  }

  TEST_CASE("all bytes but unreserved characters and slashes are encoded") {
    CHECK(url_encoded("a b+c/%~-._\xc3\xa9") == "a%20b%2Bc/%25~-._%C3%A9");
    CHECK(url_encoded("a/b", "") == "a%2Fb");
  }

  TEST_CASE("decoding reverses encoding") {
    std::string all;
    for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
    CHECK(url_decoded(url_encoded(all)) == all);
    CHECK(url_decoded("a+b%2b%2B") == "a b++");
  }

  TEST_CASE("invalid escapes are not decoded") {
    for (const auto* text : {"%", "%1", "a%", "%zz", "%1g", "%%20"}) {
      CAPTURE(text);
      CHECK_FALSE(url_decoded(text));
    }
  }
}
