#include <algorithm>
#include <cmath>
#include <iterator>
#include <string>

#include "core/base/error.hpp"
#include "core/convert/pickled_values.hpp"
#include "core/geom/trig.hpp"
#include "core/simulation/scenes.hpp"

namespace bev::simulation {
namespace {

using pickle::Kind;
using pickle::Value;

constexpr std::size_t kMaxScalars = 200'000'000;
/// Maximum members of an object, which are searched one by one.
constexpr std::size_t kMaxMembers = 100;

/// Members of objects that are pickled by their constructor's arguments.
/// Reference  nuplan-devkit, VehicleParameters.__reduce__, InterpolatedTrajectory's
constexpr std::size_t kFrontLength = 1, kRearLength = 2, kStates = 0;

/// Reads the objects of a log by what was set in them: `__dict__`, slots, or both.
class LogReader {
 public:
  LogReader(std::string_view where, Builder& to)
      : where_(where), to_(to), values_(where, kMaxScalars) {}

  void run(Value root) {
    const auto history = member(root, "simulation_history");
    const auto data = member(history, "data");
    if (!data.is(Kind::list)) unfit("simulation_history.data", data, "a list");
    set_names(root);
    for (const auto sample : data.items()) {
      add_sample(sample);
      ++sample_;
    }
  }

 private:
  [[noreturn]] void unfit(std::string_view what, Value found,
                          std::string_view expected) const {
    fail_at(Errc::invalid_metadata, where_,
            {"sample ", sample_, ": ", what, ": wrong value (found ", found.describe(),
             ", expected ", expected, ")"});
  }

  /// Returns what was set in an object; none if nothing was.
  static Value find(Value object, std::string_view name) {
    const auto state = object.state();
    if (!state.is(Kind::tuple)) return find_in(state, name);
    const auto in_slots = find_in(state.at(1), name);
    return in_slots ? in_slots : find_in(state.at(0), name);
  }

  static Value find_in(Value members, std::string_view name) {
    return members.size() > kMaxMembers ? Value() : members.find(name);
  }

  Value member(Value object, std::string_view name) const {
    const auto found = find(object, name);
    if (!found) unfit(name, object, "an object of nuPlan that has it");
    return found;
  }

  double checked(Value value, std::string_view name) {
    const auto found = values_.number(value);
    if (!found || !(std::abs(*found) <= kMaxValue)) {
      unfit(name, value, "a number from -1e9 to 1e9");
    }
    return *found;
  }
  double real(Value object, std::string_view name) {
    return checked(member(object, name), name);
  }

  /// Returns a velocity, NaN of objects for which the data have none.
  double speed_of(Value velocity) {
    const auto x = values_.number(member(velocity, "_x"));
    const auto y = values_.number(member(velocity, "_y"));
    if (x && y && (std::isnan(*x) || std::isnan(*y))) return *x + *y;
    return geom::hypot(real(velocity, "_x"), real(velocity, "_y"));
  }

  std::int64_t integer(Value object, std::string_view name) {
    const auto value = member(object, name);
    const auto found = values_.integer(value);
    if (!found) unfit(name, value, "an integer");
    return *found;
  }

  /// Returns a text; "" for anything else.
  static std::string text(Value value) {
    return std::string(value.text().value_or(std::string_view()));
  }

  Pose pose(Value object, std::string_view name) {
    const auto state = member(object, name);
    return {real(state, "x"), real(state, "y"), real(state, "heading")};
  }

  /// Returns the number of an enumeration's member, which is pickled by value or by name.
  std::size_t enumerated(Value value, std::string_view what) const {
    constexpr std::string_view kStatuses[] = {"green", "yellow", "red", "unknown"};
    const auto arguments = value.arguments();
    if (const auto number = arguments.at(0).integer()) {
      if (*number >= 0) return static_cast<std::size_t>(*number);
    }
    auto name = text(arguments.at(1));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (const auto type = object_type(name)) return static_cast<std::size_t>(*type);
    const auto* const found =
        std::find(std::begin(kStatuses), std::end(kStatuses), name);
    if (found != std::end(kStatuses)) {
      return static_cast<std::size_t>(found - std::begin(kStatuses));
    }
    unfit(what, value, "a member of an enumeration");
  }

