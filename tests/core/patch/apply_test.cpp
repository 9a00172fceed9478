#include "core/patch/apply.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "core/scene/overlay.hpp"
#include "core/scene/scene_edit.hpp"
#include "tests/support/changed_scenes.hpp"
#include "tests/support/error_code.hpp"
#include "tests/support/patches.hpp"
#include "tests/support/random_patches.hpp"
#include "tests/support/rounds.hpp"
#include "tests/support/small_scenes.hpp"

namespace patch_apply_test {

using bev::Errc;
using bev::Error;
using bev::patch::Patch;
using bev::patch::read_patch;
using bev::scene::Interval;
using bev::scene::SceneArrays;
using bev::test::arrays_in;
using bev::test::error_code;
using bev::test::patch_json;
using bev::test::small_store;
using bev::test::store_of;
using Numbers = std::vector<double>;

namespace {

/// Scene 0 of 10 frames, 100 ms apart: track k moves k metres per frame along y = k - 1.
SceneArrays small_scene() {
  return *arrays_in(small_store({.frames = 10}), 0);
}

SceneArrays edited(const std::string& edits, SceneArrays scene = small_scene()) {
  apply(read_patch(patch_json(edits)), 0, scene);
  return scene;
}

std::string refusal(const std::string& edits) {
  try {
    edited(edits);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

/// Returns a value per frame of a track.
template <class Get>
Numbers values_of(const SceneArrays& scene, std::uint64_t track, const Get& get) {
  Numbers out;
  for (std::size_t row = 0; row < scene.agents.size(); ++row) {
    if (scene.agents.track_id[row] == track) out.push_back(get(scene.agents, row));
  }
  return out;
}

Numbers xs(const SceneArrays& scene, std::uint64_t track) {
  return values_of(scene, track, [](const auto& agents, std::size_t row) {
    return agents.centroid[row][0];
  });
}

Numbers ys(const SceneArrays& scene, std::uint64_t track) {
  return values_of(scene, track, [](const auto& agents, std::size_t row) {
    return agents.centroid[row][1];
  });
}

Numbers yaws(const SceneArrays& scene, std::uint64_t track) {
  return values_of(scene, track, [](const auto& agents, std::size_t row) {
    return static_cast<double>(agents.yaw[row]);
  });
}

Numbers speeds(const SceneArrays& scene, std::uint64_t track) {
  return values_of(scene, track, [](const auto& agents, std::size_t row) {
    return static_cast<double>(agents.velocity[row][0]);
  });
}

void close(const Numbers& found, const Numbers& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i] == doctest::Approx(expected[i]).epsilon(1e-6));
  }
}

/// Checks that all rows of other tracks have the same bits.
void others_are_same(const SceneArrays& found, std::uint64_t track) {
  const auto recorded = small_scene();
  std::vector<bev::scene::Agent> a, b;
  for (const auto& [scene, out] : {std::pair(&found, &a), std::pair(&recorded, &b)}) {
    for (std::size_t row = 0; row < scene->agents.size(); ++row) {
      if (scene->agents.track_id[row] == track) continue;
      out->push_back(bev::scene::agent_at(scene->agents, row));
    }
  }
  CHECK(a == b);
}

}  // namespace

