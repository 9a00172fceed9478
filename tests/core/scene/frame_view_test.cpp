#include "core/scene/frame_view.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "core/scene/labels.hpp"
#include "tests/support/memory_dataset.hpp"
#include "tests/support/small_scenes.hpp"

using bev::scene::AgentClass;
using bev::scene::FaceState;
using bev::scene::FrameOptions;
using bev::scene::FrameView;
using bev::scene::FrameWindow;
using bev::test::MemoryDataset;
using bev::test::MemoryStore;
using bev::test::small_store;
using doctest::Approx;
using Offsets = std::vector<std::uint32_t>;
using Point = std::array<double, 2>;

namespace {

constexpr std::int64_t kStep = 100'000'000;
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// A frame of a scene that the test makes up.
struct MadeFrame {
  std::int64_t timestamp = 0;
  Point ego{};
  std::vector<bev::scene::Agent> agents;
  std::vector<bev::scene::Face> faces;
  std::array<double, 9> ego_rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
};

bev::scene::Agent agent(std::uint64_t track_id, double x, double y = 0) {
  bev::scene::Agent out;
  out.centroid = {x, y};
  out.extent = {4, 2, 1.5F};
  out.track_id = track_id;
  out.label_probabilities[3] = 1;
  return out;
}

/// Returns a data set of one scene.
MemoryStore scene_of(const std::vector<MadeFrame>& frames) {
  MemoryStore store;
  bev::scene::WriterOptions options;
  options.codec = "none";
  bev::scene::Writer writer(store, options);
  const bev::scene::Scene scene{
      {0, static_cast<std::int64_t>(frames.size())}, "", 0, 0};
  writer.append(std::span<const bev::scene::Scene>(&scene, 1));
  for (const auto& made : frames) {
    bev::scene::Frame frame;
    frame.timestamp = made.timestamp;
    frame.ego_translation = {made.ego[0], made.ego[1], 0};
    frame.ego_rotation = made.ego_rotation;
    frame.agent_index_interval.begin = writer.agent_count();
    frame.traffic_light_faces_index_interval.begin = writer.face_count();
    writer.append(std::span<const bev::scene::Agent>(made.agents));
    writer.append(std::span<const bev::scene::Face>(made.faces));
    frame.agent_index_interval.end = writer.agent_count();
    frame.traffic_light_faces_index_interval.end = writer.face_count();
    writer.append(std::span<const bev::scene::Frame>(&frame, 1));
  }
  writer.close();
  return store;
}

/// Reads a frame with the options' reach and derives it into `view`.
void derive(MemoryDataset& data, bev::scene::FrameAddress at,
            const FrameOptions& options, FrameView& view) {
  FrameWindow window;
  data.read([&](bev::store::Reader& reader) {
    return window.read(reader, *data, at.scene, at.frame,
                       {options.past, options.future});
  });
  view.derive(window, *data, options);
}

FrameView view_of(const MemoryStore& store, bev::scene::FrameAddress at,
                  const FrameOptions& options = {}) {
  MemoryDataset data(store);
  FrameView view;
  derive(data, at, options, view);
  return view;
}

}  // namespace

