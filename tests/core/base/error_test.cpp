#include "core/base/error.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using bev::Errc;
using bev::Error;

TEST_SUITE("base/error") {
  TEST_CASE("an error keeps its code and its message") {
    const Error error(Errc::corrupt_chunk, "agents/12: 4093 bytes, expected 4096");
    CHECK(error.code() == Errc::corrupt_chunk);
    CHECK(std::string(error.what()) == "agents/12: 4093 bytes, expected 4096");
  }

  TEST_CASE("a code is spelled as its enumerator, and no two alike") {
    CHECK(to_string(Errc::invalid_argument) == "invalid_argument");
    CHECK(to_string(Errc::invalid_metadata) == "invalid_metadata");
    CHECK(to_string(Errc::missing_key) == "missing_key");
    CHECK(to_string(Errc::out_of_range) == "out_of_range");
    CHECK(to_string(Errc::not_found) == "not_found");
    CHECK(to_string(Errc::corrupt_chunk) == "corrupt_chunk");
    CHECK(to_string(Errc::unsupported) == "unsupported");
    CHECK(to_string(Errc::network) == "network");
    CHECK(to_string(Errc::out_of_memory) == "out_of_memory");
    CHECK(to_string(Errc::internal) == "internal");

    std::set<std::string_view> names;
    for (int code = 0; code <= static_cast<int>(Errc::internal); ++code) {
      names.insert(to_string(static_cast<Errc>(code)));
    }
    CHECK(names.size() == 10);
  }
}
