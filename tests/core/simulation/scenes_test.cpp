#include "core/simulation/scenes.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "core/simulation/reader.hpp"
#include "tests/support/pickles.hpp"
#include "tests/support/simulation_logs.hpp"

namespace scenes_test {

using namespace bev::simulation;
using nlohmann::json;

/// A scene as nuPlan's serialization_callback.py writes it.
json scene_at(std::int64_t time_us, double x) {
  auto out = json::parse(R"({
    "timestamp_us": 0, "goal": null, "map_name": "us-nv-las-vegas-strip",
    "map": {"area": "us-nv-las-vegas-strip"}, "database_interval": 0.05,
    "ego": {"pose": [0.0, 4.0, 0.0], "speed": 0.0, "acceleration": 0.0},
    "world": {
      "vehicles": [{"id": "0a", "speed": 2.5, "type": "vehicle",
                    "box": {"pose": [0.0, 4.0, 0.5], "size": [2.0, 4.5]}}],
      "pedestrians": [],
      "traffic_cone": [{"id": "null", "speed": 0,
                        "box": {"pose": [1.0, 2.0, 0.0], "size": [0.3, 0.4]}}]},
    "trajectories": {
      "ego_predicted_trajectory": {"states": [{"pose": [0.0, 4.0, 0.0], "speed": 3.0},
                                              {"pose": [0.0, 4.0, 0.0], "speed": 3.0}]},
      "ego_expert_trajectory": {"states": [{"pose": [0.0, 4.0, 0.0]},
                                           {"pose": [2.0, 4.0, 0.0]}]}},
    "traffic_light_status": [{"status": "RED", "lane_connector_id": 7, "timestamp": 0}]
  })");
  out["timestamp_us"] = static_cast<std::uint64_t>(time_us);
  out["ego"]["pose"][0] = x;
  out["world"]["vehicles"][0]["box"]["pose"][0] = x + 9;
  auto& states = out["trajectories"]["ego_predicted_trajectory"]["states"];
  states[0]["pose"][0] = x;
  states[1]["pose"][0] = x + 1;
  return out;
}

Simulation read(const std::vector<std::string>& files) {
  Reader reader;
  for (const auto& file : files) {
    reader.add(bev::test::bytes_of(file), "s.json", file.size());
  }
  return reader.finish();
}

void check_scenes(const Simulation& found) {
  REQUIRE(found.frames.size() == 2);
  CHECK(found.map == "us-nv-las-vegas-strip");
  const auto& frame = found.frames[1];
  CHECK(frame.time_us == 1'100'000);
  CHECK(frame.ego.x == doctest::Approx(1 + 1.461));
  CHECK_FALSE(frame.motion);
  REQUIRE(frame.boxes.size() == 2);
  CHECK(frame.boxes[0].pose.x == 10);
  CHECK(frame.boxes[0].length == 4.5);
  CHECK(frame.boxes[0].width == 2);
  CHECK(frame.boxes[0].speed == 2.5);
  CHECK(found.tracks[frame.boxes[0].track] == "0a");
  CHECK(frame.boxes[0].track == found.frames[0].boxes[0].track);
  CHECK(frame.boxes[1].is_static);
  CHECK(frame.boxes[1].type == ObjectType::traffic_cone);
  // Boxes without a token are tracks of one frame each.
  CHECK(frame.boxes[1].track != found.frames[0].boxes[1].track);
  REQUIRE(frame.plan.size() == 2);
  CHECK(frame.plan[1].pose.x == doctest::Approx(2 + 1.461));
  CHECK_FALSE(frame.plan[1].time_us);
  REQUIRE(found.expert.size() == 2);
  CHECK(found.expert[1].x == doctest::Approx(2 + 1.461));
  REQUIRE(frame.lights.size() == 1);
  CHECK(frame.lights[0].connector == 7);
  CHECK(frame.lights[0].status == 2);
}

std::string refusal(const json& scene) {
  try {
    read({scene.dump()});
  } catch (const bev::Error& error) {
    return error.what();
  }
  return "";
}

TEST_SUITE("simulation/scenes") {
  const json first = scene_at(1'000'000, 0), second = scene_at(1'100'000, 1);

  TEST_CASE("scenes are read from one file or one per step, in any order") {
    check_scenes(read({json::array({first, second}).dump()}));
    check_scenes(read({second.dump(), " \n" + first.dump()}));
  }

  TEST_CASE("scenes are read from MessagePack and from a pickle of plain data") {
    const auto packed = json::to_msgpack(json::array({first, second}));
    check_scenes(read({std::string(packed.begin(), packed.end())}));
    namespace p = bev::test::pickled;
    const auto pickled = [](const auto& self, const json& value) -> std::string {
      if (value.is_object()) {
        p::Fields fields;
        for (const auto& [key, one] : value.items()) {
          fields.emplace_back(key, self(self, one));
        }
        return p::dict(fields);
      }
      std::vector<std::string> items;
      if (value.is_array()) {
        for (const auto& one : value) items.push_back(self(self, one));
        return p::list(items);
      }
      if (value.is_string()) return p::text(value.get<std::string>());
      if (value.is_number_float()) return p::real(value.get<double>());
      if (value.is_number()) return p::integer(value.get<std::int64_t>());
      return "N";
    };
    const auto all = json::array({first, second});
    check_scenes(read({p::document(pickled(pickled, all))}));
  }

  TEST_CASE("what is not a scene is refused by its path") {
    auto scene = first;
    scene["ego"]["pose"] = {1, 2};
    CHECK(refusal(scene) == "s.json: ego.pose: wrong length (found 2, expected 3)");
    scene = first;
    scene["world"]["vehicles"][0]["box"]["size"][1] = "4";
    CHECK(refusal(json::array({scene}))
              .find("s.json[0].world.vehicles[0].box.size: not a number") == 0);
    scene = first;
    scene["traffic_light_status"][0]["status"] = "BLUE";
    CHECK(refusal(scene).find("unknown status") != std::string::npos);
    scene = first;
    scene.erase("timestamp_us");
    CHECK(refusal(scene).find("timestamp_us") != std::string::npos);
    CHECK(refusal(json::array({first, first})) ==
          "simulation: two frames at the same time (1000000 us)");
    CHECK(refusal(json::array()) == "simulation: no frames");
  }
}

}  // namespace scenes_test
