#include "core/parquet/snappy.hpp"

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <string_view>

namespace snappy_test {
namespace {

using namespace std::string_literals;

std::optional<std::string> decoded(std::string_view block, std::size_t size) {
  std::string out(size, '\0');
  const bool is_valid =
      bev::parquet::decode_snappy(std::as_bytes(std::span(block.data(), block.size())),
                                  std::as_writable_bytes(std::span(out)));
  return is_valid ? std::optional(out) : std::nullopt;
}

TEST_SUITE("parquet/snappy") {
  TEST_CASE("literals and copies of all kinds are decoded") {
    CHECK(decoded("\0"s, 0) == "");
    CHECK(decoded("\x03\x08"s + "abc", 3) == "abc");
    CHECK(decoded("\x08\x04"s + "ab" + "\x09\x02"s, 8) == "abababab");
    CHECK(decoded("\x05\x00"s + "a" + "\x0e\x01\x00"s, 5) == "aaaaa");
    CHECK(decoded("\x05\x00"s + "a" + "\x0f\x01\x00\x00\x00"s, 5) == "aaaaa");
    const std::string long_one(100, 'x');
    CHECK(decoded("\x64\xf0\x63"s + long_one, 100) == long_one);
    CHECK(decoded("\x64\xf4\x63\x00"s + long_one, 100) == long_one);
  }

  TEST_CASE("invalid blocks are refused") {
    CHECK_FALSE(decoded("", 0));
    CHECK_FALSE(decoded("\x03\x08"s + "ab", 3));                // truncated literal
    CHECK_FALSE(decoded("\x02\x08"s + "abc", 2));               // longer than its size
    CHECK_FALSE(decoded("\x03\x04"s + "ab", 3));                // shorter
    CHECK_FALSE(decoded("\x03\x08"s + "abc", 4));               // another size
    CHECK_FALSE(decoded("\x08\x04"s + "ab" + "\x09\x03"s, 8));  // before the begin
    CHECK_FALSE(decoded("\x08\x04"s + "ab" + "\x09\x00"s, 8));  // itself
    CHECK_FALSE(decoded("\x08\x04"s + "ab" + "\x0e\x01"s, 8));  // truncated copy
    CHECK_FALSE(decoded("\xff\xff\xff\xff\xff\x0f"s, 5));
  }
}

}  // namespace
}  // namespace snappy_test
