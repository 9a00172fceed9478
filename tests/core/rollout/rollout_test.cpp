#include "core/rollout/rollout.hpp"

#include <doctest/doctest.h>

#include <string>

#include "core/base/error.hpp"

namespace rollout_test {

using bev::Errc;
using bev::rollout::read_rollout;

namespace {

const std::string kScene =
    R"({"scene": 3, "timestamps": [1583280000000000000, 1583280000100000000],
        "ego": {"x": [1, 2], "y": [3.5, 4], "yaw": [0, 0.1]},
        "agents": {"counts": [0, 1], "track_id": [18446744073709551615], "x": [5],
                   "y": [6], "yaw": [-1], "length": [4], "width": [2]}})";

std::string file_of(const std::string& scenes) {
  return R"({"format": "bevscope-rollout", "version": 1, "name": "A", "scenes": [)" +
         scenes + "]}";
}

std::string replaced(std::string text, const std::string& part, const std::string& by) {
  const auto at = text.find(part);
  REQUIRE(at != std::string::npos);
  return text.replace(at, part.size(), by);
}

/// Returns the message of the error of a scene with a change.
std::string refusal(const std::string& part, const std::string& by) {
  try {
    read_rollout(file_of(replaced(kScene, part, by)), "f.json");
  } catch (const bev::Error& error) {
    CHECK(error.code() == Errc::invalid_argument);
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("rollout/rollout") {
  TEST_CASE("a file has a name and scenes") {
    const auto read = read_rollout(file_of(kScene), "f.json");
    CHECK(read.name == "A");
    REQUIRE(read.scenes.size() == 1);
    const auto& scene = read.scenes[0];
    CHECK(scene.scene == 3);
    CHECK(scene.timestamps[1] == 1583280000100000000);
    CHECK(scene.ego_y == std::vector<double>{3.5, 4});
    CHECK(scene.track_id[0] == 18446744073709551615U);
    CHECK(scene.counts == std::vector<std::uint32_t>{0, 1});
  }

  TEST_CASE("time stamps and agents are optional") {
    const auto read = read_rollout(
        file_of(
            R"({"scene": 0, "first_frame": 5, "ego": {"x": [1], "y": [2], "yaw": [3]}})"),
        "f.json");
    CHECK(read.scenes[0].first_frame == 5);
    CHECK(read.scenes[0].timestamps.empty());
    CHECK(read.scenes[0].counts == std::vector<std::uint32_t>{0});
  }

  TEST_CASE("scenes are sorted and occur once") {
    const auto other = replaced(kScene, "\"scene\": 3", "\"scene\": 1");
    CHECK(read_rollout(file_of(kScene + "," + other), "f").scenes[0].scene == 1);
    CHECK_THROWS_WITH(read_rollout(file_of(kScene + "," + kScene), "f.json"),
                      "f.json: scene 3 occurs twice");
  }

  TEST_CASE("a rollout is written as it is read") {
    const auto other = replaced(kScene, "\"scene\": 3", "\"scene\": 1");
    auto read = read_rollout(file_of(kScene + "," + other), "f");
    read.scenes[0].timestamps.clear();
    read.scenes[0].first_frame = 7;
    read.scenes[0].ego_x[0] = 0.1;
    read.scenes[0].ego_box = {4.9, 1.8, 1.5};
    read.name = "a \"name\"";
    const auto text = write_rollout(read);
    const auto again = read_rollout(text, "f");
    CHECK(again.name == read.name);
    CHECK(again.scenes[0].first_frame == 7);
    CHECK(again.scenes[0].ego_x == read.scenes[0].ego_x);
    CHECK(again.scenes[0].ego_box == read.scenes[0].ego_box);
    CHECK(again.scenes[1].ego_box.empty());
    CHECK(again.scenes[1].timestamps == read.scenes[1].timestamps);
    CHECK(again.scenes[1].track_id == read.scenes[1].track_id);
    CHECK(again.scenes[1].width == read.scenes[1].width);
    CHECK(write_rollout(again) == text);
    read.scenes[1].timestamps[0] = -1;
    CHECK_THROWS_WITH(write_rollout(read),
                      "rollout: scene 3: time stamps must not be below 0 (found -1)");
  }

  TEST_CASE("scenes are added once") {
    auto read = read_rollout(file_of(kScene), "f");
    auto scene = read.scenes[0];
    CHECK_THROWS_WITH(add_scene(read, scene, "r"), "r: scene 3 occurs twice");
    scene.scene = 2;
    add_scene(read, scene, "r");
    CHECK(read.scenes[0].scene == 2);
    scene.ego_y.clear();
    CHECK_THROWS_AS(add_scene(read, scene, "r"), bev::Error);
    CHECK(read.scenes.size() == 2);
  }

  TEST_CASE("messages name the array") {
    CHECK(refusal("\"y\": [3.5, 4]", "\"y\": [3.5]") ==
          "f.json: scenes[0].ego.y: wrong length (found 1, expected 2)");
    CHECK(refusal("\"y\": [3.5, 4], ", "") == "f.json: scenes[0].ego.y: missing");
    CHECK(refusal("\"y\": [3.5, 4]", "\"y\": [3.5, 4], \"box\": [1]") ==
          "f.json: scenes[0].ego.box: wrong length (found 1, expected 3 or none)");
    CHECK(refusal("3.5", "1e300").find("ego.y: not a number from -1e9 to 1e9") !=
          std::string::npos);
    CHECK(refusal("3.5", "null").find("found null") != std::string::npos);
    CHECK(refusal("[3.5, 4]", "{}").find("wrong type (expected an array)") !=
          std::string::npos);
    CHECK(
        refusal("\"scene\": 3", "\"scene\": -3").find("scenes[0].scene: not a whole") !=
        std::string::npos);
    CHECK(refusal("\"counts\": [0, 1]", "\"counts\": [4294967295, 4294967295]")
              .find("found 1, expected 8589934590") != std::string::npos);
    CHECK(refusal("1583280000000000000", "18446744073709551615").find("too large") !=
          std::string::npos);
    CHECK(refusal("\"x\": [1, 2], \"y\": [3.5, 4], \"yaw\": [0, 0.1]",
                  "\"x\": [], \"y\": [], \"yaw\": []") ==
          "f.json: scenes[0].ego.x: no frames");
  }

  TEST_CASE("other text is refused") {
    CHECK_THROWS_WITH(read_rollout("", "f.json"), "f.json: not JSON");
    CHECK_THROWS_WITH(read_rollout("[]", "f.json"),
                      "f.json: wrong type (expected an object)");
    CHECK_THROWS_WITH(read_rollout(R"({"format": "x"})", "f.json"),
                      "f.json: format: not a rollout (expected bevscope-rollout)");
    CHECK_THROWS_WITH(
        read_rollout(R"({"format": "bevscope-rollout", "version": 2})", "f.json"),
        "rollout: unsupported version (found 2, expected 1)");
    const std::string deep(100, '[');
    CHECK_THROWS_WITH(read_rollout(deep, "f.json"), "f.json: nested too deeply");
  }

  TEST_CASE("every prefix of a file is refused") {
    const auto text = file_of(kScene);
    for (std::size_t size = 0; size < text.size(); ++size)
      CHECK_THROWS_AS(read_rollout(text.substr(0, size), "f"), bev::Error);
  }
}

}  // namespace rollout_test
