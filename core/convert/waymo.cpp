#include "core/convert/waymo.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>
#include <unordered_map>
#include <unordered_set>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/convert/map_cell.hpp"
#include "core/convert/nearest_steps.hpp"
#include "core/convert/waymo_map.hpp"
#include "core/convert/waymo_message.hpp"

namespace bev::convert {
namespace {

constexpr double kFarthestStateM = 1e7;
constexpr double kMaxTimeS = 9e9;  // of int64 nanoseconds
constexpr std::size_t kMaxFaceId = 16;

constexpr const char* kTypes[] = {"unset", "vehicle", "pedestrian", "cyclist", "other"};

[[noreturn]] void invalid_scenario(Message problem) {
  fail(Errc::invalid_metadata, {"scenario: ", joined(problem)});
}

/// A light's colour, absent if unknown, and what L5Kit's faces cannot tell.
struct Signal {
  std::optional<map::Colour> colour;
  const char* lost = nullptr;
};

Signal signal_of(std::uint64_t state) {
  using map::Colour;
  switch (state) {
    case 0: return {};
    case 1: return {Colour::red, "arrow of a light state"};
    case 2: return {Colour::yellow, "arrow of a light state"};
    case 3: return {Colour::green, "arrow of a light state"};
    case 4: return {Colour::red};
    case 5: return {Colour::yellow};
    case 6: return {Colour::green};
    case 7: return {Colour::red, "flashing of a light state"};
    case 8: return {Colour::yellow, "flashing of a light state"};
    default: return {std::nullopt, "unknown light state"};
  }
}

std::string track_name(const waymo::Track& track) {
  return track.name.empty() ? std::to_string(track.id) : track.name;
}

/// Returns the id in the records of a track's id in the message.
std::uint64_t number_of(std::int64_t id) {
  if (id >= 0) return static_cast<std::uint64_t>(id);
  return (std::uint64_t{1} << 63U) + static_cast<std::uint64_t>(-1 - id);
}

class Importer {
 public:
  Importer(const waymo::Message& source, const Tables& tables,
           const ImportOptions& options)
      : source_(source), tables_(tables), options_(options) {}

  Scenario run() {
    out_.id = source_.id;
    out_.host = source_.host;
    out_.lost = source_.lost;
    out_.corrected = source_.corrected;
    set_times();
    check_indices();
    set_ego();
    const auto now = static_cast<std::size_t>(source_.current_time_index);
    cell_ = MapCell(options_.place, out_.ego[now].position);
    frame_ = cell_.frame();
    if (!source_.feature_names.empty()) frame_.names = &source_.feature_names;
    for (auto& pose : out_.ego) {
      pose.position = frame_.moved(pose.position);
      cell_.check_reach(pose.position.x, pose.position.y);
    }
    set_roles();
    out_.states.reserve(valid_states());
    for (std::size_t i = 0; i < source_.tracks.size(); ++i) {
      if (static_cast<std::int64_t>(i) != source_.ego_index) add_track(i);
    }
    add_lights();
    if (options_.with_map) add_map();
    lose("lidar frame", source_.lidar_frames);
    lose("camera token frame", source_.camera_frames);
    lose("agent height above ground", out_.states.size());
    set_attributes();
    return std::move(out_);
  }

 private:
  void lose(const char* what, std::uint64_t count = 1) {
    if (count > 0) out_.lost[what] += count;
  }

  std::int64_t frames() const { return std::ssize(source_.times_s); }

  void set_times() {
    if (source_.times_s.empty()) invalid_scenario({"no timestamps_seconds"});
    for (const double seconds : source_.times_s) {
      if (!(std::abs(seconds) <= kMaxTimeS)) {
        invalid_scenario(
            {"timestamp ", out_.times_ns.size(), " is not a time in seconds"});
      }
      const auto time = add_or_throw(
          source_.start_ns, static_cast<std::int64_t>(std::floor(seconds * 1e9 + 0.5)),
          "scenario: times");
      if (!out_.times_ns.empty() && time <= out_.times_ns.back()) {
        invalid_scenario(
            {"timestamp ", out_.times_ns.size(), " is not after the one before"});
      }
      out_.times_ns.push_back(time);
    }
    out_.start_ns = out_.times_ns.front();
    out_.end_ns = out_.times_ns.back();
  }

