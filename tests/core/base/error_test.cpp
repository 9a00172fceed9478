#include "core/base/error.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>

using bev::Errc;
using bev::Error;

TEST_SUITE("base/error") {
  TEST_CASE("an error keeps its code and its message") {
    const Error error(Errc::corrupt_chunk,
                      "agents/12: wrong length (found 4093 bytes, expected 4096)");
    CHECK(error.code() == Errc::corrupt_chunk);
    CHECK(std::string(error.what()) ==
          "agents/12: wrong length (found 4093 bytes, expected 4096)");
  }

  TEST_CASE("a code has its enumerator's name, and names are distinct") {
    CHECK(to_string(Errc::invalid_argument) == "invalid_argument");
    CHECK(to_string(Errc::invalid_metadata) == "invalid_metadata");
    CHECK(to_string(Errc::missing_key) == "missing_key");
    CHECK(to_string(Errc::out_of_range) == "out_of_range");
    CHECK(to_string(Errc::not_found) == "not_found");
    CHECK(to_string(Errc::corrupt_chunk) == "corrupt_chunk");
    CHECK(to_string(Errc::unsupported) == "unsupported");
    CHECK(to_string(Errc::network) == "network");
    CHECK(to_string(Errc::io) == "io");
    CHECK(to_string(Errc::changed) == "changed");
    CHECK(to_string(Errc::out_of_memory) == "out_of_memory");
    CHECK(to_string(Errc::limit_exceeded) == "limit_exceeded");
    CHECK(to_string(Errc::internal) == "internal");

    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(Errc::internal); ++code) {
      names.insert(to_string(static_cast<Errc>(code)));
    }
    CHECK(names.size() == 13);
  }

  TEST_CASE("a message concatenates its parts, numbers in decimal") {
    const std::string name = "agents";
    const std::string_view field = "centroid";
    const std::uint8_t byte = 65;
    CHECK(bev::joined({name, "/", 12, ": ", field, " ", byte}) ==
          "agents/12: centroid 65");
    CHECK(bev::joined({std::numeric_limits<std::int64_t>::min(), " to ",
                       std::numeric_limits<std::uint64_t>::max()}) ==
          "-9223372036854775808 to 18446744073709551615");
    CHECK(bev::joined({std::string_view("a\0b", 3), std::string(), -1}) ==
          std::string("a\0b-1", 5));
    CHECK(bev::joined({}).empty());
    CHECK(bev::joined({std::string_view()}).empty());
  }

  TEST_CASE("fail_at prefixes the message with the thing") {
    try {
      bev::fail_at(Errc::corrupt_chunk, "agents/12", {"block ", 3, ": truncated"});
    } catch (const Error& error) {
      CHECK(error.code() == Errc::corrupt_chunk);
      CHECK(std::string(error.what()) == "agents/12: block 3: truncated");
      return;
    }
    FAIL("nothing was thrown");
  }

  TEST_CASE("fail throws an error with the code and the message") {
    try {
      bev::fail(Errc::out_of_range, {"scene ", 7U, " is out of range (count ", 3, ")"});
    } catch (const Error& error) {
      CHECK(error.code() == Errc::out_of_range);
      CHECK(std::string(error.what()) == "scene 7 is out of range (count 3)");
      return;
    }
    FAIL("nothing was thrown");
  }
}
