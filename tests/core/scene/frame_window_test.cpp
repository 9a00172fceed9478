#include "core/scene/frame_window.hpp"

#include <doctest/doctest.h>

#include <cstring>
#include <limits>

#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

namespace frame_window_test {

using bev::Errc;
using bev::scene::find_frame;
using bev::scene::FrameWindow;
using bev::scene::Interval;
using bev::scene::Reach;
using bev::test::error_code;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::small_store;

namespace {

FrameWindow window_at(MemoryDataset& data, std::uint64_t scene, std::uint64_t frame,
                      Reach reach = {}) {
  FrameWindow out;
  data.read([&](bev::store::Reader& reader) {
    return out.read(reader, *data, scene, frame, reach);
  });
  return out;
}

/// Returns a store of four frames and the given scenes.
MemoryStore store_of(const std::vector<Interval>& scenes) {
  MemoryStore store;
  bev::scene::WriterOptions options;
  options.codec = "none";
  bev::scene::Writer writer(store, options);
  for (const auto& interval : scenes) {
    const bev::scene::Scene scene{interval, "", 0, 0};
    writer.append(std::span<const bev::scene::Scene>(&scene, 1));
  }
  const std::vector<bev::scene::Frame> frames(4);
  writer.append(std::span<const bev::scene::Frame>(frames));
  writer.close();
  return store;
}

/// Overwrites the agent interval of frame 1 in small_store(), whose records have 136
/// bytes and are not compressed.
void set_agents_of_frame_1(bev::test::MemoryStore& store, const Interval& interval) {
  std::memcpy(store.objects.at("frames/0").data() + 136 + 8, &interval,
              sizeof interval);
}

}  // namespace

TEST_SUITE("scene/frame_window") {
  TEST_CASE("a window has a neighbour on each side, within its scene") {
    MemoryDataset data(small_store());
    const auto first = window_at(data, 1, 0);
    CHECK(first.rows == Interval{5, 7});
    CHECK(first.now == 0);
    CHECK(first.index == 5);
    const auto middle = window_at(data, 1, 2);
    CHECK(middle.rows == Interval{6, 9});
    CHECK(middle.now == 1);
    const auto last = window_at(data, 0, 4);
    CHECK(last.rows == Interval{3, 5});
    CHECK(last.now == 1);
  }

  TEST_CASE("a reach beyond the scene ends with it") {
    constexpr auto kMax = std::numeric_limits<std::uint32_t>::max();
    MemoryDataset data(small_store());
    CHECK(window_at(data, 0, 2, {kMax, kMax}).rows == Interval{0, 5});
    CHECK(window_at(data, 1, 2, {2, kMax}).rows == Interval{5, 10});
    CHECK(window_at(data, 1, 2, {kMax, 0}).rows == Interval{5, 9});
  }

  TEST_CASE("tracks are those of all frames, agents and faces of the frame itself") {
    MemoryDataset data(small_store());
    const auto window = window_at(data, 0, 1);
    CHECK(window.tracks.track_id.size() == 9);
    CHECK(window.agents.size() == 3);
    CHECK(window.faces.size() == 2);
    CHECK(window.tracks_of(0) == Interval{0, 3});
    CHECK(window.tracks_of(2) == Interval{6, 9});
  }

  TEST_CASE("scenes and frames that do not exist are out of range") {
    MemoryDataset data(small_store());
    CHECK(error_code([&] { window_at(data, 2, 0); }) == Errc::out_of_range);
    CHECK(error_code([&] { window_at(data, 0, 5); }) == Errc::out_of_range);
    CHECK(error_code([&] { window_at(data, 0, ~std::uint64_t{0}); }) ==
          Errc::out_of_range);
  }

  TEST_CASE("a scene without frames has no frame 0") {
    MemoryDataset data(store_of({{2, 2}, {0, 4}}));
    CHECK(error_code([&] { window_at(data, 0, 0); }) == Errc::out_of_range);
    CHECK(window_at(data, 1, 3).rows == Interval{2, 4});
  }

  TEST_CASE("scenes with hostile frame intervals are damage") {
    for (const Interval& bad : {Interval{-1, 2}, Interval{3, 1}, Interval{0, 5}}) {
      CAPTURE(bad.begin);
      MemoryDataset data(store_of({bad}));
      CHECK(error_code([&] { window_at(data, 0, 0); }) == Errc::corrupt_chunk);
    }
  }

  TEST_CASE("a frame's address is its scene and its number within") {
    MemoryDataset data(store_of({{0, 1}, {1, 1}, {2, 4}}));
    const auto address = [&](std::uint64_t index) {
      return *data.read(
          [&](bev::store::Reader& reader) { return find_frame(reader, *data, index); });
    };
    CHECK(address(0).scene == 0);
    CHECK(address(2).scene == 2);
    CHECK(address(3).frame == 1);
    CHECK(error_code([&] { address(1); }) == Errc::out_of_range);  // in no scene
    CHECK(error_code([&] { address(4); }) == Errc::out_of_range);
  }

  TEST_CASE("a window's memory is reused, and its content is that of the last read") {
    MemoryDataset data(small_store());
    FrameWindow window;
    for (const Reach reach : {Reach{4, 4}, Reach{0, 0}}) {
      data.read([&](bev::store::Reader& reader) {
        return window.read(reader, *data, 1, 0, reach);
      });
    }
    CHECK(window.rows == Interval{5, 7});
    CHECK(window.frames.size() == 2);
    CHECK(window.tracks.track_id.size() == 6);
    CHECK(window.agent_rows == Interval{15, 21});
  }

  TEST_CASE("a frame's faces are checked, those of its neighbours are not read") {
    auto store = small_store();
    const Interval hostile{0, std::numeric_limits<std::int64_t>::max()};
    std::memcpy(store.objects.at("frames/0").data() + 136 + 24, &hostile,
                sizeof hostile);  // the faces of frame 1
    MemoryDataset data(store);
    CHECK(error_code([&] { window_at(data, 0, 1); }) == Errc::corrupt_chunk);
    CHECK(window_at(data, 0, 2).faces.size() == 2);
  }

  TEST_CASE("parts that are not read are empty, whatever their chunks and intervals") {
    auto store = small_store();
    const Interval hostile{2, 6};
    set_agents_of_frame_1(store, hostile);
    MemoryDataset data(store);
    FrameWindow window;
    const auto read = [&](bev::scene::Parts parts) {
      data.read([&](bev::store::Reader& reader) {
        return window.read(reader, *data, 0, 1, {1, 1, parts});
      });
    };
    CHECK(error_code([&] { read({}); }) == Errc::corrupt_chunk);
    read({.agents = false});
    CHECK(window.frames.size() == 3);
    CHECK(window.agents.size() + window.tracks.track_id.size() == 0);
    CHECK(window.agent_rows == Interval{});
    CHECK(window.faces.size() == 2);
    read({.agents = false, .lights = false});
    CHECK(window.faces.size() == 0);
  }

  TEST_CASE("a neighbour whose agents overlap the frame's is damage") {
    auto store = small_store();
    const Interval hostile{2, 6};
    set_agents_of_frame_1(store, hostile);
    MemoryDataset data(store);
    CHECK(error_code([&] { window_at(data, 0, 0); }) == Errc::corrupt_chunk);
    CHECK(window_at(data, 0, 2).agents.size() == 3);  // frame 0 is beyond the window
  }

  TEST_CASE("errors name the scene and the frame") {
    MemoryDataset data(small_store());
    CHECK_THROWS_WITH_AS(window_at(data, 7, 0), "scene 7 is out of range (count 2)",
                         bev::Error);
    CHECK_THROWS_WITH_AS(window_at(data, 1, 5),
                         "scene 1: frame 5 is out of range (count 5)", bev::Error);
  }

  TEST_CASE("an index between scenes is an error, also one beyond the frames") {
    MemoryDataset data(store_of({{0, 1}, {2, 4}}));
    const auto find = [&](std::uint64_t index) {
      data.read(
          [&](bev::store::Reader& reader) { return find_frame(reader, *data, index); });
    };
    CHECK_THROWS_WITH_AS(find(1), "frame 1: in no scene", bev::Error);
    CHECK_THROWS_WITH_AS(find(4), "frame 4 is out of range (count 4)", bev::Error);
  }

  TEST_CASE("a frame of two overlapping scenes belongs to the first") {
    MemoryDataset data(store_of({{0, 3}, {1, 4}}));
    const auto address = *data.read(
        [&](bev::store::Reader& reader) { return find_frame(reader, *data, 2); });
    CHECK(address.scene == 0);
    CHECK(address.frame == 2);
  }
}

}  // namespace frame_window_test
