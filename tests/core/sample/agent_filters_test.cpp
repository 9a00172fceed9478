#include "core/sample/agent_filters.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>
#include <map>
#include <string>

#include "core/engine/engine.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/npz.hpp"

using namespace bev::sample;
using Rows = std::vector<std::uint32_t>;
using Ids = std::vector<std::uint64_t>;
using Points = std::vector<std::array<double, 2>>;

namespace {

template <class Array, class Value>
std::vector<Array> arrays_of(const std::vector<Value>& values) {
  std::vector<Array> out(values.size() / std::tuple_size_v<Array>);
  if (!out.empty())
    std::memcpy(out.data(), values.data(), values.size() * sizeof(Value));
  return out;
}

/// Fields of a frame that the filters read.
struct Frame {
  Points centroids;
  Ids track_ids;
  std::vector<std::array<float, 3>> statuses;
  bev::geom::Vec2 ego;
};

Frame read_frame(bev::Engine& engine, const bev::test::FolderStore& store,
                 std::uint64_t index) {
  const auto query = engine.frame_at(index);
  const auto run = bev::test::run(engine, *query, store);
  const auto ego = run.values<double>("ego.centroid");
  return {arrays_of<std::array<double, 2>>(run.values<double>("agents.centroid")),
          run.values<std::uint64_t>("agents.track_id"),
          arrays_of<std::array<float, 3>>(run.values<float>("lights.status")),
          {ego[0], ego[1]}};
}

/// Returns the numbers after the dots of a key: "dist.61.25" is 61 and "25".
std::pair<std::uint64_t, std::string> parts_of(const std::string& key) {
  const auto first = key.find('.');
  const auto second = key.find('.', first + 1);
  return {std::stoull(key.substr(first + 1)), key.substr(second + 1)};
}

bev::scene::FaceState state_named(const std::string& name) {
  if (name == "ACTIVE") return bev::scene::FaceState::active;
  return name == "INACTIVE" ? bev::scene::FaceState::inactive
                            : bev::scene::FaceState::unknown;
}

std::vector<std::int64_t> widened(const Rows& rows) {
  return {rows.begin(), rows.end()};
}

/// Returns get_other_agents_ids of four history frames within 40 m, track 2 selected.
Ids others_of(bev::Engine& engine, const bev::test::FolderStore& store,
              std::uint64_t index, std::size_t most) {
  Frame history;
  Ids priority;
  bev::geom::Vec2 ego;
  for (std::uint64_t back = 0; back <= std::min<std::uint64_t>(3, index); ++back) {
    const auto frame = read_frame(engine, store, index - back);
    if (back == 0) {
      ego = frame.ego;
      for (const auto row : rows_within(frame.centroids, ego, 40)) {
        priority.push_back(frame.track_ids[row]);
      }
    }
    history.centroids.insert(history.centroids.end(), frame.centroids.begin(),
                             frame.centroids.end());
    history.track_ids.insert(history.track_ids.end(), frame.track_ids.begin(),
                             frame.track_ids.end());
  }
  Ids all;
  for (const auto row : rows_within(history.centroids, ego, 40)) {
    all.push_back(history.track_ids[row]);
  }
  return other_track_ids(all, priority, 2, most);
}

}  // namespace

TEST_SUITE("sample/agent_filters") {
  TEST_CASE("agents are kept whose mass is above the threshold") {
    std::vector<std::array<float, bev::scene::kLabelCount>> agents(3);
    agents[0][1] = 1;                      // unknown
    agents[1][3] = agents[1][14] = 0.25F;  // sum 0.5
    agents[2][12] = 0.75F;
    CHECK(rows_above_threshold(agents, 0.5F) == Rows{2});
    CHECK(rows_above_threshold(agents, 0.25F) == Rows{1, 2});
    CHECK(rows_above_threshold(agents, 1).empty());
  }

  TEST_CASE("frames are filtered as the reference filters them, in its order") {
    BEV_REQUIRE_GOLDENS();
    const auto folder = bev::test::goldens();
    const bev::test::FolderStore store(folder + "/inputs/multi_scene.zarr");
    bev::Engine engine;
    std::map<std::string, std::size_t> compared;
    for (const auto& entry :
         bev::test::read_npz(folder + "/outputs/data/filters.npz")) {
      const auto& key = entry.first;
      const auto& golden = entry.second;
      const auto kind = key.substr(0, key.find('.'));
      if (kind == "labels") continue;  // compared in scene/filters
      CAPTURE(key);
      ++compared[kind];
      const auto [index, last] = parts_of(key);
      if (kind == "other_ids") {
        CHECK(others_of(engine, store, index, std::stoul(last)) ==
              golden.as<std::uint64_t>());
        continue;
      }
      const auto frame = read_frame(engine, store, index);
      const auto rows =
          kind == "dist"    ? rows_within(frame.centroids, frame.ego, std::stod(last))
          : kind == "track" ? rows_of_track(frame.track_ids, std::stoull(last))
                            : rows_with_state(frame.statuses, state_named(last));
      CHECK(widened(rows) == golden.as<std::int64_t>());
    }
    CHECK(compared == std::map<std::string, std::size_t>{
                          {"dist", 21}, {"other_ids", 21}, {"tl", 21}, {"track", 7}});
  }

  TEST_CASE("agents exactly at the distance are excluded, as are NaN positions") {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Points points{{3, 4}, {0, 1}, {nan, 0}, {0, -0.5}};
    CHECK(rows_within(points, {0, 0}, 5) == Rows{3, 1});
    CHECK(rows_within(points, {0, 0}, 5.1) == Rows{3, 1, 0});
  }

  TEST_CASE("the selected track is none of the others, and there are not too many") {
    const Ids priority{7, 5};
    const Ids all{5, 1, 3};
    CHECK(other_track_ids(all, priority, 5, 9) == Ids{1, 3, 7});
    CHECK(other_track_ids(all, priority, std::nullopt, 2) == Ids{5, 7});
    CHECK(other_track_ids(all, priority, 5, 0).empty());
  }
}
