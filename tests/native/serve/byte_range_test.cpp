#include "native/serve/byte_range.hpp"

#include <doctest/doctest.h>

using bev::serve::answer_range;
using bev::serve::RangeAnswer;
using Kind = bev::serve::RangeAnswer::Kind;

namespace {

RangeAnswer part(std::uint64_t begin, std::uint64_t end) {
  return {Kind::part, begin, end};
}

constexpr RangeAnswer kWhole = {};
constexpr RangeAnswer kUnsatisfiable = {Kind::unsatisfiable, 0, 0};

}  // namespace

TEST_SUITE("native/serve/byte_range") {
  TEST_CASE("first and last byte, both included, end with the file") {
    CHECK(answer_range("bytes=0-9", 100) == part(0, 10));
    CHECK(answer_range("bytes=99-99", 100) == part(99, 100));
    CHECK(answer_range("bytes=0-511", 100) == part(0, 100));
    CHECK(answer_range("bytes=50-", 100) == part(50, 100));
    CHECK(answer_range("bytes=0-18446744073709551615", 100) == part(0, 100));
  }

  TEST_CASE("a suffix counts from the end") {
    CHECK(answer_range("bytes=-10", 100) == part(90, 100));
    CHECK(answer_range("bytes=-500", 100) == part(0, 100));
    CHECK(answer_range("bytes=-0", 100) == kUnsatisfiable);
  }

  TEST_CASE("a range behind the end cannot be satisfied") {
    CHECK(answer_range("bytes=100-", 100) == kUnsatisfiable);
    CHECK(answer_range("bytes=100-200", 100) == kUnsatisfiable);
    CHECK(answer_range("bytes=0-0", 0) == kUnsatisfiable);
    CHECK(answer_range("bytes=-5", 0) == kUnsatisfiable);
  }

  TEST_CASE("what is not one well-formed range is answered by the whole") {
    for (const auto* text :
         {"", "bytes=", "bytes=-", "bytes=5", "bytes=9-5", "bytes=a-b", "bytes=0-1,4-5",
          "items=0-1", "bytes=0-1x", "bytes= 0-1", "bytes=99999999999999999999-",
          "bytes=--5"}) {
      CAPTURE(text);
      CHECK(answer_range(text, 100) == kWhole);
    }
  }
}