  /// Takes the names from the file's path: PLANNER/TYPE/LOG/NAME/NAME.msgpack.xz.
  void set_names(Value root) {
    const auto parts = find(root, "file_path").arguments();
    constexpr std::size_t kLevels = 5;
    if (parts.size() < kLevels) return;
    const auto part = [&](std::size_t from_end) {
      const auto value = parts.at(parts.size() - from_end);
      if (value.text().value_or("").size() > kMaxNameBytes) {
        unfit("file_path", value, "names of at most 256 bytes");
      }
      return text(value);
    };
    auto& out = to_.out();
    out.scenario = part(2);
    out.log = part(3);
    out.type = part(4);
    out.planner = part(5);
  }

  void set_vehicle(Value footprint) {
    const auto parameters = member(footprint, "_vehicle_parameters").arguments();
    const auto part = [&](std::size_t i) {
      return checked(parameters.at(i), "_vehicle_parameters");
    };
    const double front = part(kFrontLength), rear = part(kRearLength);
    to_.out().vehicle = {real(footprint, "_length"), real(footprint, "_width"),
                         (front + rear) / 2 - rear};
  }

  Motion motion(Value state) {
    const auto velocity = member(state, "_rear_axle_velocity_2d");
    const auto acceleration = member(state, "_rear_axle_acceleration_2d");
    return {real(velocity, "_x"),
            real(velocity, "_y"),
            real(acceleration, "_x"),
            real(acceleration, "_y"),
            real(state, "_angular_velocity"),
            real(state, "_angular_acceleration")};
  }

  std::int64_t time_us(Value ego) {
    const auto found = integer(member(ego, "_time_point"), "time_us");
    if (found < 0) unfit("time_us", ego, "a time since 1970");
    return found;
  }

  void add_sample(Value sample) {
    const auto ego = member(sample, "ego_state");
    const auto footprint = member(ego, "_car_footprint");
    if (sample_ == 0) set_vehicle(footprint);
    auto& frame = to_.add_frame(where_, time_us(ego));
    frame.ego = pose(footprint, "_center");
    frame.motion = motion(member(ego, "_dynamic_car_state"));
    const auto tracks = member(member(sample, "observation"), "tracked_objects");
    const auto objects = member(tracks, "tracked_objects");
    if (!objects.is(Kind::list)) unfit("tracked_objects", objects, "a list");
    for (const auto object : objects.items()) add_object(object, frame);
    add_plan(member(sample, "trajectory"), frame);
    const auto lights = find(sample, "traffic_light_status");
    for (const auto light : lights.items()) {
      const auto status = enumerated(member(light, "status"), "status");
      if (status > 3) unfit("status", light, "0 to 3");
      to_.add_light(
          where_, frame,
          {integer(light, "lane_connector_id"), static_cast<std::uint8_t>(status)});
    }
  }

  void add_object(Value object, Frame& frame) {
    const auto metadata = member(object, "_metadata");
    auto& box = to_.add_box(where_, frame, text(find(metadata, "track_token")));
    const auto type = member(object, "_tracked_object_type");
    const auto number = enumerated(type, "_tracked_object_type");
    if (number >= kObjectTypes) unfit("_tracked_object_type", type, "0 to 6");
    box.type = static_cast<ObjectType>(number);
    const auto shape = member(object, "_box");
    box.pose = pose(shape, "_center");
    box.length = real(shape, "_length");
    box.width = real(shape, "_width");
    const auto velocity = find(object, "_velocity");
    box.is_static = !velocity;
    if (velocity) box.speed = speed_of(velocity);
  }

  void add_plan(Value trajectory, Frame& frame) {
    const auto states = trajectory.arguments().at(kStates);
    if (!states.is(Kind::list)) {
      unfit("trajectory", trajectory, "an InterpolatedTrajectory");
    }
    for (const auto state : states.items()) {
      auto& to = to_.add_plan_state(where_, frame);
      to.time_us = time_us(state);
      to.pose = pose(member(state, "_car_footprint"), "_center");
    }
  }

  std::string_view where_;
  Builder& to_;
  convert::PickledValues values_;
  std::size_t sample_ = 0;
};

}  // namespace

void add_log(Value root, std::string_view where, Builder& to) {
  LogReader(where, to).run(root);
}

}  // namespace bev::simulation
