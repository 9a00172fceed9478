#include "core/scene/intervals.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/engine/engine.hpp"
#include "core/scene/writer.hpp"
#include "core/store/plan.hpp"
#include "core/store/reader.hpp"
#include "core/store/store.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/memory_store.hpp"
#include "tests/support/small_scenes.hpp"

namespace intervals_test {

using bev::Errc;
using bev::Error;
using bev::scene::AgentScope;
using bev::scene::check_interval;
using bev::scene::check_intervals;
using bev::scene::ChunkedDataset;
using bev::scene::Interval;
using bev::scene::IntervalField;
using bev::scene::IntervalSearch;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using Intervals = std::vector<Interval>;

namespace {

constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
constexpr auto kMin = std::numeric_limits<std::int64_t>::min();
const IntervalField kField{"frames", "agent_index_interval", "agents", 10};

/// Returns the error of frame 1 of a dataset whose frame 1 has this interval of agents.
std::string frame_error(Interval hostile) {
  auto store = bev::test::small_store();
  auto& chunk = store.objects.at("frames/0");
  std::memcpy(chunk.data() + 136 + 8, &hostile, sizeof hostile);
  bev::Engine engine;
  try {
    run(engine, *engine.frame(0, 1), store);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::corrupt_chunk);
    return error.what();
  }
  return "no error";
}

/// Returns a dataset of one scene, whose frames hold these agents.
MemoryStore store_of(const Intervals& frames, std::int64_t agents) {
  MemoryStore store;
  bev::scene::WriterOptions options;
  options.codec = "none";
  options.frames_per_chunk = 3000;
  bev::scene::Writer writer(store, options);
  for (const auto& interval : frames) {
    bev::scene::Frame frame;
    frame.agent_index_interval = interval;
    writer.append(std::span<const bev::scene::Frame>(&frame, 1));
  }
  const bev::scene::Scene scene{
      {0, static_cast<std::int64_t>(frames.size())}, "", 0, 0};
  writer.append(std::span<const bev::scene::Scene>(&scene, 1));
  const std::vector<bev::scene::Agent> rows(static_cast<std::size_t>(agents));
  writer.append(std::span<const bev::scene::Agent>(rows));
  writer.close();
  return store;
}

/// Runs searches and supplies what they request.
class Searching {
 public:
  explicit Searching(const MemoryStore& objects) : objects_(objects) {}

  IntervalSearch::Hit frame_of(std::uint64_t agent) {
    while (true) {
      plan_.begin();
      bev::store::Reader reader(store_, plan_);
      if (!dataset_) dataset_ = ChunkedDataset::open(reader);
      const auto hit = dataset_ ? search_.find(reader, *dataset_, agent) : std::nullopt;
      if (hit) return *hit;
      for (const auto& request : plan_.finish()) supply(request);
    }
  }
  std::size_t chunks() const { return chunks_.size(); }

 private:
  void supply(const bev::store::Request& request) {
    const auto found = objects_.objects.find(request.key);
    if (found == objects_.objects.end()) return store_.supply_absent(request.key);
    if (request.key.starts_with("frames/") && request.key != "frames/.zarray") {
      chunks_.insert(request.key);
    }
    store_.supply(request, bev::test::part_of(found->second, request.range));
  }

