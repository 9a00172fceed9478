#include "core/simulation/scenes.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "core/base/json_place.hpp"

namespace bev::simulation {
namespace {

constexpr std::string_view kRange = "-1e9 to 1e9";
constexpr double kDefaultSizeM = 0.5;  // as from_scene.py

/// The lists of a scene's world.
struct WorldList {
  const char* name;
  ObjectType type;
};
constexpr std::array kWorld{WorldList{"vehicles", ObjectType::vehicle},
                            WorldList{"pedestrians", ObjectType::pedestrian},
                            WorldList{"bicycles", ObjectType::bicycle},
                            WorldList{"traffic_cone", ObjectType::traffic_cone},
                            WorldList{"barrier", ObjectType::barrier},
                            WorldList{"czone_sign", ObjectType::czone_sign},
                            WorldList{"genericobjects", ObjectType::generic_object}};
/// Lists up to here are of road users, which have a speed.
constexpr auto kLastRoadUser = ObjectType::bicycle;

constexpr std::array<std::string_view, 4> kStatuses{"GREEN", "YELLOW", "RED",
                                                    "UNKNOWN"};

std::vector<double> values_of(const JsonPlace& place, std::size_t count) {
  auto out = place.numbers(kMaxValue, kRange);
  if (out.size() != count) {
    place.refuse(
        joined({"wrong length (found ", out.size(), ", expected ", count, ")"}));
  }
  return out;
}

Pose pose_of(const JsonPlace& place) {
  const auto values = values_of(place, 3);
  return {values[0], values[1], values[2]};
}

/// Returns a track's name; "" for a box without one.
std::string track_of(const JsonPlace& id) {
  if (!id.value().is_string()) return std::to_string(id.count<std::uint64_t>());
  auto out = id.text();
  return out == "null" ? std::string() : out;
}

/// Reads a scene. `separator` follows the path of its place.
class SceneReader {
 public:
  SceneReader(const JsonPlace& scene, char separator, std::string_view where,
              Builder& to)
      : scene_(scene), separator_(separator), where_(where), to_(to) {}

  void run() {
    const auto time = at("timestamp_us").count<std::int64_t>();
    auto& frame = to_.add_frame(where_, time);
    const auto& vehicle = to_.out().vehicle;
    frame.ego = centre_of(pose_of(at("ego").at("pose")), vehicle);
    if (scene_.has("world")) add_boxes(at("world"), frame);
    if (scene_.has("trajectories")) add_paths(at("trajectories"), frame);
    if (scene_.has("traffic_light_status")) add_lights(frame);
    if (to_.out().map.empty() && scene_.has("map_name")) {
      to_.out().map = at("map_name").text();
    }
  }

 private:
  JsonPlace at(const char* key) const { return scene_.at(key, separator_); }

  void add_boxes(const JsonPlace& world, Frame& frame) {
    for (const auto& [name, type] : kWorld) {
      if (!world.has(name)) continue;
      for (const auto& object : world.at(name).items()) {
        const auto place = object.at("box");
        auto& box = to_.add_box(where_, frame, track_of(object.at("id")));
        box.type = type;
        box.is_static = type > kLastRoadUser;
        box.pose = pose_of(place.at("pose"));
        box.width = box.length = kDefaultSizeM;
        if (place.has("size")) {
          const auto size = values_of(place.at("size"), 2);
          box.width = size[0];
          box.length = size[1];
        }
        if (!box.is_static) box.speed = object.at("speed").number(kMaxValue, kRange);
      }
    }
  }

  void add_paths(const JsonPlace& paths, Frame& frame) {
    constexpr const char *kPlan = "ego_predicted_trajectory",
                         *kExpert = "ego_expert_trajectory";
    const auto& vehicle = to_.out().vehicle;
    if (paths.has(kPlan)) {
      for (const auto& state : paths.at(kPlan).at("states").items()) {
        to_.add_plan_state(where_, frame).pose =
            centre_of(pose_of(state.at("pose")), vehicle);
      }
    }
    auto& expert = to_.out().expert;  // each scene has all of it
    if (!expert.empty() || !paths.has(kExpert)) return;
    for (const auto& state : paths.at(kExpert).at("states").items()) {
      expert.push_back(centre_of(pose_of(state.at("pose")), vehicle));
    }
  }

  void add_lights(Frame& frame) {
    for (const auto& light : at("traffic_light_status").items()) {
      const auto name = light.at("status").text();
      const auto* const found = std::find(kStatuses.begin(), kStatuses.end(), name);
      if (found == kStatuses.end()) {
        light.at("status").refuse(
            "unknown status (expected GREEN, YELLOW, RED, "
            "UNKNOWN)");
      }
      to_.add_light(where_, frame,
                    {light.at("lane_connector_id").count<std::int64_t>(),
                     static_cast<std::uint8_t>(found - kStatuses.begin())});
    }
  }

  const JsonPlace& scene_;
  char separator_;
  std::string_view where_;
  Builder& to_;
};

}  // namespace

void add_scene(const nlohmann::json& tree, std::string_view where,
               std::optional<std::size_t> index, Builder& to) {
  const JsonPlace place(tree,
                        index ? joined({where, "[", *index, "]"}) : std::string(where));
  SceneReader(place, index ? '.' : ':', where, to).run();
}

}  // namespace bev::simulation