  void check_indices() const {
    const auto tracks = std::ssize(source_.tracks);
    const auto check = [](const char* name, std::int64_t index, std::int64_t count) {
      if (index >= 0 && index < count) return;
      invalid_scenario(
          {name, " is outside (found ", index, ", expected 0 to ", count - 1, ")"});
    };
    check("sdc_track_index", source_.ego_index, tracks);
    check("current_time_index", source_.current_time_index, frames());
    for (const auto& one : source_.predictions) {
      check("track_index of tracks_to_predict", one.track_index, tracks);
    }
    const auto steps = std::ssize(source_.lane_states);
    if (steps != 0 && steps != frames()) {
      invalid_scenario({"dynamic_map_states: wrong length (found ", steps,
                        ", expected ", frames(), ")"});
    }
    std::unordered_set<std::int64_t> ids;
    for (const auto& track : source_.tracks) {
      if (track.id < 0 && track.name.empty())
        invalid_scenario({"track id is negative (found ", track.id, ")"});
      if (!ids.insert(track.id).second) {
        invalid_scenario({"track id is not unique (found ", track.id, ")"});
      }
      if (std::ssize(track.states) == frames()) continue;
      invalid_scenario({"track ", track_name(track), ": wrong number of states (found ",
                        track.states.size(), ", expected ", frames(), ")"});
    }
  }

  /// Throws for a state with values that are not finite.
  static void check_state(const waymo::Track& track, std::size_t step) {
    const auto& s = track.states[step];
    const double values[] = {s.centre.x, s.centre.y,   s.centre.z,   s.length, s.width,
                             s.height,   s.velocity_x, s.velocity_y, s.heading};
    bool is_valid = true;
    for (const double value : values) is_valid &= std::abs(value) <= kFarthestStateM;
    if (is_valid) return;
    invalid_scenario({"track ", track_name(track), ", step ", step,
                      ": a value is not a finite number below 1e7"});
  }

  /// Sets the ego poses; frames without one repeat the nearest, the earlier of two.
  void set_ego() {
    const auto& track = source_.tracks[static_cast<std::size_t>(source_.ego_index)];
    std::vector<std::size_t> valid;
    for (std::size_t i = 0; i < track.states.size(); ++i) {
      if (track.states[i].is_valid) valid.push_back(i);
    }
    if (valid.empty()) invalid_scenario({"the ego vehicle has no valid state"});
    const auto nearest = nearest_steps(valid, track.states.size());
    for (std::size_t step = 0; step < track.states.size(); ++step) {
      const auto from = valid[nearest[step]];
      check_state(track, from);
      if (from != step) ++out_.repeated_ego_poses;
      out_.ego.push_back({track.states[from].centre, track.states[from].heading});
    }
  }

  void set_roles() {
    const std::unordered_set<std::int64_t> interesting(
        source_.objects_of_interest.begin(), source_.objects_of_interest.end());
    for (const auto& one : source_.predictions) {
      const auto row = static_cast<std::size_t>(one.track_index);
      const bool is_focal = interesting.contains(source_.tracks[row].id);
      roles_[row] = is_focal ? Role::focal : Role::scored;
    }
    if (roles_.contains(static_cast<std::size_t>(source_.ego_index))) {
      lose("prediction of the ego vehicle");
    }
  }

  std::size_t valid_states() const {
    std::size_t count = 0;
    for (const auto& track : source_.tracks)
      for (const auto& state : track.states) count += state.is_valid ? 1 : 0;
    return count;
  }

