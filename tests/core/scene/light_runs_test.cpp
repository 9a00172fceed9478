#include "core/scene/light_runs.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

using bev::scene::AbsentParts;
using Numbers = std::vector<std::uint32_t>;

namespace {

constexpr std::array<float, 3> kActive{1, 0, 0}, kInactive{0, 1, 0}, kUnknown{0, 0, 1};

struct Row {
  std::string_view light, face;
  std::array<float, 3> status;
};

/// A scene with these face rows per frame.
struct Made {
  bev::scene::SceneDataset scene;
  bev::zarr::Text face{{}, {0}}, light{{}, {0}};

  explicit Made(const std::vector<std::vector<Row>>& frames) {
    std::int64_t row = 0;
    for (const auto& rows : frames) {
      const auto end = row + static_cast<std::int64_t>(rows.size());
      scene.frames.traffic_light_faces_index_interval.push_back({row, end});
      row = end;
      for (const auto& one : rows) {
        add(face, one.face);
        add(light, one.light);
        scene.faces.traffic_light_face_status.push_back(one.status);
      }
    }
  }

  static void add(bev::zarr::Text& text, std::string_view id) {
    text.utf8.insert(text.utf8.end(), id.begin(), id.end());
    text.offsets.push_back(static_cast<std::uint32_t>(text.utf8.size()));
  }

  bev::scene::LightRuns runs(std::vector<AbsentParts> absent = {}) const {
    absent.resize(scene.frames.traffic_light_faces_index_interval.size());
    return light_runs(scene, {face, light}, absent, seen_faces(scene, face, absent));
  }
};

}  // namespace