TEST_SUITE("scene/frame_view") {
  TEST_CASE("the ego vehicle has a rectangle, a speed, a trail and a future") {
    const auto view = view_of(small_store(), {1, 2}, {.past = 25, .future = 1});
    CHECK(view.ego_yaw == 0);
    CHECK(view.ego_speed == Approx(20));
    CHECK(view.ego_corners[0][0] == Approx(1004 + 4.87 / 2));
    CHECK(view.ego_corners[0][1] == Approx(-5 + 1.85 / 2));
    CHECK(view.ego_corners[2][0] == Approx(1004 - 4.87 / 2));
    CHECK(view.ego_corners[2][1] == Approx(-5 - 1.85 / 2));
    CHECK(view.ego_trail == std::vector<Point>{{1004, -5}, {1002, -5}, {1000, -5}});
    CHECK(view.ego_future == std::vector<Point>{{1004, -5}, {1006, -5}});
  }

  TEST_CASE("the ego vehicle's rectangle turns with its rotation") {
    const auto view =
        view_of(scene_of({{0, {3, 7}, {}, {}, {0, -1, 0, 1, 0, 0, 0, 0, 1}}}), {0, 0});
    CHECK(view.ego_yaw == Approx(1.5707963267948966));
    CHECK(view.ego_corners[0][0] == Approx(3 - 1.85 / 2));  // front left, heading +y
    CHECK(view.ego_corners[0][1] == Approx(7 + 4.87 / 2));
  }

  TEST_CASE("agents are in file order, with rows of the whole data set") {
    const auto view = view_of(small_store(), {1, 2});
    CHECK(view.agent_row == std::vector<std::int64_t>{21, 22, 23});
    for (std::size_t i = 0; i < 3; ++i) {
      CAPTURE(i);
      CHECK(view.agent_speed[i] == Approx(10 + 10 * static_cast<double>(i)));
      CHECK(view.agent_label[i] == 3);
      CHECK(view.agent_class[i] == static_cast<std::uint8_t>(AgentClass::vehicle));
      CHECK(view.agent_probability[i] == 0.75F);
      CHECK(view.agent_known_probability[i] == 1);
      CHECK(view.agent_kept[i] == 1);
    }
    CHECK(view.agent_distance[0] == Approx(std::sqrt(2 * 2 + 5 * 5)));
    CHECK(view.agent_distance[1] == Approx(6));
    CHECK(view.agent_corners[1][0] == Point{1006, 2});  // front left of 4 m x 2 m
    CHECK(view.agent_corners[1][2] == Point{1002, 0});
  }

  TEST_CASE("a scene's first frame takes speeds from the next, not the scene before") {
    const auto view = view_of(small_store(), {1, 0});
    CHECK(view.ego_speed == Approx(20));
    CHECK(view.agent_speed[2] == Approx(30));
    CHECK(view.ego_trail.size() == 1);
    CHECK(view.trails.offsets == Offsets{0, 1, 2, 3});
  }

  TEST_CASE("a scene's last frame has no future, though the data set goes on") {
    const auto view = view_of(small_store(), {0, 4}, {.past = 1, .future = 9});
    CHECK(view.ego_speed == Approx(20));
    CHECK(view.ego_trail.size() == 2);
    CHECK(view.ego_future == std::vector<Point>{{8, -5}});
    CHECK(view.trails.offsets == Offsets{0, 2, 4, 6});
    CHECK(view.futures.offsets == Offsets{0, 1, 2, 3});
  }

  TEST_CASE("a scene of one frame has no speeds") {
    const auto view = view_of(scene_of({{0, {1, 1}, {agent(7, 4)}, {}}}), {0, 0});
    CHECK(std::isnan(view.ego_speed));
    CHECK(std::isnan(view.agent_speed.at(0)));
    CHECK(view.agent_distance[0] == Approx(std::sqrt(10)));
    CHECK(view.ego_trail == std::vector<Point>{{1, 1}});
  }

  TEST_CASE("reach 0 still reads the neighbours that a speed needs") {
    const auto view = view_of(small_store(), {0, 2}, {.past = 0, .future = 0});
    CHECK(view.ego_speed == Approx(20));
    CHECK(view.agent_speed[0] == Approx(10));
    CHECK(view.ego_trail.size() == 1);
    CHECK(view.trails.points.size() == 3);
    CHECK(view.futures.points.size() == 3);
  }

  TEST_CASE("a track's speed needs an adjacent frame with the track") {
    const auto store = scene_of({{0, {}, {agent(1, 0), agent(2, 0), agent(3, 0)}, {}},
                                 {kStep, {}, {agent(1, 1), agent(9, 5)}, {}},
                                 {2 * kStep, {}, {agent(1, 3), agent(2, 2)}, {}},
                                 {3 * kStep, {}, {agent(2, 5), agent(3, 9)}, {}}});
    const auto view = view_of(store, {0, 2});
    CHECK(view.agent_speed[0] == Approx(20));  // from the frame before
    CHECK(view.agent_speed[1] == Approx(30));  // absent before: to the next frame
    const auto alone = view_of(store, {0, 1});
    CHECK(alone.agent_speed[0] == Approx(10));
    CHECK(std::isnan(alone.agent_speed[1]));  // seen in this frame only
  }

  TEST_CASE("time that does not advance gives no speed, not an infinite one") {
    const auto store = scene_of({{kStep, {0, 0}, {agent(1, 0)}, {}},
                                 {kStep, {5, 0}, {agent(1, 5)}, {}},
                                 {0, {9, 0}, {agent(1, 9)}, {}}});
    for (std::uint64_t frame = 0; frame < 3; ++frame) {
      CAPTURE(frame);
      const auto view = view_of(store, {0, frame});
      CHECK(std::isnan(view.ego_speed));
      CHECK(std::isnan(view.agent_speed.at(0)));
    }
  }

  TEST_CASE("a track stored twice in a frame moves from its first row") {
    const auto store = scene_of({{0, {}, {agent(1, 0), agent(1, 50)}, {}},
                                 {kStep, {}, {agent(1, 1), agent(1, 2)}, {}}});
    const auto view = view_of(store, {0, 1});
    CHECK(view.agent_speed[0] == Approx(10));
    CHECK(view.agent_speed[1] == Approx(20));
    CHECK(view.trails.points[1] == Point{0, 0});
    CHECK(view.trails.points[3] == Point{0, 0});
  }

  TEST_CASE("a line ends at a frame without its agent, or continues across the gap") {
    const auto store = scene_of({{0, {}, {agent(1, 0)}, {}},
                                 {kStep, {}, {}, {}},
                                 {2 * kStep, {}, {agent(1, 2)}, {}},
                                 {3 * kStep, {}, {}, {}},
                                 {4 * kStep, {}, {agent(1, 4)}, {}}});
    FrameOptions options{.past = 9, .future = 9};
    const auto ends = view_of(store, {0, 2}, options);
    CHECK(ends.trails.points == std::vector<Point>{{2, 0}});
    CHECK(ends.futures.points == std::vector<Point>{{2, 0}});
    options.across_gaps = true;
    const auto across = view_of(store, {0, 2}, options);
    CHECK(across.trails.points == std::vector<Point>{{2, 0}, {0, 0}});
    CHECK(across.futures.points == std::vector<Point>{{2, 0}, {4, 0}});
    CHECK(across.ego_trail.size() == 3);  // the ego vehicle has no gaps
  }

  TEST_CASE("the threshold is exclusive, and NaN passes none") {
    auto half = agent(1, 0);
    half.label_probabilities[3] = 0.5F;
    auto unlabelled = agent(2, 0);
    unlabelled.label_probabilities = {};
    auto broken = agent(3, 0);
    broken.label_probabilities[14] = kNan;
    const auto store = scene_of({{0, {}, {half, unlabelled, broken}, {}}});
    using Flags = std::vector<std::uint8_t>;
    CHECK(view_of(store, {0, 0}, {.threshold = 0.5F}).agent_kept == Flags{0, 0, 0});
    CHECK(view_of(store, {0, 0}, {.threshold = 0.49F}).agent_kept == Flags{1, 0, 0});
    const auto view = view_of(store, {0, 0}, {.threshold = -1});
    CHECK(view.agent_kept == Flags{1, 1, 0});
    CHECK(view.agent_label == Flags{3, 0, 3});  // NaN is never the most probable
    CHECK(view.agent_class[1] == static_cast<std::uint8_t>(AgentClass::other));
    CHECK(std::isnan(view.agent_known_probability[2]));
  }

  TEST_CASE("lights have identifiers and states, those of this frame only") {
    const auto store = scene_of(
        {{0, {}, {}, {{"a", "L", {1, 0, 0}}}},
         {kStep, {}, {}, {{"b", "L", {0, 1, 0}}, {"c\xc3\xa9", "M", {0, 0, 0}}}}});
    const auto view = view_of(store, {0, 1});
    REQUIRE(view.light_state.size() == 2);
    CHECK(view.light_state[0] == static_cast<std::uint8_t>(FaceState::inactive));
    CHECK(view.light_state[1] == static_cast<std::uint8_t>(FaceState::unknown));
    CHECK(view.light_face_id[0] == "b");
    CHECK(view.light_face_id[1] == "c\xc3\xa9");
    CHECK(view.light_traffic_light_id[1] == "M");
  }

  TEST_CASE("the three-array layout has frames without lights") {
    auto store = small_store();
    store.objects.erase(".zmetadata");
    store.objects.erase("traffic_light_faces/.zarray");
    const auto view = view_of(store, {0, 1});
    CHECK(view.light_state.empty());
    CHECK(view.light_face_id.size() == 0);
    CHECK(view.light_traffic_light_id.size() == 0);
    CHECK(view.agent_row.size() == 3);
  }

  TEST_CASE("a frame without agents and lights leaves nothing of the one before") {
    MemoryDataset data(
        scene_of({{0, {1, 1}, {agent(1, 0), agent(2, 0)}, {{"a", "L", {1, 0, 0}}}},
                  {kStep, {2, 1}, {}, {}}}));
    FrameView view;
    derive(data, {0, 0}, {.future = 1}, view);
    CHECK(view.agent_row.size() == 2);
    CHECK(view.light_state.size() == 1);
    derive(data, {0, 1}, {}, view);
    CHECK(view.agent_row.empty());
    CHECK(view.agent_corners.empty());
    CHECK(view.agent_kept.empty());
    CHECK(view.trails.offsets == Offsets{0});
    CHECK(view.futures.points.empty());
    CHECK(view.light_state.empty());
    CHECK(view.light_face_id.size() == 0);
    CHECK(view.ego_trail == std::vector<Point>{{2, 1}, {1, 1}});
    CHECK(view.ego_future == std::vector<Point>{{2, 1}});
  }
}
