#include "core/zarr/base64.hpp"

#include <doctest/doctest.h>

#include "tests/support/records.hpp"

using namespace bev::zarr;
using bev::test::Packed;

TEST_SUITE("zarr/base64") {
  TEST_CASE("the examples of RFC 4648, both ways") {
    const char* pairs[][2] = {{"", ""},
                              {"f", "Zg=="},
                              {"fo", "Zm8="},
                              {"foo", "Zm9v"},
                              {"foob", "Zm9vYg=="},
                              {"fooba", "Zm9vYmE="},
                              {"foobar", "Zm9vYmFy"}};
    for (const auto& pair : pairs) {
      const auto& plain = pair[0];
      const auto& coded = pair[1];
      CAPTURE(plain);
      const auto bytes = Packed().text(plain).bytes();
      CHECK(to_base64(bytes) == coded);
      REQUIRE(from_base64(coded).has_value());
      CHECK(*from_base64(coded) == bytes);
    }
  }

  TEST_CASE("every length of any bytes comes back") {
    bev::test::Random random(1);
    for (std::size_t size = 0; size < 70; ++size) {
      const auto bytes = random.bytes(size);
      CHECK(from_base64(to_base64(bytes)) == bytes);
    }
  }

  TEST_CASE("what is not Base64 is nothing") {
    for (const char* text :
         {"A", "AB", "ABC", "AB C", "AB=C", "A===", "====", "AB\nC", "-_=="}) {
      CAPTURE(text);
      CHECK_FALSE(from_base64(text).has_value());
    }
  }
}