TEST_SUITE("patch/apply") {
  TEST_CASE("an empty patch, and edits of other scenes, change nothing") {
    const auto recorded = small_scene();
    CHECK(bev::test::same(edited(""), recorded));
    CHECK(bev::test::same(edited(R"({"op": "remove", "scene": 1, "track": 2})"),
                          recorded));
    CHECK(
        bev::test::same(edited(R"({"op": "move", "scene": 0, "track": 2})"), recorded));
    CHECK(bev::test::same(
        edited(R"({"op": "retime", "scene": 0, "track": 2, "factor": 1})"), recorded));
  }

  TEST_CASE("a removed track loses its rows of these frames") {
    auto records = bev::test::records_in(small_store({.frames = 10}));
    bev::test::remove_agents(records[0], [](const bev::scene::Agent& agent) {
      return agent.track_id == 2 && agent.centroid[0] >= 6 && agent.centroid[0] < 14;
    });
    CHECK(bev::test::same(
        edited(R"({"op": "remove", "scene": 0, "track": 2, "from": 3, "to": 7})"),
        *arrays_in(store_of(records), 0)));
  }

  TEST_CASE("moved poses keep the rest, and their velocity is that of the positions") {
    const auto found = edited(
        R"({"op": "move", "scene": 0, "track": 2, "from": 3, "to": 5, "by": [0.5, 1]})");
    CHECK(xs(found, 2) == Numbers{0, 2, 4, 6.5, 8.5, 10, 12, 14, 16, 18});
    CHECK(ys(found, 2) == Numbers{1, 1, 1, 2, 2, 1, 1, 1, 1, 1});
    CHECK(yaws(found, 2) == Numbers(10));
    // Recorded velocities are 0; from 4 to 8.5 and from 6.5 to 10 in 0.2 s.
    close(speeds(found, 2), {0, 0, 0, 22.5, 17.5, 0, 0, 0, 0, 0});
    others_are_same(found, 2);
  }

  TEST_CASE("a turn is about the first edited pose, and turns headings with the path") {
    const auto found = edited(R"({"op": "move", "scene": 0, "track": 2, "from": 8,
                                  "turn": 1.5707963267948966, "by": [1, 0]})");
    close(xs(found, 2), {0, 2, 4, 6, 8, 10, 12, 14, 17, 17});
    close(ys(found, 2), {1, 1, 1, 1, 1, 1, 1, 1, 1, 3});
    close(yaws(found, 2), {0, 0, 0, 0, 0, 0, 0, 0, 1.5707963, 1.5707963});
  }

  TEST_CASE("a move may be along the track, and grow in the frames before") {
    auto scene = small_scene();
    for (auto& yaw : scene.agents.yaw) yaw = 1.5707963F;
    const auto found = edited(R"({"op": "move", "scene": 0, "track": 1, "from": 4,
                                  "by": [8, 0], "in": "track", "ease": 3})",
                              scene);
    // smoothstep(1/4), (1/2), (3/4)
    close(ys(found, 1), {0, 1.25, 4, 6.75, 8, 8, 8, 8, 8, 8});
    close(xs(found, 1), {0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
    CHECK(ys(edited(R"({"op": "move", "scene": 0, "track": 1, "from": 1, "by": [0, 8],
                        "ease": 3})"),
             1)[0] == 6.75);
  }

  TEST_CASE("a stopping agent brakes on its path and stands") {
    // 30 m/s at frame 2; 60 m/s2: stands after 0.5 s and 7.5 m
    const auto found = edited(
        R"({"op": "stop", "scene": 0, "track": 3, "from": 2, "deceleration": 60})");
    close(xs(found, 3), {0, 3, 6, 8.7, 10.8, 12.3, 13.2, 13.5, 13.5, 13.5});
    close(speeds(found, 3), {0, 0, 0, 24, 18, 12, 6, 1.5, 0, 0});
    others_are_same(found, 3);
    const auto jump =
        edited(R"({"op": "stop", "scene": 0, "track": 3, "from": 2, "to": 4,
                                 "deceleration": 1000})");
    CHECK(xs(jump, 3)[3] == doctest::Approx(6.45));
    CHECK(xs(jump, 3)[4] == 12);
  }

  TEST_CASE("a retimed agent is faster or slower on its path, and stands at its end") {
    const auto fast =
        edited(R"({"op": "retime", "scene": 0, "track": 1, "from": 1, "factor": 2})");
    close(xs(fast, 1), {0, 1, 3, 5, 7, 9, 9, 9, 9, 9});
    const auto slow = edited(
        R"({"op": "retime", "scene": 0, "track": 1, "from": 1, "to": 4, "factor": 0.5})");
    close(xs(slow, 1), {0, 1, 1.5, 2, 4, 5, 6, 7, 8, 9});
    others_are_same(slow, 1);
  }

  TEST_CASE("headings between steps are on the shorter arc") {
    auto scene = small_scene();
    for (std::size_t row = 0; row < scene.agents.size(); ++row)
      scene.agents.yaw[row] = row % 6 < 3 ? 3.0F : -3.0F;
    const auto found =
        edited(R"({"op": "retime", "scene": 0, "track": 1, "factor": 0.5})", scene);
    CHECK(yaws(found, 1)[0] == 3);
    CHECK(std::fabs(yaws(found, 1)[1]) == doctest::Approx(std::acos(-1.0)));
    CHECK(yaws(found, 1)[2] == -3);
  }

  TEST_CASE("an added track follows the others of its frames") {
    const auto found =
        edited(R"({"op": "add", "scene": 0, "track": 77, "from": 1, "to": 6,
        "label": "PEDESTRIAN", "extent": [0.5, 0.75, 1.75],
        "path": [[2, 10, 20, 3], [4, 14, 20, -3]]})");
    CHECK(found.agents.size() == 35);
    CHECK(found.frames.agent_index_interval[0] == Interval{0, 3});
    CHECK(found.frames.agent_index_interval[1] == Interval{3, 7});
    CHECK(found.agents.track_id[6] == 77);
    close(xs(found, 77), {10, 10, 12, 14, 14});
    close(speeds(found, 77), {0, 10, 20, 10, 0});
    CHECK(yaws(found, 77)[1] == 3);
    CHECK(std::fabs(yaws(found, 77)[2]) == doctest::Approx(std::acos(-1.0)));
    CHECK(yaws(found, 77)[3] == -3);
    CHECK(found.agents.extent[6] == std::array<float, 3>{0.5F, 0.75F, 1.75F});
    CHECK(found.agents.label_probabilities[6][14] == 1);
    CHECK(found.agents.label_probabilities[6][3] == 0);
    others_are_same(found, 77);
  }

  TEST_CASE("a light is set where it is recorded, and added where it is not") {
    auto records = bev::test::records_in(small_store({.frames = 10}));
    auto& scene = records[0];
    scene.faces.erase(scene.faces.begin() + 4);  // "red" of frame 2
    for (std::size_t k = 2; k < 10; ++k) {
      auto& [begin, end] = scene.frames[k].traffic_light_faces_index_interval;
      begin -= k > 2 ? 1 : 0;
      --end;
    }
    auto found = *arrays_in(store_of(records), 0);
    apply(read_patch(patch_json(R"({"op": "light", "scene": 0, "face": "red", "from": 1,
                                    "to": 3, "state": "inactive"})")),
          0, found);
    scene.faces[2].traffic_light_face_status = {0, 1, 0};
    scene.faces.insert(scene.faces.begin() + 5, {"red", "light", {0, 1, 0}});
    for (std::size_t k = 2; k < 10; ++k) {
      auto& [begin, end] = scene.frames[k].traffic_light_faces_index_interval;
      begin += k > 2 ? 1 : 0;
      ++end;
    }
    CHECK(bev::test::same(found, *arrays_in(store_of(records), 0)));
  }

  TEST_CASE("the ego vehicle moves, stops and is retimed as an agent") {
    const auto recorded = small_scene();
    const auto moved =
        edited(R"({"op": "move", "scene": 0, "track": "ego", "from": 9, "by": [1, 2],
                   "turn": 0.5})");
    CHECK(moved.frames.ego_translation[9] == std::array<double, 3>{19, -3, 1});
    CHECK(moved.frames.ego_rotation[9][3] == doctest::Approx(std::sin(0.5)));
    CHECK(moved.frames.ego_rotation[8] == recorded.frames.ego_rotation[8]);
    others_are_same(moved, 0);
    const auto slow =
        edited(R"({"op": "retime", "scene": 0, "track": "ego", "factor": 0.25})");
    CHECK(slow.frames.ego_translation[6][0] == doctest::Approx(3));
    CHECK(slow.frames.ego_translation[6][2] == 1);
    const auto stopped =
        edited(R"({"op": "stop", "scene": 0, "track": "ego", "deceleration": 100})");
    CHECK(stopped.frames.ego_translation[9][0] == doctest::Approx(2));
  }

  TEST_CASE("edits are applied in order") {
    const std::string move = R"({"op": "move", "scene": 0, "track": 2, "by": [0, 5]})";
    const std::string turn = R"({"op": "move", "scene": 0, "track": 2, "turn": 1,
                                 "from": 4})";
    const std::string remove = R"({"op": "remove", "scene": 0, "track": 2})";
    const std::string add = R"({"op": "add", "scene": 0, "track": 2, "label": "BUS",
        "extent": [9, 2, 3], "path": [[0, 0, 0, 0]]})";
    CHECK(edited(remove + "," + add + "," + move).agents.size() == 30);
    CHECK(refusal(add) == "patch: edits[0]: scene 0: track 2 exists already");
    CHECK(refusal(remove + "," + turn) ==
          "patch: edits[1]: scene 0: track 2 not found in frames [4, 10)");
    CHECK_FALSE(bev::test::same(edited(turn + "," + move), edited(turn)));
  }

  TEST_CASE("edits of what the scene lacks are refused, with their position") {
    const std::string at = "patch: edits[0]: scene 0: ";
    CHECK(refusal(R"({"op": "stop", "scene": 0, "track": 9})") ==
          at + "track 9 not found in frames [0, 10)");
    CHECK(refusal(R"({"op": "remove", "scene": 0, "track": 9})") ==
          at + "track 9 not found in frames [0, 10)");
    CHECK(refusal(R"({"op": "stop", "scene": 0, "track": 1, "to": 11})") ==
          at + "frames [0, 11): not a range of the scene's 10 frames");
    CHECK(refusal(R"({"op": "stop", "scene": 0, "track": 1, "from": 5, "to": 5})") ==
          at + "frames [5, 5): not a range of the scene's 10 frames");
    CHECK(
        refusal(R"({"op": "stop", "scene": 0, "track": 1,
                      "from": 18446744073709551615})") ==
        at + "frames [18446744073709551615, 10): not a range of the scene's 10 frames");
    CHECK(refusal(R"({"op": "add", "scene": 0, "track": 9, "label": "CAR",
                      "extent": [4, 2, 1], "path": [[10, 0, 0, 0]]})") ==
          at + "path: frame 10 is not in the scene (expected below 10)");
    CHECK(
        refusal(R"({"op": "light", "scene": 0, "face": "blue", "state": "active"})") ==
        at +
            "face \"blue\" not found in the scene (it has red, green, red, green, red, "
            "green, red, green, ...)");
    SceneArrays scene = small_scene();
    scene.faces = {};
    for (auto& rows : scene.frames.traffic_light_faces_index_interval) rows = {};
    CHECK(error_code([&] {
            edited(R"({"op": "light", "scene": 0, "face": "red", "state": "active"})",
                   scene);
          }) == Errc::not_found);
    CHECK(error_code([] { edited(R"({"op": "stop", "scene": 0, "track": 9})"); }) ==
          Errc::out_of_range);
  }

  TEST_CASE("a scene gets a limited number of rows") {
    SceneArrays scene;
    const auto count = bev::patch::kMaxAddedRows + 1;
    scene.frames.timestamp.resize(count);
    scene.frames.agent_index_interval.resize(count);
    const std::string add = R"({"op": "add", "scene": 0, "track": 2, "label": "BUS",
        "extent": [9, 2, 3], "path": [[0, 0, 0, 0]]})";
    CHECK(error_code([&] { edited(add, scene); }) == Errc::limit_exceeded);
    CHECK(scene.agents.size() == 0);
  }

  TEST_CASE("random edits, undone one by one, give the scenes before, bit by bit") {
    bev::test::RandomPatch random(11);
    std::vector<SceneArrays> before{small_scene()};
    Patch patch;
    while (patch.edits.size() < bev::test::rounds(std::size_t{1000})) {
      patch.edits.push_back(random.edit(0, 10));
      auto scene = before.back();
      try {
        // One more edit of the edited scene is the longer patch.
        apply(Patch{"", {}, {patch.edits.back()}}, 0, scene);
        before.push_back(std::move(scene));
      } catch (const Error&) {
        patch.edits.pop_back();
      }
    }
    while (!patch.edits.empty()) {
      CAPTURE(patch.edits.size());
      if (patch.edits.size() % 25 == 0 || patch.edits.size() < 40) {
        auto scene = small_scene();
        apply(bev::patch::read_patch(to_json(patch)), 0, scene);
        REQUIRE(bev::test::same(scene, before.back()));
        bev::scene::check_arrays(0, scene);
      }
      patch.edits.pop_back();
      before.pop_back();
    }
    CHECK(bev::test::same(before.back(), small_scene()));
  }
}

}  // namespace patch_apply_test
