#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/convert/nuplan.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/nuplan.hpp"

// Memory and bytes read do not grow with the scenes that were read of a log.

namespace nuplan_memory_test {

using namespace bev;
using namespace bev::convert;

namespace {

constexpr std::int64_t kSweeps = 20, kBoxes = 60;
constexpr std::size_t kCached = std::size_t{256} << 10U;

/// Tokens in the order of their numbers.
test::SqlValue numbered(char kind, std::int64_t number) {
  return test::Blob{std::string(1, kind) +
                    test::big_endian(static_cast<std::uint64_t>(number)).substr(1)};
}

std::string log_file(std::int64_t scenes, bool has_index) {
  test::NuplanRows rows;
  rows.has_index = has_index;
  for (auto* table : {&rows.sweeps, &rows.poses, &rows.boxes, &rows.lights, &rows.tags,
                      &rows.tracks, &rows.scenes}) {
    table->clear();
  }
  for (std::int64_t k = 0; k < kBoxes; ++k) {
    rows.tracks.push_back({numbered('t', k), test::NuplanRows::token('c', k % 2)});
  }
  for (std::int64_t i = 0; i < scenes * kSweeps; ++i) {
    const auto time = 1'620'000'000'000'000 + i * 50'000;
    const auto sweep = numbered('p', i);
    rows.sweeps.push_back({sweep, numbered('e', i), numbered('s', i / kSweeps), time});
    rows.poses.push_back({numbered('e', i), time - 3000, 664'432.0, 3'998'249.0, 600.0,
                          1.0, 0.0, 0.0, 0.0, std::int64_t{32611}});
    for (std::int64_t k = 0; k < kBoxes; ++k) {
      rows.boxes.push_back({sweep, numbered('t', k), 664'440.5, 3'998'250.25, 2.0, 4.0,
                            1.5, 1.0, -1.0, 0.25});
    }
    rows.lights.push_back({sweep, std::int64_t{100}, std::string("green")});
    rows.tags.push_back({sweep, std::string("stopping"), {}});
  }
  for (std::int64_t i = 0; i < scenes; ++i) {
    rows.scenes.push_back({numbered('s', i), std::string("scene"), {}});
  }
  return rows.file();
}

struct Use {
  std::size_t opened = 0;     ///< bytes of the open log
  std::size_t peak = 0;       ///< growth while scenes are read, in bytes
  std::size_t left = 0;       ///< growth after that
  std::uint64_t read_of = 0;  ///< bytes read per scene
};

/// Reads the scenes of a log one after another.
Use use_of(const std::string& file) {
  const auto tables = nuplan_tables();
  Use out;
  auto before = test::live_bytes();
  sqlite::Pages pages(test::reader_of(file), file.size(), {.max_cached = kCached});
  nuplan::Log log(pages);
  log.open();
  out.opened = test::live_bytes() - before;
  const auto count = log.scenes().size();
  before = test::live_bytes();
  test::reset_peak();
  for (std::size_t i = 0; i < count; ++i) {
    CHECK(import_nuplan(log, i, tables).states.size() == kSweeps / 2 * kBoxes);
  }
  out.peak = test::peak_bytes() - before;
  out.left = test::live_bytes() - before;
  out.read_of = pages.bytes_read() / count;
  return out;
}

/// Imports a scene by a host that has the bytes of one range, and reads anew whenever
/// others are missing.
Scenario interrupted(const std::string& file, std::size_t scene) {
  const auto tables = nuplan_tables();
  const auto read = test::reader_of(file);
  sqlite::Missing given;
  sqlite::Pages pages(
      [&](std::uint64_t at, std::span<std::byte> out) {
        if (at != 0 && (given.offset != at || given.size != out.size())) {
          throw sqlite::Missing{at, out.size()};
        }
        return read(at, out);
      },
      file.size(), {.max_cached = file.size(), .max_read = 1});
  nuplan::Log log(pages);
  for (;;) {
    try {
      log.open();
      return import_nuplan(log, scene, tables);
    } catch (const sqlite::Missing& missing) {
      given = missing;
    }
  }
}

/// Imports a scene by a host that reads all ranges of a round at the same time. Returns
/// the rounds.
std::size_t rounds_of(const std::string& file, std::size_t scene) {
  const auto tables = nuplan_tables();
  const auto read = test::reader_of(file);
  std::vector<sqlite::Missing> given;
  const auto has = [&](std::uint64_t at, std::uint64_t size) {
    return std::any_of(given.begin(), given.end(), [&](const auto& one) {
      return one.offset <= at && at + size <= one.offset + one.size;
    });
  };
  sqlite::PagesOptions options{file.size() * 4, std::size_t{1} << 20U, {}};
  options.announce = [&](std::span<const sqlite::Missing> ranges) {
    for (const auto& one : ranges) {
      if (has(one.offset, one.size)) continue;
      throw std::vector<sqlite::Missing>(ranges.begin(), ranges.end());
    }
  };
  sqlite::Pages pages(
      [&](std::uint64_t at, std::span<std::byte> out) {
        if (at != 0 && !has(at, out.size())) {
          throw std::vector<sqlite::Missing>{{at, out.size()}};
        }
        return read(at, out);
      },
      file.size(), options);
  nuplan::Log log(pages);
  for (std::size_t rounds = 0;; ++rounds) {
    try {
      log.open();
      import_nuplan(log, scene, tables);
      return rounds;
    } catch (const std::vector<sqlite::Missing>& missing) {
      given = missing;
    }
  }
}

}  // namespace

TEST_SUITE("convert/nuplan_memory") {
  TEST_CASE("rows of the sweeps that were asked for last are kept") {
    for (const bool has_index : {false, true}) {
      CAPTURE(has_index);
      const auto file = log_file(8, has_index);
      sqlite::Pages pages(test::reader_of(file), file.size());
      nuplan::Log log(pages);
      log.open();
      const auto& first = log.scenes()[0].sweeps;
      const auto& second = log.scenes()[1].sweeps;
      const auto* const kept = log.boxes(first).data();
      const auto position = log.boxes(first)[1].position;
      CHECK(log.boxes(first).data() == kept);
      CHECK(log.lights(first).data() == log.lights(first).data());
      CHECK(log.boxes(second).front().sweep == 0);
      CHECK(log.boxes(first)[1].position == position);
      CHECK(log.boxes(first).size() == kSweeps * kBoxes);
    }
  }

  TEST_CASE("a scene whose reading is interrupted is the same") {
    for (const bool has_index : {false, true}) {
      CAPTURE(has_index);
      const auto file = log_file(48, has_index);
      sqlite::Pages pages(test::reader_of(file), file.size());
      nuplan::Log log(pages);
      log.open();
      const auto whole = import_nuplan(log, 3, nuplan_tables());
      const auto found = interrupted(file, 3);
      CHECK(found.states.position == whole.states.position);
      CHECK(found.times_ns == whole.times_ns);
      CHECK(found.attributes == whole.attributes);
    }
  }

  TEST_CASE("a scene is read in few rounds, which hardly grow with the log") {
    for (const bool has_index : {false, true}) {
      CAPTURE(has_index);
      const auto few = rounds_of(log_file(8, has_index), 3);
      const auto many = rounds_of(log_file(48, has_index), 20);
      CHECK(few < 60);
      CHECK(many < few + 20);
    }
  }

  TEST_CASE("a scene takes the same of a short log as of a long one") {
    for (const bool has_index : {false, true}) {
      CAPTURE(has_index);
      constexpr std::int64_t kFew = 8, kMany = 48;
      const auto short_file = log_file(kFew, has_index);
      const auto long_file = log_file(kMany, has_index);
      const auto few = use_of(short_file), many = use_of(long_file);
      REQUIRE(long_file.size() > 5 * short_file.size());
      CHECK(many.peak < few.peak + kCached);
      CHECK(many.left < kCached + (std::size_t{512} << 10U));  // and the last scene
      CHECK(many.peak < long_file.size() / 3);
      CHECK(many.opened < kCached + 500 * kMany * kSweeps);
      CHECK(many.read_of < 3 * long_file.size() / kMany + (1U << 20U));
    }
  }
}

}  // namespace nuplan_memory_test
