#include "core/scene/overlay.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"
#include "core/scene/frame_window.hpp"
#include "core/scene/intervals.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/small_scenes.hpp"

namespace scene_overlay_test {

using bev::Errc;
using bev::Error;
using bev::scene::Interval;
using bev::scene::kFirstVirtualRow;
using bev::scene::Overlay;
using bev::scene::SceneArrays;
using bev::scene::VirtualArray;
using bev::test::arrays_in;
using bev::test::error_code;
using bev::test::small_store;

namespace {

std::shared_ptr<SceneArrays> small_arrays() {
  return arrays_in(small_store(), 1);
}

template <class Break>
std::string refused(const Break& change) {
  const auto arrays = small_arrays();
  change(*arrays);
  Overlay overlay;
  try {
    overlay.put(3, arrays);
  } catch (const Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    CHECK(overlay.find(3) == nullptr);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("scene/overlay") {
  TEST_CASE("rows of a scene are consecutive, and new after every change") {
    Overlay overlay;
    overlay.put(1, small_arrays());
    const auto first = overlay.frames_of(1);
    CHECK(first == Interval{kFirstVirtualRow, kFirstVirtualRow + 5});
    CHECK(overlay.rows(VirtualArray::frames, {first.begin + 2, first.end}).first == 2);
    CHECK(overlay.rows(VirtualArray::frames, first).all == first);
    const auto version = overlay.version();
    overlay.put(1, small_arrays());
    CHECK(overlay.version() > version);
    const auto second = overlay.frames_of(1);
    CHECK(second.begin > first.end);
    CHECK(error_code([&] { overlay.rows(VirtualArray::frames, first); }) ==
          Errc::out_of_range);
    CHECK(overlay.end(VirtualArray::frames) > second.end);
    overlay.put(0, small_arrays());
    CHECK(overlay.frames_of(1) == second);
    overlay.drop(1);
    CHECK(overlay.find(1) == nullptr);
    CHECK(overlay.find(0) != nullptr);
    CHECK(error_code([&] { overlay.frames_of(1); }) == Errc::out_of_range);
  }

  TEST_CASE("ranges beyond a scene are of none") {
    Overlay overlay;
    overlay.put(0, small_arrays());
    overlay.put(1, small_arrays());
    const auto [begin, end] = overlay.frames_of(0);
    for (const Interval range : {Interval{begin - 1, end}, Interval{begin, end + 1},
                                 Interval{end, begin}, Interval{end + 20, end + 21}}) {
      CHECK(error_code([&] { overlay.rows(VirtualArray::frames, range); }) ==
            Errc::out_of_range);
    }
    CHECK(overlay.rows(VirtualArray::frames, {end, end}).all == Interval{begin, end});
  }

  TEST_CASE("a scene of columns that do not fit is refused") {
    CHECK(refused([](SceneArrays& one) { one.agents.yaw.pop_back(); }) ==
          "scene 3: agents: columns of different lengths (found 14, expected 15)");
    CHECK(refused([](SceneArrays& one) { one.frames.ego_rotation.pop_back(); }) ==
          "scene 3: frames: columns of different lengths (found 4, expected 5)");
    CHECK(refused([](SceneArrays& one) { one.scenes.end_time.clear(); }) ==
          "scene 3: scenes: columns of different lengths (found 0, expected 1)");
    const std::string uncovered =
        "scene 3: agents: the frames' intervals do not cover the 15 rows in order";
    CHECK(refused([](SceneArrays& one) {
            one.frames.agent_index_interval[2] = {6, 8};
          }) == uncovered);
    CHECK(refused([](SceneArrays& one) {
            one.frames.agent_index_interval.back().end = 14;
          }) == uncovered);
    CHECK(refused([](SceneArrays& one) {
            one.frames.agent_index_interval[0] = {3, 3};
          }) == uncovered);
  }

  TEST_CASE("strings of another length than the stored ones are refused") {
    bev::test::MemoryDataset data(small_store());
    const auto overlay = std::make_shared<Overlay>();
    const auto changed = (*data).with(overlay);
    bev::scene::FrameWindow window;
    const auto read = [&] {
      return error_code([&] {
        data.read([&](bev::store::Reader& reader) {
          return window.read(reader, changed, 1, 2, {});
        });
      });
    };
    CHECK(read() == std::nullopt);
    const auto arrays = small_arrays();
    overlay->put(1, arrays);
    CHECK(read() == std::nullopt);
    arrays->faces.face_id.pop_back();
    CHECK(read() == Errc::invalid_argument);
  }

  TEST_CASE("stored intervals must not point to virtual rows that do not exist") {
    bev::scene::IntervalField field{"frames", "agent_index_interval", "agents", 30};
    const auto valid = [&](Interval interval) {
      return error_code([&] { check_interval(interval, 0, field); }) == std::nullopt;
    };
    CHECK(valid({0, 30}));
    CHECK_FALSE(valid({0, 31}));
    CHECK_FALSE(valid({kFirstVirtualRow, kFirstVirtualRow}));
    field.virtual_end = kFirstVirtualRow + 4;
    CHECK(valid({kFirstVirtualRow, kFirstVirtualRow + 4}));
    CHECK_FALSE(valid({kFirstVirtualRow, kFirstVirtualRow + 5}));
    CHECK_FALSE(valid({0, kFirstVirtualRow + 1}));
    CHECK_FALSE(valid({kFirstVirtualRow + 2, kFirstVirtualRow + 1}));
  }
}

}  // namespace scene_overlay_test