TEST_SUITE("scene/light_runs") {
  TEST_CASE("each face is listed once, with its first frame") {
    bev::scene::SceneDataset scene;
    scene.frames.traffic_light_faces_index_interval = {{0, 0}, {0, 2}, {2, 4}};
    const std::string_view all = "redgreenredamber";
    const bev::zarr::Text ids{{all.begin(), all.end()}, {0, 3, 8, 11, 16}};
    const auto seen = seen_faces(scene, ids, {{}, {}, {}});
    CHECK(seen.first_frame == std::vector<std::uint32_t>{1, 1, 2});
    REQUIRE(seen.id.size() == 3);
    CHECK(seen.id[1] == "green");
    CHECK(seen.id[2] == "amber");
  }

  TEST_CASE("absent rows add no face") {
    bev::scene::SceneDataset scene;
    scene.frames.traffic_light_faces_index_interval = {{0, 1}, {1, 2}};
    const std::string_view all = "red";
    const bev::zarr::Text ids{{all.begin(), all.end()}, {0, 0, 3}};
    const auto seen = seen_faces(scene, ids, {{false, false, true}, {}});
    CHECK(seen.first_frame == std::vector<std::uint32_t>{1});
    REQUIRE(seen.id.size() == 1);
    CHECK(seen.id[0] == "red");
  }

  TEST_CASE("the first frame that contains a face twice is reported") {
    bev::scene::SceneDataset scene;
    scene.frames.traffic_light_faces_index_interval = {{0, 1}, {1, 5}, {5, 7}};
    const std::string_view all = "aababbb";
    const bev::zarr::Text ids{{all.begin(), all.end()}, {0, 1, 2, 3, 4, 5, 6, 7}};
    const auto seen = seen_faces(scene, ids, {{}, {}, {}});
    CHECK(seen.first_frame == std::vector<std::uint32_t>{0, 1});
    CHECK(seen.repeat_frame == 1);
    CHECK(seen.repeats == 2);
    scene.frames.traffic_light_faces_index_interval = {{0, 1}, {1, 3}, {4, 5}};
    CHECK(seen_faces(scene, ids, {{}, {}, {}}).repeats == 0);
  }

  TEST_CASE("a run covers the frames in which a light shows the same") {
    const Made made({{{"L", "red", kActive}, {"L", "green", kInactive}},
                     {{"L", "red", kActive}, {"L", "green", kInactive}},
                     {{"L", "red", kInactive}, {"L", "green", kActive}},
                     {{"L", "red", kInactive}, {"L", "green", kInactive}}});
    const auto runs = made.runs();
    REQUIRE(runs.id.size() == 1);
    CHECK(runs.id[0] == "L");
    CHECK(runs.begin == Numbers{0, 2, 3});
    CHECK(runs.end == Numbers{2, 3, 4});
    CHECK(runs.state == std::vector<std::uint8_t>{0, 0, 1});
    CHECK(runs.active_offset == Numbers{0, 1, 2, 2});
    CHECK(runs.active_face == Numbers{0, 1});
  }

  TEST_CASE("a light that is not seen in a frame has no run there") {
    const Made made(
        {{{"A", "a", kActive}}, {{"B", "b", kUnknown}}, {{"A", "a", kActive}}});
    const auto runs = made.runs();
    REQUIRE(runs.id.size() == 2);
    CHECK(runs.light == Numbers{0, 0, 1});
    CHECK(runs.begin == Numbers{0, 2, 1});
    CHECK(runs.end == Numbers{1, 3, 2});
    CHECK(runs.state == std::vector<std::uint8_t>{0, 0, 2});
  }

  TEST_CASE("rows that are not stored end a run and name no light") {
    const Made made(
        {{{"A", "a", kActive}}, {{"", "", {0, 0, 0}}}, {{"A", "a", kActive}}});
    const auto runs = made.runs({{}, {false, false, true}, {}});
    CHECK(runs.id.size() == 1);
    CHECK(runs.begin == Numbers{0, 2});
    CHECK(runs.end == Numbers{1, 3});
  }

  TEST_CASE("the order of the rows does not end a run, nor does a row stored twice") {
    const Made made({{{"A", "a", kActive}, {"A", "b", kActive}},
                     {{"A", "b", kActive}, {"A", "a", kActive}},
                     {{"A", "a", kActive}, {"A", "b", kActive}, {"A", "a", kActive}}});
    const auto runs = made.runs();
    CHECK(runs.begin == Numbers{0});
    CHECK(runs.end == Numbers{3});
    CHECK(runs.active_face == Numbers{0, 1});
  }

  TEST_CASE("an active face counts over an unknown one, that over an inactive one") {
    const Made made({{{"A", "a", kUnknown}, {"A", "b", kActive}},
                     {{"A", "a", kInactive}, {"A", "b", kUnknown}}});
    CHECK(made.runs().state == std::vector<std::uint8_t>{0, 2});
  }

  TEST_CASE("a scene without faces has no runs") {
    const auto runs = Made({{}, {}}).runs();
    CHECK(runs.id.size() == 0);
    CHECK(runs.begin.empty());
    CHECK(runs.active_offset == Numbers{0});
  }

  TEST_CASE("absent frames and absent faces end a run alike") {
    const Made made(
        {{{"A", "a", kActive}}, {{"A", "a", kActive}}, {{"A", "a", kActive}}});
    for (const AbsentParts part :
         {AbsentParts{true, false, false}, AbsentParts{false, false, true}}) {
      const auto runs = made.runs({{}, part, {}});
      CHECK(runs.begin == Numbers{0, 2});
      CHECK(runs.end == Numbers{1, 3});
    }
    const auto none = made.runs(std::vector<AbsentParts>(3, {true, false, false}));
    CHECK(none.id.size() == 0);
    CHECK(none.light.empty());
  }

  TEST_CASE("absent agents do not concern the lights") {
    const Made made({{{"A", "a", kActive}}, {{"A", "a", kActive}}});
    CHECK(made.runs({{false, true, false}, {}}).end == Numbers{2});
  }

  TEST_CASE("another active face begins another run of the same state") {
    const Made made({{{"A", "left", kActive}, {"A", "right", kInactive}},
                     {{"A", "left", kInactive}, {"A", "right", kActive}},
                     {{"A", "left", kActive}, {"A", "right", kActive}}});
    const auto runs = made.runs();
    CHECK(runs.begin == Numbers{0, 1, 2});
    CHECK(runs.state == std::vector<std::uint8_t>{0, 0, 0});
    CHECK(runs.active_offset == Numbers{0, 1, 2, 4});
    CHECK(runs.active_face == Numbers{0, 1, 0, 1});
  }

  TEST_CASE("a face that belongs to two lights counts for both") {
    const Made made({{{"A", "f", kActive}, {"B", "f", kActive}}});
    const auto runs = made.runs();
    CHECK(runs.light == Numbers{0, 1});
    CHECK(runs.active_face == Numbers{0, 0});
  }

  TEST_CASE("lights and faces may have empty and equal names") {
    const Made made({{{"", "", kActive}, {"x", "x", kInactive}}});
    const auto runs = made.runs();
    REQUIRE(runs.id.size() == 2);
    CHECK(runs.id[0].empty());
    CHECK(runs.id[1] == "x");
    CHECK(runs.state == std::vector<std::uint8_t>{0, 1});
  }

  TEST_CASE("runs are sorted by light, then by begin") {
    const Made made({{{"B", "b", kActive}, {"A", "a", kActive}},
                     {{"A", "a", kInactive}, {"B", "b", kActive}},
                     {{"B", "b", kInactive}, {"A", "a", kInactive}}});
    const auto runs = made.runs();
    CHECK(runs.id[0] == "B");
    CHECK(runs.light == Numbers{0, 0, 1, 1});
    CHECK(runs.begin == Numbers{0, 2, 0, 1});
    CHECK(runs.end == Numbers{2, 3, 1, 3});
  }
}
