#include "core/scan/reader_tracks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>
#include <vector>

#include "core/base/error.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/random_scenes.hpp"
#include "tests/support/reader_rows.hpp"

namespace reader_tracks_test {

using bev::Errc;
using namespace bev::test;

namespace {

/// Returns the rows that pass, by scene, then track, then frame.
template <class Passes>
std::vector<std::int64_t> by_track(const RandomScenes& data, const Passes& passes) {
  std::vector<std::tuple<std::int64_t, std::uint64_t, std::int64_t>> places;
  for (const auto& one : data.agents) {
    if (passes(one)) places.emplace_back(one.scene, one.agent.track_id, one.row);
  }
  std::sort(places.begin(), places.end());
  std::vector<std::int64_t> rows;
  for (const auto& place : places) rows.push_back(std::get<2>(place));
  return rows;
}

const json kTracks{{"mode", "tracks"}};

std::optional<Errc> code_of(const RandomScenes& data, const json& plan) {
  return error_code([&] { read_rows(data, plan); });
}

}  // namespace

TEST_SUITE("scan/reader_tracks") {
  TEST_CASE("ids are sorted, and equal ids stay in order") {
    constexpr auto kMaxId = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::uint32_t> out{7, 7};
    bev::order_by_id(std::vector<std::uint64_t>{5, 2, 5, kMaxId, 2, 0}, out);
    CHECK(out == std::vector<std::uint32_t>{5, 1, 4, 0, 2, 3});
    bev::order_by_id({}, out);
    CHECK(out.empty());
  }

  TEST_CASE("rows of a scene follow each other by track") {
    for (const std::uint64_t chunk_rows : {3U, 20U, 1000U}) {
      const auto data = random_scenes(3, 12, chunk_rows);
      for (const std::size_t batch : {1U, 7U, 1000U}) {
        const auto found =
            read_rows(data, {{"order", kTracks}, {"batch", {{"size", batch}}}});
        CHECK(found.rows == by_track(data, [](const auto&) { return true; }));
        CHECK(mixed_fields(data, found) == 0);
      }
      const auto some = read_rows(
          data, {{"order", kTracks}, {"where", "yaw > 2.5 and track_id != 3"}});
      CHECK(some.rows == by_track(data, [](const auto& one) {
              return one.agent.yaw > 2.5F && one.agent.track_id != 3;
            }));
      CHECK(mixed_fields(data, some) == 0);
    }
  }

  TEST_CASE("a batch per block has the rows of a scene") {
    const auto data = random_scenes(3, 12, 20);
    const auto found =
        read_rows(data, {{"order", kTracks}, {"batch", {{"by_block", true}}}});
    CHECK(found.rows == by_track(data, [](const auto&) { return true; }));
    CHECK(found.batches.size() == data.scenes.size());
  }

  TEST_CASE("windows follow each other by the track and row that they surround") {
    const auto data = random_scenes(5, 12, 20);
    for (const auto* edges : {"drop", "pad"}) {
      json plan{{"window", {{"past", 1}, {"future", 2}, {"edges", edges}}}};
      auto stored = read_rows(data, plan);
      plan["order"] = kTracks;
      const auto found = read_rows(data, plan);
      REQUIRE(found.size() == stored.size());
      CHECK(sorted(found.rows, 4) == sorted(stored.rows, 4));
      std::vector<std::int64_t> anchors, expected;
      for (std::size_t i = 0; i < found.size(); ++i) {
        anchors.push_back(found.rows[4 * i + 1]);
        expected.push_back(stored.rows[4 * i + 1]);
      }
      std::sort(expected.begin(), expected.end());
      CHECK(anchors == by_track(data, [&](const auto& one) {
              return std::binary_search(expected.begin(), expected.end(), one.row);
            }));
      CHECK(mixed_fields(data, found) == 0);
    }
  }

  TEST_CASE("other tables and plans that leave out damaged scenes are refused") {
    const auto data = random_scenes(3, 9, 20);
    const json no_fields = json::array();
    CHECK(code_of(data,
                  {{"from", "frames"}, {"order", kTracks}, {"fields", no_fields}}) ==
          Errc::unsupported);
    CHECK(code_of(data, {{"order", kTracks}, {"on_damage", "skip"}}) ==
          Errc::invalid_argument);
    CHECK_THROWS_WITH(read_rows(data, {{"order", {{"mode", "blocks"}}},
                                       {"batch", {{"by_block", true}}}}),
                      "plan.batch.by_block: needs order \"none\" or \"tracks\"");
  }
}

}  // namespace reader_tracks_test