  const MemoryStore& objects_;
  bev::store::Store store_{std::size_t{64} << 20};
  bev::store::Plan plan_{store_, "search"};
  std::optional<ChunkedDataset> dataset_;
  IntervalSearch search_{IntervalSearch::Of::frames};
  std::set<std::string> chunks_;
};

/// Returns the error of finding an agent; nullopt if it is found.
std::optional<Errc> error_of(const Intervals& frames, std::int64_t agents,
                             std::uint64_t agent) {
  const auto objects = store_of(frames, agents);
  Searching searching(objects);
  try {
    searching.frame_of(agent);
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

Interval frames_of(MemoryDataset& data, const AgentScope& scope) {
  return *data.read([&](bev::store::Reader& reader) {
    return bev::scene::frames_of(reader, *data, scope);
  });
}

Interval agents_of(MemoryDataset& data, const AgentScope& scope) {
  return *data.read([&](bev::store::Reader& reader) {
    return bev::scene::agents_of(reader, *data, scope);
  });
}

}  // namespace

TEST_SUITE("scene/intervals") {
  TEST_CASE("intervals inside the array are accepted, also empty and whole ones") {
    check_interval({0, 0}, 0, kField);
    check_interval({10, 10}, 0, kField);
    check_interval({0, 10}, 0, kField);
    CHECK(check_intervals({}, 0, kField) == Interval{0, 0});
    const std::vector<Interval> row{{2, 4}, {4, 4}, {4, 9}};
    CHECK(check_intervals(row, 0, kField) == Interval{2, 9});
  }

  TEST_CASE("an interval outside the array is an error with row and bounds") {
    for (const Interval& bad :
         {Interval{-1, 3}, Interval{5, 3}, Interval{0, 11}, Interval{11, 11},
          Interval{0, kMax}, Interval{kMin, kMax}, Interval{kMax, kMin}}) {
      CAPTURE(bad.begin);
      CHECK_THROWS_AS(check_interval(bad, 0, kField), Error);
    }
    CHECK_THROWS_WITH_AS(check_interval({5, 3}, 12, kField),
                         "frames/12: invalid agent_index_interval (found [5, 3), "
                         "expected 0 <= begin <= end <= 10, the length of agents)",
                         Error);
  }

  TEST_CASE("neighbours that overlap, leave a gap or go back are refused") {
    for (const auto begin : {3, 5, 0}) {
      CAPTURE(begin);
      const std::vector<Interval> row{{2, 4}, {begin, 6}};
      CHECK_THROWS_WITH_AS(
          check_intervals(row, 7, kField),
          ("frames/8: invalid agent_index_interval (found [" + std::to_string(begin) +
           ", 6), expected begin 4, the end of the previous one)")
              .c_str(),
          Error);
    }
  }

  TEST_CASE("hostile intervals of a file end a query, not the engine") {
    CHECK(frame_error({3, kMax}).starts_with(
        "frames/1: invalid agent_index_interval (found [3, "));
    CHECK(frame_error({6, 3}).starts_with(
        "frames/1: invalid agent_index_interval (found [6, 3)"));
    CHECK(frame_error({kMin, kMin})
              .starts_with("frames/1: invalid agent_index_interval (found [-"));
    CHECK(frame_error({2, 6}).ends_with("begin 3, the end of the previous one)"));
    CHECK(frame_error({3, 31}).ends_with("end <= 30, the length of agents)"));
  }

  TEST_CASE("a scene that points outside of the frames is refused") {
    auto store = bev::test::small_store();
    const Interval hostile{0, kMax};
    std::memcpy(store.objects.at("scenes/0").data(), &hostile, sizeof hostile);
    bev::Engine engine;
    CHECK_THROWS_WITH_AS(
        run(engine, *engine.frame(0, 0), store),
        "scenes/0: invalid frame_index_interval (found [0, 9223372036854775807), "
        "expected 0 <= begin <= end <= 10, the length of frames)",
        Error);
    CHECK(run(engine, *engine.frame(1, 0), store)["agents.row"].shape[0] == 3);
  }

  TEST_CASE("every agent is in the frame that a scan finds") {
    // Frame f holds f % 4 agents, so many frames are empty; three pages.
    Intervals frames;
    std::int64_t agents = 0;
    std::vector<std::uint64_t> frame_of_agent;
    for (std::uint64_t f = 0; f < 5000; ++f) {
      const auto count = static_cast<std::int64_t>(f % 4);
      frames.push_back({agents, agents + count});
      agents += count;
      frame_of_agent.insert(frame_of_agent.end(), static_cast<std::size_t>(count), f);
    }
    const auto objects = store_of(frames, agents);
    Searching searching(objects);
    for (std::size_t agent = 0; agent < frame_of_agent.size(); agent += 7) {
      const auto hit = searching.frame_of(agent);
      REQUIRE(hit.row == frame_of_agent[agent]);
      REQUIRE(hit.interval == frames[static_cast<std::size_t>(hit.row)]);
    }
    CHECK(searching.frame_of(frame_of_agent.size() - 1).row == 4999);
  }

  TEST_CASE("an agent is found without reading all frames") {
    Intervals frames;
    for (std::int64_t f = 0; f < 60'000; ++f) frames.push_back({2 * f, 2 * f + 2});
    const auto objects = store_of(frames, 120'000);
    Searching searching(objects);
    CHECK(searching.frame_of(77'777).row == 38'888);
    CHECK(searching.chunks() <= 3);  // of 20
  }

  TEST_CASE("uneven frames take some logarithms of the pages at most") {
    Intervals frames(59'999, Interval{0, 0});
    frames.push_back({0, 40'000});
    const auto objects = store_of(frames, 40'000);
    Searching searching(objects);
    CHECK(searching.frame_of(3).row == 59'999);
    CHECK(searching.chunks() <= 15);
  }

  TEST_CASE("an agent of no frame is out of range") {
    CHECK(error_of({{0, 2}, {3, 5}}, 5, 2) == Errc::out_of_range);
    CHECK(error_of({{0, 2}, {3, 5}}, 9, 7) == Errc::out_of_range);
    CHECK(error_of({{0, 2}, {3, 5}}, 5, 5) == Errc::out_of_range);
    CHECK(error_of({{0, 2}, {3, 5}}, 5, ~std::uint64_t{0}) == Errc::out_of_range);
    CHECK(error_of({{0, 2}, {3, 5}}, 5, 4) == std::nullopt);
    CHECK(error_of({}, 5, 0) == Errc::out_of_range);
  }

  TEST_CASE("intervals that cannot be are damage, not a place") {
    constexpr auto kFar = std::numeric_limits<std::int64_t>::max();
    CHECK(error_of({{0, 3}, {2, 5}}, 5, 4) == Errc::corrupt_chunk);
    CHECK(error_of({{3, 5}, {0, 3}}, 5, 4) == Errc::corrupt_chunk);
    CHECK(error_of({{2, 0}, {2, 5}}, 5, 4) == Errc::corrupt_chunk);
    CHECK(error_of({{-1, 2}, {2, 5}}, 5, 4) == Errc::corrupt_chunk);
    CHECK(error_of({{0, 2}, {2, kFar}}, 5, 4) == Errc::corrupt_chunk);
    // Contradicting pages: the later one begins at 0 again.
    Intervals twice;
    for (std::int64_t f = 0; f < 2048; ++f) twice.push_back({f, f + 1});
    for (std::int64_t f = 0; f < 2048; ++f) twice.push_back({f, f + 1});
    const auto code = error_of(twice, 4096, 3000);
    CHECK((code == Errc::corrupt_chunk || code == Errc::out_of_range));
  }

  TEST_CASE("a scope is spelled as a message shows it") {
    CHECK(to_string(AgentScope{AgentScope::Kind::scene, 3}) == "scene 3");
    CHECK(to_string(AgentScope{AgentScope::Kind::frame, 0}) == "frame 0");
  }

  TEST_CASE("a scope's rows are those of its frames and agents") {
    MemoryDataset data(bev::test::small_store());
    CHECK(frames_of(data, {AgentScope::Kind::scene, 1}) == Interval{5, 10});
    CHECK(frames_of(data, {AgentScope::Kind::frame, 7}) == Interval{7, 8});
    CHECK(agents_of(data, {AgentScope::Kind::scene, 1}) == Interval{15, 30});
    CHECK(agents_of(data, {AgentScope::Kind::frame, 7}) == Interval{21, 24});
  }

  TEST_CASE("a scope that does not exist is named with the number of those that do") {
    MemoryDataset data(bev::test::small_store());
    CHECK_THROWS_WITH_AS(frames_of(data, {AgentScope::Kind::scene, 2}),
                         "scene 2 is out of range (count 2)", Error);
    CHECK_THROWS_WITH_AS(agents_of(data, {AgentScope::Kind::frame, 10}),
                         "frame 10 is out of range (count 10)", Error);
    CHECK(error_code([&] {
            agents_of(data, {AgentScope::Kind::frame, ~std::uint64_t{0}});
          }) == Errc::out_of_range);
  }

  TEST_CASE("a scope with hostile intervals is damage") {
    MemoryDataset scenes(store_of({{0, 2}, {2, 1}}, 3));
    CHECK(agents_of(scenes, {AgentScope::Kind::frame, 0}) == Interval{0, 2});
    CHECK(error_code([&] {
            agents_of(scenes, {AgentScope::Kind::frame, 1});
          }) == Errc::corrupt_chunk);
    CHECK(error_code([&] {
            agents_of(scenes, {AgentScope::Kind::scene, 0});
          }) == Errc::corrupt_chunk);
    CHECK(frames_of(scenes, {AgentScope::Kind::scene, 0}) == Interval{0, 2});
  }

  TEST_CASE("a scene without frames has no agents") {
    MemoryDataset data(store_of({}, 3));
    CHECK(frames_of(data, {AgentScope::Kind::scene, 0}) == Interval{0, 0});
    CHECK(agents_of(data, {AgentScope::Kind::scene, 0}) == Interval{0, 0});
  }

  TEST_CASE("intervals of rows near the largest number do not overflow") {
    const IntervalField field{"frames", "agent_index_interval", "agents",
                              std::numeric_limits<std::uint64_t>::max()};
    const Intervals rows{{0, kMax}, {kMax, kMax}};
    CHECK(check_intervals(rows, kMax - 1, field) == Interval{0, kMax});
  }

  TEST_CASE("a scene is found by a frame, across scenes without frames") {
    MemoryStore store;
    bev::scene::WriterOptions options;
    options.codec = "none";
    bev::scene::Writer writer(store, options);
    for (const Interval& frames : Intervals{{0, 0}, {0, 3}, {3, 3}, {3, 4}}) {
      const bev::scene::Scene scene{frames, "", 0, 0};
      writer.append(std::span<const bev::scene::Scene>(&scene, 1));
    }
    const std::vector<bev::scene::Frame> frames(5);
    writer.append(std::span<const bev::scene::Frame>(frames));
    writer.close();
    MemoryDataset data(store);
    IntervalSearch search(IntervalSearch::Of::scenes);
    const auto scene_of = [&](std::uint64_t frame) {
      return data
          .read([&](bev::store::Reader& reader) {
            search.prepare(reader, *data);
            return search.find(reader, *data, frame);
          })
          ->row;
    };
    CHECK(scene_of(0) == 1);
    CHECK(scene_of(3) == 3);
    CHECK(scene_of(2) == 1);  // backwards, with the page in memory
    CHECK_THROWS_WITH_AS(scene_of(4), "frames/4: in no interval of scenes", Error);
    CHECK_THROWS_WITH_AS(scene_of(5), "frames/5 is out of range (count 5)", Error);
  }
}

}  // namespace intervals_test
