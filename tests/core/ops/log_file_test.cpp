#include "core/ops/log_file.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <span>
#include <utility>

using bev::ops::LogFile;
using bev::ops::MissingInFile;
using bev::ops::SuppliedFile;
using bev::sqlite::Missing;

namespace {

std::size_t missed(SuppliedFile& file, std::span<const Missing> ranges) {
  try {
    file.announce(ranges);
    return 0;
  } catch (const MissingInFile& missing) {
    file.release();
    return missing.ranges.size();
  }
}

void give(SuppliedFile& file, const Missing& range) {
  bev::RawBytes bytes(static_cast<std::size_t>(range.size));
  file.held.push_back({range.offset, std::move(bytes)});
}

constexpr Missing kFirst{0, 10}, kSecond{10, 20};
constexpr std::array kBoth{kFirst, kSecond};

}  // namespace

TEST_SUITE("ops/log_file") {
  TEST_CASE("what a run does not read before it misses more is known to the next run") {
    SuppliedFile file{"", 100};
    give(file, kFirst);
    CHECK(missed(file, kBoth) == 1);
    give(file, kSecond);
    CHECK(missed(file, kBoth) == 0);
  }

  TEST_CASE("what was read, or not read for two runs, is freed") {
    SuppliedFile file{"", 100};
    give(file, kFirst);
    std::array<std::byte, 10> out{};
    CHECK(file.read_at(0, out) == 10);
    file.release();
    CHECK(file.held.empty());
    give(file, kFirst);
    file.release();
    CHECK(file.held.size() == 1);
    file.release();
    CHECK(file.held.empty());
  }

  TEST_CASE("a log whose scene misses bytes again and again is refused") {
    LogFile log("a.db", 100);
    log.max_asked = 250;
    const auto nothing = [] {};
    CHECK(log.run(nothing).size() == 1);
    CHECK(log.run(nothing).size() == 1);
    CHECK_THROWS_WITH_AS(
        log.run(nothing),
        "rows of a scene are spread over more than 48 MB of the "
        "log (expected rows in the order of time; bevscope convert nuplan "
        "reads any)",
        bev::Error);
    CHECK(log.run(nothing).size() == 1);
  }
}
