#include "core/convert/commonroad.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/convert/chosen_ego.hpp"
#include "core/convert/map_cell.hpp"
#include "core/convert/nearest_steps.hpp"
#include "core/convert/waymo_message.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/virtual_egos.hpp"

namespace bev::convert {
namespace commonroad {
namespace {

constexpr std::size_t kMaxHostName = 16;
constexpr std::size_t kMaxFaceName = 16;

/// Returns the place in a benchmark's id: "USA_Lanker" of "C-USA_Lanker-1_1_T-1".
std::string host_of_benchmark(std::string_view id) {
  if (id.starts_with("C-")) id.remove_prefix(2);
  std::string out(id.substr(0, std::min(id.find('-'), kMaxHostName)));
  for (auto& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

/// The box of an agent, and its velocity.
struct Pose {
  ShapeBox box;
  geom::Vec2 velocity;
};

class CommonroadImporter {
 public:
  CommonroadImporter(File file, const Tables& tables, const ImportOptions& options)
      : file_(std::move(file)), tables_(tables), options_(options) {}

  Scenario run() {
    out_.id = file_.id;
    out_.host = host_of_benchmark(file_.id);
    out_.lost = std::move(file_.lost);
    set_times();
    set_ego();
    cell_ = MapCell(options_.place, out_.ego.front().position);
    for (auto& pose : out_.ego) {
      pose.position = cell_.frame().moved(pose.position);
      cell_.check_reach(pose.position.x, pose.position.y);
    }
    for (const auto& obstacle : file_.obstacles) {
      if (&obstacle != ego_) add_track(obstacle);
    }
    add_lights();
    if (options_.with_map) add_map();
    set_attributes();
    return std::move(out_);
  }

 private:
  void lose(const char* what, std::uint64_t count = 1) {
    if (count > 0) out_.lost[what] += count;
  }

  std::size_t frames() const { return out_.times_ns.size(); }

  void set_times() {
    std::int64_t last = 0;
    for (const auto& obstacle : file_.obstacles) {
      for (const auto& state : obstacle.states) last = std::max(last, state.step);
    }
    const bool is_still = last == 0;
    for (const auto& problem : file_.problems) {
      last = std::max(last, is_still ? problem.last_step : problem.start.step);
    }
    for (std::int64_t i = 0; i <= last; ++i) {
      const double ns = static_cast<double>(i) * file_.step_s * 1e9;
      out_.times_ns.push_back(static_cast<std::int64_t>(std::floor(ns + 0.5)));
    }
    out_.end_ns = out_.times_ns.back();
  }

  /// Returns the poses of an obstacle by increasing step; a static one has its pose in
  /// every frame.
  std::vector<std::pair<std::size_t, Pose>> poses_of(const Obstacle& obstacle) {
    std::vector<const State*> states;
    for (const auto& state : obstacle.states) states.push_back(&state);
    std::stable_sort(states.begin(), states.end(),
                     [](const auto* a, const auto* b) { return a->step < b->step; });
    std::vector<std::pair<std::size_t, Pose>> out;
    double heading = 0;
    for (const auto* state : states) {
      const auto step = static_cast<std::size_t>(state->step);
      if (!out.empty() && out.back().first == step) {
        lose("second state of a time step");
        continue;
      }
      out.emplace_back(step, pose_of(obstacle, *state, heading));
    }
    if (!obstacle.is_static) return out;
    const auto only = out.front().second;
    out.clear();
    for (std::size_t step = 0; step < frames(); ++step) out.emplace_back(step, only);
    return out;
  }

  /// @param heading  of the state before, which is replaced by this state's
  Pose pose_of(const Obstacle& obstacle, const State& state, double& heading) {
    const double along = state.velocity.value_or(0),
                 across = state.velocity_y.value_or(0);
    if (state.occupied) {
      lose("velocity that is unknown");
      heading = state.occupied->heading_rad;
      return {*state.occupied, {}};
    }
    // Without a heading, both velocities are those of a point mass, along x and y.
    const bool is_point_mass = !state.heading_rad && state.velocity_y;
    if (is_point_mass) {
      heading = std::atan2(across, along);
    } else if (state.heading_rad) {
      heading = *state.heading_rad;
    } else {
      lose("heading that is unknown");
    }
    if (!state.velocity && !obstacle.is_static) lose("velocity that is unknown");
    const auto [sin, cos] = geom::sincos(heading);
    const auto& [centre, length, width, turned] = obstacle.shape;
    Pose out;
    out.box = {{state.position.x + centre.x * cos - centre.y * sin,
                state.position.y + centre.x * sin + centre.y * cos},
               length,
               width,
               heading + turned};
    out.velocity = is_point_mass ? geom::Vec2{along, across}
                                 : geom::Vec2{along * cos - across * sin,
                                              along * sin + across * cos};
    return out;
  }

  void set_ego() {
    if (!options_.ego.empty()) return follow_ego();
    EgoPose pose;
    if (!file_.problems.empty()) {
      const auto& start = file_.problems.front().start;
      pose = {{start.position.x, start.position.y, 0}, start.heading_rad.value_or(0)};
      ego_name_ = "planning problem " + std::to_string(file_.problems.front().id);
      out_.repeated_ego_poses = frames() - 1;
      lose("further planning problem", file_.problems.size() - 1);
    } else {
      pose.position = middle();
      ego_name_ = "none";
      out_.repeated_ego_poses = frames();
    }
    out_.ego.assign(frames(), pose);
  }

  /// Returns the middle of all obstacles; without them, that of all lanes.
  geom::Vec3 middle() const {
    map::Box box;
    for (const auto& obstacle : file_.obstacles) {
      for (const auto& state : obstacle.states) {
        box.add(geom::Vec3{state.position.x, state.position.y, 0});
      }
    }
    if (box.empty()) {
      for (const auto& lane : file_.map.lanes) {
        for (const auto& p : lane.centre) box.add(p);
      }
    }
    if (box.empty()) return {};
    return {(box.min_x + box.max_x) / 2, (box.min_y + box.max_y) / 2, 0};
  }

  /// Sets the poses of the obstacle that is the ego vehicle; frames without one repeat the
  /// nearest, the earlier of two.
  void follow_ego() {
    for (const auto& obstacle : file_.obstacles) {
      if (std::to_string(obstacle.id) == options_.ego) ego_ = &obstacle;
    }
    if (ego_ == nullptr) {
      std::vector<std::string> ids;
      for (const auto& one : file_.obstacles) ids.push_back(std::to_string(one.id));
      fail_ego("obstacle", options_.ego, ids);
    }
    ego_name_ = "obstacle " + options_.ego;
    lose("planning problem", file_.problems.size());
    const auto poses = poses_of(*ego_);
    std::vector<std::size_t> steps;
    for (const auto& [step, pose] : poses) steps.push_back(step);
    const auto nearest = nearest_steps(steps, frames());
    for (std::size_t step = 0; step < frames(); ++step) {
      const auto& [at, pose] = poses[nearest[step]];
      if (at != step) ++out_.repeated_ego_poses;
      const auto& [x, y] = pose.box.centre;
      out_.ego.push_back({{x, y, 0}, pose.box.heading_rad});
    }
  }

  const std::pair<const std::string, ObjectType>& type_of(
      const Obstacle& obstacle) const {
    const auto found = tables_.types.find(obstacle.type);
    if (found != tables_.types.end()) return *found;
    fail(Errc::invalid_metadata,
         {"scenario: obstacle ", obstacle.id, ": unknown type (found \"", obstacle.type,
          "\"); add it to the tables"});
  }

  void add_track(const Obstacle& obstacle) {
    const auto& [type, object] = type_of(obstacle);
    Track track;
    track.name = std::to_string(obstacle.id);
    track.object_type = type;
    track.track_id = static_cast<std::uint64_t>(obstacle.id);
    track.label = object.label;
    track.begin = out_.states.size();
    for (const auto& [step, pose] : poses_of(obstacle)) {
      add_state(step, pose, object.extent);
    }
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  void add_state(std::size_t step, const Pose& pose,
                 const std::array<float, 3>& usual) {
    auto& states = out_.states;
    if (states.size() == waymo::Limits().states) {
      fail(Errc::limit_exceeded, {"scenario: too many states"});
    }
    const auto& box = pose.box;
    const auto centre = cell_.frame().moved({box.centre.x, box.centre.y, 0});
    cell_.check_reach(centre.x, centre.y);
    states.step.push_back(static_cast<std::uint32_t>(step));
    states.position.push_back({centre.x, centre.y});
    states.yaw.push_back(static_cast<float>(box.heading_rad));
    states.velocity.push_back(
        {static_cast<float>(pose.velocity.x), static_cast<float>(pose.velocity.y)});
    const bool has_extent = box.length > 0 && box.width > 0;
    if (!has_extent) lose("state without extent");
    states.extent.push_back(has_extent
                                ? std::array{static_cast<float>(box.length),
                                             static_cast<float>(box.width), usual[2]}
                                : usual);
  }

  /// Adds the faces of every frame. All are inactive if the light is off or in a phase
  /// without a colour, and unknown without a cycle.
  void add_lights() {
    if (file_.lights.size() * frames() > waymo::Limits().states) {
      fail(Errc::limit_exceeded, {"scenario: too many states of traffic lights"});
    }
    if (!file_.lights.empty()) out_.faces.resize(frames());
    for (auto& light : file_.lights) {
      using map::Colour;
      const auto id = light.source.id;
      light.source.id = id + "/l";
      light.source.faces = {{id + "/r", Colour::red},
                            {id + "/y", Colour::yellow},
                            {id + "/g", Colour::green}};
      if ((cell_.frame().prefix + light.source.id).size() > kMaxFaceName) {
        fail(Errc::limit_exceeded,
             {"scenario: traffic light ", id, ": id too long for a face"});
      }
      std::int64_t cycle = 0;
      for (const auto& [steps, lit] : light.phases) cycle += steps;
      if (cycle == 0 || !light.is_active) {
        for (auto& faces : out_.faces) add_faces(light, {}, faces);
        continue;
      }
      auto phase = light.phases.begin();
      auto into =
          (cycle - light.offset % cycle) % cycle;  // steps since the cycle began
      for (auto& faces : out_.faces) {
        while (into >= phase->first) {
          into -= phase->first;
          if (++phase == light.phases.end()) phase = light.phases.begin();
        }
        add_faces(light, phase->second, faces);
        ++into;
      }
    }
  }

  void add_faces(const Light& light, const std::array<bool, 3>& lit,
                 std::vector<scene::Face>& out) const {
    const auto& prefix = cell_.frame().prefix;
    const bool is_unknown = light.phases.empty() && light.is_active;
    for (std::size_t i = 0; i < lit.size(); ++i) {
      const float is_active = lit[i] ? 1.F : 0.F;
      out.push_back(
          {prefix + light.source.faces[i].id, prefix + light.source.id, {0, 0, 1}});
      if (!is_unknown)
        out.back().traffic_light_face_status = {is_active, 1 - is_active, 0};
    }
  }

  void add_map() {
    auto map = std::move(file_.map);
    std::map<std::string, const Light*> lights;
    for (const auto& light : file_.lights) {
      const auto& id = light.source.id;
      lights[id.substr(0, id.size() - 2)] = &light;
      map.lights.push_back(light.source);
    }
    for (const auto& [lane, light] : file_.lane_lights) {
      const auto found = lights.find(light);
      if (found == lights.end()) {
        lose("traffic light that the file lacks");
        continue;
      }
      for (const auto& face : found->second->source.faces) {
        map.lanes[lane].faces.push_back(face.id);
      }
    }
    cell_.move(map);
    out_.map = std::move(map);
  }

  void set_attributes() {
    auto out = json_of(file_.attributes);
    out["scenario_id"] = out_.id;
    out["ego"] = ego_name_;
    if (ego_ != nullptr) {
      out["ego_track_id"] = ego_->id;
      out["ego_extent"] = {ego_->shape.length, ego_->shape.width,
                           type_of(*ego_).second.extent[2]};
    } else {
      out[scene::VirtualEgos::kName] = true;
    }
    for (const auto& [id, start, last] : file_.problems) {
      out["planning_problems"].push_back(
          {{"id", id},
           {"position", {start.position.x, start.position.y}},
           {"heading", start.heading_rad.value_or(0)},
           {"velocity", start.velocity.value_or(0)},
           {"last_step", last}});
    }
    const auto& frame = cell_.frame();
    if (options_.place) out["moved_by"] = {frame.dx, frame.dy};
    out_.attributes = out.dump(-1, ' ', true);
  }

  File file_;
  const Tables& tables_;
  const ImportOptions& options_;
  MapCell cell_;
  const Obstacle* ego_ = nullptr;
  std::string ego_name_;
  Scenario out_;
};

}  // namespace
}  // namespace commonroad

Scenario import_commonroad(std::string_view xml, const Tables& tables,
                           const ImportOptions& options) {
  return commonroad::CommonroadImporter(commonroad::parse(xml), tables, options).run();
}

}  // namespace bev::convert
