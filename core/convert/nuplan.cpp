#include "core/convert/nuplan.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/geo_package.hpp"
#include "core/convert/nearest_steps.hpp"
#include "core/geom/trig.hpp"

namespace bev::convert {
namespace {

using nuplan::Box;

constexpr double kFarthestBoxM = 1e7;
constexpr double kMaxSizeM = 1000;
constexpr std::int64_t kIntervalUs = 100'000;
constexpr std::size_t kMaxFaceName = 16;
constexpr std::size_t kHostPoints = 16;
// Pacifica, and the way from its rear axle to its centre.
// Reference  nuplan-devkit, common/actor_state/vehicle_parameters.py
constexpr double kEgoExtent[] = {5.176, 2.297, 1.777};
constexpr double kEgoCentreAheadM = 1.461;

std::string hex_of(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

/// Returns a token of up to eight bytes as a number.
std::optional<std::uint64_t> number_of_token(std::string_view token) {
  if (token.size() > sizeof(std::uint64_t)) return std::nullopt;
  std::uint64_t out = 0;
  for (const char c : token) out = out << 8U | static_cast<unsigned char>(c);
  return out;
}

/// Replaces what is not printable ASCII, so that texts of a file are valid in JSON.
std::string printable_of(std::string_view text) {
  std::string out(text);
  for (auto& c : out) {
    if (c < ' ' || c > '~') c = '?';
  }
  return out;
}

double yaw_of(const std::array<double, 4>& q) {
  const auto [w, x, y, z] = q;
  return geom::atan2(2 * (w * z + x * y), w * w + x * x - y * y - z * z);
}

/// Returns the sweeps of a scene that become frames.
std::vector<std::uint32_t> frames_of(const nuplan::Log& log, std::size_t scene,
                                     bool all_sweeps) {
  const auto& sweeps = log.scenes()[scene].sweeps;
  if (all_sweeps || log.interval_us() <= 0) return sweeps;
  const auto step = static_cast<std::size_t>(std::max<std::int64_t>(
      (kIntervalUs + log.interval_us() / 2) / log.interval_us(), 1));
  std::vector<std::uint32_t> out;
  for (std::size_t i = 0; i < sweeps.size(); i += step) out.push_back(sweeps[i]);
  return out;
}

class NuplanImporter {
 public:
  NuplanImporter(nuplan::Log& log, std::size_t scene, const Tables& tables,
                 const NuplanOptions& options)
      : log_(log),
        source_(log.scenes()[scene]),
        tables_(tables),
        options_(options),
        sweeps_(frames_of(log, scene, options.all_sweeps)) {}

  Scenario run() {
    // First all that may be missing, after which this is run again.
    static_cast<void>(log_.boxes(sweeps_));
    static_cast<void>(log_.lights(sweeps_));
    static_cast<void>(log_.tags(source_.sweeps));
    out_.id = hex_of(source_.token);
    out_.host = printable_of(log_.location()).substr(0, kHostPoints);
    for (const auto sweep : sweeps_) {
      out_.times_ns.push_back(log_.sweeps()[sweep].time_us * 1000);
    }
    out_.start_ns = out_.times_ns.front();
    out_.end_ns = out_.times_ns.back();
    set_ego();
    add_tracks();
    add_lights();
    if (options_.map != nullptr) add_map();
    set_attributes();
    return std::move(out_);
  }

 private:
  [[noreturn]] static void invalid_log(Message problem) {
    fail(Errc::invalid_metadata, {"log: ", joined(problem)});
  }

  void lose(const char* what, std::uint64_t count = 1) {
    if (count > 0) out_.lost[what] += count;
  }

  double checked(double value, double limit, const char* what) const {
    if (std::abs(value) <= limit) return value;
    invalid_log({what, ": too large a number"});
  }

  void set_origin(const nuplan::EgoState& first) {
    epsg_ = first.epsg;
    const auto city = tables_.cities.find(log_.location());
    if (city == tables_.cities.end()) {
      if (options_.map != nullptr) {
        fail(Errc::not_found, {"log: the tables lack city ", log_.location()});
      }
      const auto pose = log_.egos(std::vector<std::uint32_t>{0}).front();
      const auto& from = pose.is_found ? pose : first;
      dx_ = -std::floor(from.position[0] / 1000) * 1000;
      dy_ = -std::floor(from.position[1] / 1000) * 1000;
      return;
    }
    frame_ = city->second;
    const auto origin = geom::utm_from_geodetic(
        frame_.lat_e7 / 1e7, frame_.lng_e7 / 1e7, utm_zone_of(epsg_));
    dx_ = -std::floor(origin.x);
    dy_ = -std::floor(origin.y);
  }

  /// Sets the ego poses; frames without one repeat the nearest, the earlier of two.
  void set_ego() {
    const auto states = log_.egos(sweeps_);  // a copy: set_origin() asks for others
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < states.size(); ++i) {
      if (states[i].is_found) found.push_back(i);
    }
    if (found.empty()) invalid_log({"no pose of the ego vehicle"});
    set_origin(states[found.front()]);
    const auto nearest = nearest_steps(found, states.size());
    for (std::size_t i = 0; i < states.size(); ++i) {
      const auto& state = states[found[nearest[i]]];
      if (found[nearest[i]] != i) ++out_.repeated_ego_poses;
      if (state.epsg != epsg_) invalid_log({"poses in two zones"});
      const auto& [x, y, z] = state.position;
      out_.ego.push_back({{checked(x, kFarthestBoxM, "ego_pose") + dx_,
                           checked(y, kFarthestBoxM, "ego_pose") + dy_,
                           checked(z, kFarthestBoxM, "ego_pose")},
                          yaw_of(state.quaternion)});
      for (const double part : state.quaternion) checked(part, 2, "ego_pose");
    }
  }

  void add_tracks() {
    const auto& boxes = log_.boxes(sweeps_);
    std::unordered_map<std::string, std::size_t> rows;
    std::vector<std::vector<const Box*>> tracks;
    for (const auto& box : boxes) {
      const auto [found, is_new] = rows.emplace(box.track, tracks.size());
      if (is_new) tracks.emplace_back();
      tracks[found->second].push_back(&box);
    }
    for (auto& track : tracks) add_track(track);
    lose("agent height above ground", out_.states.size());
  }

  void add_track(std::vector<const Box*>& boxes) {
    std::stable_sort(boxes.begin(), boxes.end(),
                     [](const Box* a, const Box* b) { return a->sweep < b->sweep; });
    const auto& token = boxes.front()->track;
    const auto category = log_.categories().find(token);
    if (category == log_.categories().end()) {
      invalid_log({"track ", hex_of(token), " is not in table track"});
    }
    const auto type = tables_.types.find(category->second);
    if (type == tables_.types.end()) {
      invalid_log({"unknown category (found \"", printable_of(category->second),
                   "\"); add it to the tables"});
    }
    Track track;
    track.name = hex_of(token);
    track.object_type = type->first;
    const auto number = number_of_token(token);
    track.track_id = number ? *number : (std::uint64_t{1} << 63U) + unnumbered_++;
    if (!number) names_[std::to_string(track.track_id)] = track.name;
    track.label = type->second.label;
    track.begin = out_.states.size();
    for (const auto* box : boxes) {
      auto& states = out_.states;
      if (states.size() > track.begin && states.step.back() == box->sweep) {
        invalid_log({"track ", track.name, ": two boxes in sweep ", box->sweep});
      }
      add_state(*box, type->second);
    }
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  void add_state(const Box& box, const ObjectType& type) {
    auto& states = out_.states;
    const auto real = [&](double value, double limit) {
      return static_cast<float>(checked(value, limit, "lidar_box"));
    };
    states.step.push_back(box.sweep);
    states.position.push_back(
        {checked(box.position[0], kFarthestBoxM, "lidar_box") + dx_,
         checked(box.position[1], kFarthestBoxM, "lidar_box") + dy_});
    states.yaw.push_back(real(box.yaw, kMaxSizeM));
    states.velocity.push_back(
        {real(box.velocity[0], kMaxSizeM), real(box.velocity[1], kMaxSizeM)});
    std::array<float, 3> extent{};
    bool has_extent = true;
    for (std::size_t i = 0; i < extent.size(); ++i) {
      extent[i] = real(box.extent[i], kMaxSizeM);
      has_extent &= extent[i] > 0;
    }
    if (!has_extent) lose("state without extent");
    states.extent.push_back(has_extent ? extent : type.extent);
  }

  static std::string face_name(std::int64_t connector, const char* end) {
    auto out = std::to_string(connector) + end;
    if (out.size() > kMaxFaceName) {
      fail(Errc::limit_exceeded,
           {"lane connector ", connector, ": id too long for a face (found ",
            out.size(), " characters, expected at most ", kMaxFaceName, ")"});
    }
    return out;
  }

  void add_lights() {
    using map::Colour;
    constexpr std::pair<Colour, const char*> kFaces[] = {
        {Colour::red, "/r"}, {Colour::yellow, "/y"}, {Colour::green, "/g"}};
    constexpr std::pair<const char*, Colour> kStates[] = {
        {"red", Colour::red}, {"yellow", Colour::yellow}, {"green", Colour::green}};
    const auto& rows = log_.lights(sweeps_);
    out_.faces.resize(rows.empty() ? 0 : sweeps_.size());
    std::vector<std::unordered_map<std::int64_t, bool>> seen(out_.faces.size());
    for (const auto& row : rows) {
      if (!seen[row.sweep].emplace(row.connector, true).second) {
        lose("second light state of a connector");
        continue;
      }
      auto& light = lights_[row.connector];
      if (light.faces.empty()) {
        light.id = face_name(row.connector, "/l");
        for (const auto& [colour, end] : kFaces) {
          light.faces.push_back({face_name(row.connector, end), colour});
        }
      }
      std::optional<Colour> colour;
      for (const auto& [name, known] : kStates) {
        if (row.status == name) colour = known;
      }
      if (!colour && row.status != "unknown") lose("unknown light state");
      for (const auto& face : light.faces) {
        const bool is_active = colour == face.colour;
        out_.faces[row.sweep].push_back({face.id, light.id, {0, 0, 1}});
        if (!colour) continue;
        out_.faces[row.sweep].back().traffic_light_face_status = {
            is_active ? 1.F : 0.F, is_active ? 0.F : 1.F, 0};
      }
    }
  }

  void add_map() {
    if (options_.map->epsg() != epsg_) {
      invalid_log({"zone EPSG:", epsg_,
                   " is not that of the map (EPSG:", options_.map->epsg(), ")"});
    }
    UtmArea area = {kFarthestBoxM, -kFarthestBoxM, kFarthestBoxM, -kFarthestBoxM};
    for (const auto& pose : out_.ego) {
      const double x = pose.position.x - dx_, y = pose.position.y - dy_;
      area = {
          std::min(area[0], x - kNuplanReachM), std::max(area[1], x + kNuplanReachM),
          std::min(area[2], y - kNuplanReachM), std::max(area[3], y + kNuplanReachM)};
    }
    auto map = options_.map->within(area, dx_, dy_);
    map.frame = frame_;
    std::unordered_map<std::string, SourceLane*> lanes;
    for (auto& lane : map.lanes) lanes[lane.id] = &lane;
    for (auto& [connector, light] : lights_) {
      light.position = options_.map->start_of(connector, dx_, dy_);
      map.lights.push_back(light);
      const auto lane = lanes.find(NuplanMap::connector_id(connector));
      if (lane == lanes.end()) {
        lose("light of a lane that the map lacks");
        continue;
      }
      for (const auto& face : light.faces) lane->second->faces.push_back(face.id);
    }
    out_.map = std::move(map);
  }

  void set_attributes() {
    nlohmann::json out = {{"scenario_id", out_.id},
                          {"scene", printable_of(source_.name)},
                          {"log", printable_of(log_.name())},
                          {"vehicle", printable_of(log_.vehicle())},
                          {"city", printable_of(log_.location())},
                          {"map_version", printable_of(log_.map_version())},
                          {"epsg", epsg_},
                          {"moved_by", {dx_, dy_}},
                          {"ego_extent", kEgoExtent},
                          {"ego_centre_ahead_m", kEgoCentreAheadM}};
    if (!source_.roadblocks.empty()) {
      out["roadblock_ids"] = printable_of(source_.roadblocks);
    }
    for (const auto& [id, name] : names_) out["track_names"][id] = name;
    // Tags name any sweep: those between two frames belong to the first.
    std::map<std::string, std::set<std::ptrdiff_t>> tags;
    for (const auto& tag : log_.tags(source_.sweeps)) {
      const auto sweep = source_.sweeps[tag.sweep];
      const auto frame = std::upper_bound(sweeps_.begin(), sweeps_.end(), sweep);
      tags[printable_of(tag.type)].insert(frame - sweeps_.begin() - 1);
    }
    out["tags"] = tags;
    out_.attributes = out.dump(-1, ' ', true);
  }

  nuplan::Log& log_;
  const nuplan::Scene& source_;
  const Tables& tables_;
  const NuplanOptions& options_;
  std::vector<std::uint32_t> sweeps_;
  std::int64_t epsg_ = 0;
  double dx_ = 0, dy_ = 0;
  map::RawFrame frame_;
  std::map<std::int64_t, SourceLight> lights_;
  std::map<std::string, std::string> names_;
  std::uint64_t unnumbered_ = 0;
  Scenario out_;
};

}  // namespace

std::vector<NuplanScene> nuplan_scenes(const nuplan::Log& log,
                                       const NuplanOptions& options) {
  std::vector<NuplanScene> out;
  for (std::size_t i = 0; i < log.scenes().size(); ++i) {
    const auto& scene = log.scenes()[i];
    const auto frames = frames_of(log, i, options.all_sweeps);
    out.push_back({scene.name.empty() ? hex_of(scene.token) : printable_of(scene.name),
                   log.sweeps()[frames.front()].time_us * 1000,
                   log.sweeps()[frames.back()].time_us * 1000, frames.size()});
  }
  return out;
}

std::vector<std::vector<std::string>> nuplan_tags(nuplan::Log& log) {
  std::vector<std::uint32_t> all(log.sweeps().size());
  std::iota(all.begin(), all.end(), 0U);
  std::vector<std::set<std::string>> found(log.scenes().size());
  for (const auto& tag : log.tags(all)) {
    found[log.sweeps()[tag.sweep].scene].insert(printable_of(tag.type));
  }
  std::vector<std::vector<std::string>> out;
  for (const auto& tags : found) out.emplace_back(tags.begin(), tags.end());
  return out;
}

Scenario import_nuplan(nuplan::Log& log, std::size_t scene, const Tables& tables,
                       const NuplanOptions& options) {
  if (scene >= log.scenes().size()) fail_index({"scene "}, scene, log.scenes().size());
  return NuplanImporter(log, scene, tables, options).run();
}

}  // namespace bev::convert