  void add_track(std::size_t row) {
    const auto& source = source_.tracks[row];
    if (source.type >= std::size(kTypes)) {
      invalid_scenario({"track ", source.id, ": unknown type (found ", source.type,
                        ", expected 0 to 4)"});
    }
    const std::string name =
        source.type_name.empty() ? kTypes[source.type] : source.type_name;
    const auto type = tables_.types.find(name);
    if (type == tables_.types.end()) {
      invalid_scenario({"track ", track_name(source), ": the tables lack type ", name});
    }
    Track track;
    track.name = track_name(source);
    track.object_type = type->first;
    track.track_id = number_of(source.id);
    track.label = type->second.label;
    const auto role = roles_.find(row);
    track.role = role == roles_.end() ? Role::fragment : role->second;
    track.begin = out_.states.size();
    for (std::size_t step = 0; step < source.states.size(); ++step) {
      if (source.states[step].is_valid) add_state(source, step, type->second);
    }
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  void add_state(const waymo::Track& track, std::size_t step, const ObjectType& type) {
    check_state(track, step);
    const auto& s = track.states[step];
    const auto centre = frame_.moved(s.centre);
    cell_.check_reach(centre.x, centre.y);
    auto& states = out_.states;
    states.step.push_back(static_cast<std::uint32_t>(step));
    states.position.push_back({centre.x, centre.y});
    states.yaw.push_back(static_cast<float>(s.heading));
    states.velocity.push_back({s.velocity_x, s.velocity_y});
    const bool has_extent = s.length > 0 && s.width > 0 && s.height > 0;
    if (!has_extent) lose("state without extent");
    states.extent.push_back(
        has_extent ? std::array<float, 3>{s.length, s.width, s.height} : type.extent);
  }

  /// Names of lanes that are too long for a face's id are replaced by their rows.
  std::string face_id(std::int64_t lane, const char* end) const {
    auto id = frame_.id(lane) + end;
    if (id.size() > kMaxFaceId && frame_.names != nullptr) {
      id = frame_.prefix + "#" + std::to_string(lane) + end;
    }
    if (id.size() > kMaxFaceId) {
      fail(Errc::limit_exceeded,
           {"scenario: lane ", lane, ": id too long for a face (found ", id.size(),
            " characters, expected at most ", kMaxFaceId, ")"});
    }
    return id;
  }

  void add_lights() {
    out_.faces.resize(source_.lane_states.size());
    for (std::size_t step = 0; step < source_.lane_states.size(); ++step) {
      std::unordered_set<std::int64_t> seen;
      for (const auto& state : source_.lane_states[step]) {
        if (!seen.insert(state.lane).second) {
          invalid_scenario(
              {"step ", step, ": two light states of lane ", frame_.id(state.lane)});
        }
        add_faces(state, out_.faces[step]);
      }
    }
  }

  void add_faces(const waymo::LaneState& state, std::vector<scene::Face>& out) {
    using map::Colour;
    constexpr std::pair<Colour, const char*> kFaces[] = {
        {Colour::red, "/r"}, {Colour::yellow, "/y"}, {Colour::green, "/g"}};
    const auto signal = signal_of(state.state);
    if (signal.lost != nullptr) lose(signal.lost);
    const auto [found, is_new] = light_rows_.emplace(state.lane, lights_.size());
    if (is_new) {
      SourceLight light;
      light.id = face_id(state.lane, "/l");
      for (const auto& [colour, end] : kFaces) {
        light.faces.push_back({face_id(state.lane, end), colour});
      }
      lights_.push_back(std::move(light));
    }
    auto& light = lights_[found->second];
    set_position(light, state);
    for (const auto& face : light.faces) {
      const bool is_active = signal.colour == face.colour;
      out.push_back({face.id, light.id, {0, 0, 1}});
      if (signal.colour) {
        out.back().traffic_light_face_status = {is_active ? 1.F : 0.F,
                                                is_active ? 0.F : 1.F, 0};
      }
    }
  }

  /// Sets a light's position, its first stop point.
  void set_position(SourceLight& light, const waymo::LaneState& state) {
    if (!state.stop_point) return;
    const auto p = frame_.moved(*state.stop_point);
    for (const double metres : {p.x, p.y, p.z}) {
      if (std::abs(metres) <= kFarthestStateM) continue;
      invalid_scenario({"lane ", frame_.id(state.lane),
                        ": the stop point is not a finite position"});
    }
    if (!light.position) {
      light.position = p;
    } else if (!(*light.position == p)) {
      lose("further stop point");
    }
  }

  void add_map() {
    auto found = waymo_map(source_.features, tables_, frame_);
    std::unordered_map<std::string, std::size_t> rows;
    for (std::size_t i = 0; i < found.map.lanes.size(); ++i) {
      const auto& lane = found.map.lanes[i];
      rows[lane.id] = i;
      for (const auto* side : {&lane.left, &lane.right}) {
        for (const auto& p : *side) cell_.check_reach(p.x, p.y);
      }
    }
    for (const auto& crosswalk : found.map.crosswalks) {
      for (const auto& p : crosswalk.outline) cell_.check_reach(p.x, p.y);
    }
    for (const auto& [lane, light] : light_rows_) {
      const auto row = rows.find(frame_.id(lane));
      if (row == rows.end()) {
        lose("light of a lane that the map lacks");
        continue;
      }
      for (const auto& face : lights_[light].faces) {
        found.map.lanes[row->second].faces.push_back(face.id);
      }
    }
    found.map.lights = lights_;
    sides_from_width_ = std::move(found.sides_from_width);
    out_.map = std::move(found.map);
  }

  void set_attributes() {
    auto out = json_of(source_.attributes);
    out["scenario_id"] = out_.id;
    if (source_.has_current_time) out["anchor_frame"] = source_.current_time_index;
    auto& interesting = out["objects_of_interest"] = nlohmann::json::array();
    for (const auto id : source_.objects_of_interest) {
      interesting.push_back(number_of(id));
    }
    for (const auto& track : source_.tracks) {
      if (track.id >= 0) continue;
      out["track_names"][std::to_string(number_of(track.id))] = track.name;
    }
    auto& scored = out["scored"] = nlohmann::json::array();
    auto& difficulty = out["difficulty"] = nlohmann::json::object();
    for (const auto& one : source_.predictions) {
      const auto& track = source_.tracks[static_cast<std::size_t>(one.track_index)];
      difficulty[std::to_string(number_of(track.id))] = one.difficulty;
      if (one.track_index != source_.ego_index) scored.push_back(number_of(track.id));
    }
    const auto& ego = source_.tracks[static_cast<std::size_t>(source_.ego_index)];
    out["ego_track_id"] = number_of(ego.id);
    const auto& now = ego.states[static_cast<std::size_t>(source_.current_time_index)];
    if (now.is_valid) out["ego_extent"] = {now.length, now.width, now.height};
    if (options_.place) out["moved_by"] = {frame_.dx, frame_.dy};
    if (options_.with_map) out["lane_sides_from_width"] = sides_from_width_;
    out_.attributes = out.dump(-1, ' ', true);
  }

  const waymo::Message& source_;
  const Tables& tables_;
  const ImportOptions& options_;
  WaymoFrame frame_;
  MapCell cell_;
  std::unordered_map<std::size_t, Role> roles_;
  std::vector<SourceLight> lights_;
  std::unordered_map<std::int64_t, std::size_t> light_rows_;
  std::vector<std::string> sides_from_width_;
  Scenario out_;
};

}  // namespace

Scenario import_waymo(std::string_view record, const Tables& tables,
                      const ImportOptions& options) {
  return import_message(waymo::parse_message(record), tables, options);
}

Scenario import_message(const waymo::Message& source, const Tables& tables,
                        const ImportOptions& options) {
  return Importer(source, tables, options).run();
}

}  // namespace bev::convert
