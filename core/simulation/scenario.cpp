#include "core/simulation/scenario.hpp"

#include <array>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/geom/trig.hpp"

namespace bev::simulation {
namespace {

constexpr double kMaxPositionM = 1e7, kMaxSmall = 1000;
constexpr std::size_t kMaxFaceName = 16;

/// Replaces what is not printable ASCII, so that names are valid in JSON.
std::string printable(std::string text) {
  for (auto& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

double checked(double value, double limit, const char* what) {
  if (std::abs(value) <= limit) return value;
  fail(Errc::invalid_metadata, {"simulation: ", what, ": too large a number"});
}

float small(double value, const char* what) {
  return static_cast<float>(checked(value, kMaxSmall, what));
}

class Converting {
 public:
  Converting(const Simulation& from, const convert::Tables& tables)
      : from_(from), tables_(tables) {
    const auto& first = from.frames.front().ego;
    dx_ = -std::floor(checked(first.x, kMaxPositionM, "ego") / 1000) * 1000;
    dy_ = -std::floor(checked(first.y, kMaxPositionM, "ego") / 1000) * 1000;
  }

  convert::Scenario run() {
    out_.id = printable(from_.scenario);
    out_.host = printable(from_.planner).substr(0, kMaxFaceName);
    add_ego();
    add_tracks();
    add_lights();
    set_attributes();
    return std::move(out_);
  }

 private:
  void add_ego() {
    for (const auto& frame : from_.frames) {
      if (frame.time_us > kMaxTimeUs) {
        fail(Errc::invalid_metadata, {"simulation: time ", frame.time_us,
                                      " us is too "
                                      "large"});
      }
      out_.times_ns.push_back(frame.time_us * 1000);
      const auto rear = rear_axle(frame.ego, from_.vehicle);
      out_.ego.push_back({{checked(rear.x, kMaxPositionM, "ego") + dx_,
                           checked(rear.y, kMaxPositionM, "ego") + dy_, 0},
                          checked(rear.yaw, kMaxSmall, "ego")});
    }
    out_.start_ns = out_.times_ns.front();
    out_.end_ns = out_.times_ns.back();
  }

  /// Adds the boxes of each track, in the order of their first ones.
  void add_tracks() {
    std::vector<std::vector<std::pair<std::uint32_t, const Box*>>> all(
        from_.tracks.size());
    std::vector<std::uint32_t> order;
    for (std::uint32_t step = 0; step < from_.frames.size(); ++step) {
      for (const auto& box : from_.frames[step].boxes) {
        auto& own = all[box.track];
        if (own.empty()) order.push_back(box.track);
        if (!own.empty() && own.back().first == step) {
          ++out_.lost["second box of a track in a frame"];
          continue;
        }
        own.emplace_back(step, &box);
      }
    }
    for (const auto number : order) add_track(number, all[number]);
    out_.lost["agent height above ground"] = out_.states.size();
  }

  void add_track(std::uint32_t number,
                 const std::vector<std::pair<std::uint32_t, const Box*>>& boxes) {
    const std::string name(to_string(boxes.front().second->type));
    const auto type = tables_.types.find(name);
    if (type == tables_.types.end()) {
      fail(Errc::invalid_metadata, {"simulation: the tables lack ", name});
    }
    convert::Track track;
    track.name = printable(from_.tracks[number]);
    track.object_type = name;
    track.track_id = track_id(from_.tracks[number], number);
    track.label = type->second.label;
    track.begin = out_.states.size();
    for (const auto& [step, box] : boxes) add_state(step, *box, type->second.extent);
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  void add_state(std::uint32_t step, const Box& box,
                 const std::array<float, 3>& usual) {
    auto& states = out_.states;
    states.step.push_back(step);
    states.position.push_back({checked(box.pose.x, kMaxPositionM, "box") + dx_,
                               checked(box.pose.y, kMaxPositionM, "box") + dy_});
    states.yaw.push_back(small(box.pose.yaw, "box"));
    if (std::isnan(box.speed)) ++out_.lost["unknown velocity"];
    const double speed = std::isnan(box.speed) ? 0 : box.speed;
    const auto [sin, cos] = geom::sincos(box.pose.yaw);
    states.velocity.push_back({small(speed * cos, "box"), small(speed * sin, "box")});
    const bool has_extent = box.length > 0 && box.width > 0;
    if (!has_extent) ++out_.lost["state without extent"];
    states.extent.push_back(has_extent ? std::array{small(box.length, "box"),
                                                    small(box.width, "box"), usual[2]}
                                       : usual);
  }

  static std::string face_name(std::int64_t connector, const char* end) {
    auto out = std::to_string(connector) + end;
    if (out.size() <= kMaxFaceName) return out;
    fail(Errc::limit_exceeded,
         {"lane connector ", connector, ": id too long for a face (expected at most ",
          kMaxFaceName, " characters)"});
  }

  /// Adds the faces that a log of nuPlan has: CONNECTOR/r, /y and /g.
  void add_lights() {
    constexpr const char* kEnds[] = {"/g", "/y", "/r"};  // by status
    constexpr std::uint8_t kUnknown = 3;
    bool has_lights = false;
    std::vector<std::vector<scene::Face>> faces(from_.frames.size());
    for (std::size_t i = 0; i < faces.size(); ++i) {
      std::map<std::int64_t, std::uint8_t> seen;
      for (const auto& light : from_.frames[i].lights) {
        if (!seen.emplace(light.connector, light.status).second) {
          ++out_.lost["second light state of a connector"];
        }
      }
      for (const auto& [connector, status] : seen) {
        for (std::uint8_t face = 0; face < kUnknown; ++face) {
          scene::Face one{
              face_name(connector, kEnds[face]), face_name(connector, "/l"), {0, 0, 1}};
          if (status != kUnknown) {
            one.traffic_light_face_status = {face == status ? 1.F : 0.F,
                                             face == status ? 0.F : 1.F, 0};
          }
          faces[i].push_back(std::move(one));
        }
        has_lights = true;
      }
    }
    if (has_lights) out_.faces = std::move(faces);
  }

  void set_attributes() {
    nlohmann::json out = {
        {"scenario_id", out_.id},
        {"log", printable(from_.log)},
        {"scenario_type", printable(from_.type)},
        {"planner", printable(from_.planner)},
        {"city", printable(from_.map)},
        {"simulated", true},
        {"moved_by", {dx_, dy_}},
        {"ego_extent", {from_.vehicle.length, from_.vehicle.width, kEgoHeightM}},
        {"ego_centre_ahead_m", from_.vehicle.centre_ahead}};
    out_.attributes = out.dump(-1, ' ', true);
  }

  static constexpr double kEgoHeightM = 1.777;
  static constexpr std::int64_t kMaxTimeUs = 9'000'000'000'000'000;  // year 2255

  const Simulation& from_;
  const convert::Tables& tables_;
  double dx_ = 0, dy_ = 0;
  convert::Scenario out_;
};

}  // namespace

convert::Scenario scenario_of(const Simulation& from, const convert::Tables& tables) {
  if (from.frames.empty()) fail(Errc::invalid_metadata, {"simulation: no frames"});
  return Converting(from, tables).run();
}

}  // namespace bev::simulation
