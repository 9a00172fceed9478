#include "core/base/url_text.hpp"

#include <doctest/doctest.h>

#include <string>

using bev::url_decoded;
using bev::url_encoded;

TEST_SUITE("base/url_text") {
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

  TEST_CASE("a key is names separated by slashes") {
    using namespace std::string_view_literals;
    for (const auto key : {"a", "a/b", ".zgroup", "a..b/...", "a b"}) {
      CHECK(bev::is_key(key));
    }
    for (const auto key :
         {""sv, "/a"sv, "a/"sv, "a//b"sv, "a/./b"sv, "../a"sv, "a\0"sv}) {
      CHECK_FALSE(bev::is_key(key));
    }
  }
}
