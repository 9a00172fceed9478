#include "include/bevscope/simulations.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "core/simulation/measures.hpp"
#include "core/simulation/reader.hpp"

namespace bev {
namespace {

void add_pose(std::vector<double>& to, const simulation::Pose& pose) {
  to.insert(to.end(), {pose.x, pose.y, pose.yaw});
}

void add_columns(SimulatedScenario& out, const simulation::Frame& frame) {
  out.times_us.push_back(frame.time_us);
  add_pose(out.ego, frame.ego);
  if (const auto& m = frame.motion) {
    out.motion.insert(out.motion.end(),
                      {m->velocity_x, m->velocity_y, m->acceleration_x,
                       m->acceleration_y, m->yaw_rate, m->yaw_acceleration});
  }
  out.box_counts.push_back(static_cast<std::uint32_t>(frame.boxes.size()));
  for (const auto& box : frame.boxes) {
    out.box_track.push_back(box.track);
    out.box_type.push_back(static_cast<std::uint8_t>(box.type));
    add_pose(out.boxes, box.pose);
    out.boxes.insert(out.boxes.end(), {box.length, box.width, box.speed});
  }
  out.plan_counts.push_back(static_cast<std::uint32_t>(frame.plan.size()));
  for (const auto& state : frame.plan) {
    add_pose(out.plan, state.pose);
    if (state.time_us) out.plan_us.push_back(*state.time_us);
  }
}

template <class T>
double number_or_nan(const std::optional<T>& value) {
  return value ? static_cast<double>(*value) : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace

struct SimulationReader::Impl {
  simulation::Reader reader;
  std::string name;
  std::optional<simulation::Inflated> file;
  std::optional<simulation::Simulation> read;
};

SimulationReader::SimulationReader() : impl_(std::make_unique<Impl>()) {}
SimulationReader::SimulationReader(SimulationReader&&) noexcept = default;
SimulationReader& SimulationReader::operator=(SimulationReader&&) noexcept = default;
SimulationReader::~SimulationReader() = default;

void SimulationReader::begin(std::string name) {
  impl_->name = std::move(name);
  impl_->file.emplace(impl_->name);
}

void SimulationReader::push(std::span<const std::byte> bytes, std::uint64_t read) {
  if (impl_->file) impl_->file->add(bytes, read);
}

void SimulationReader::end() {
  if (!impl_->file) return;
  const auto bytes = impl_->file->take();
  const auto read = impl_->file->read();
  impl_->file.reset();
  impl_->reader.add(bytes, impl_->name, read);
}

SimulatedScenario SimulationReader::finish() {
  impl_->read = impl_->reader.finish();
  const auto& from = *impl_->read;
  SimulatedScenario out;
  out.scenario = from.scenario;
  out.log = from.log;
  out.type = from.type;
  out.map = from.map;
  out.planner = from.planner;
  out.length = from.vehicle.length;
  out.width = from.vehicle.width;
  out.centre_ahead = from.vehicle.centre_ahead;
  out.tracks = from.tracks;
  for (const auto& frame : from.frames) add_columns(out, frame);
  for (const auto& pose : from.expert) add_pose(out.expert, pose);
  return out;
}

SimulationMeasures SimulationReader::measures() const {
  SimulationMeasures out;
  auto found =
      simulation::measures(impl_->read ? *impl_->read : simulation::Simulation());
  constexpr std::uint8_t kUnknown = 255;
  for (const auto& one : found.collisions) {
    out.collision_frame.push_back(static_cast<std::uint32_t>(one.frame));
    out.collision_track.push_back(one.track);
    out.collision_type.push_back(one.type ? static_cast<std::uint8_t>(*one.type)
                                          : kUnknown);
  }
  out.no_ego_at_fault_collisions = number_or_nan(found.no_ego_at_fault_collisions);
  out.time_to_collision_within_bound =
      number_or_nan(found.time_to_collision_within_bound);
  out.ego_is_comfortable = number_or_nan(found.ego_is_comfortable);
  out.time_to_collision_ahead = std::move(found.time_to_collision_ahead);
  if (const auto& from = found.comfort) {
    for (const auto* values :
         {&from->lon_acceleration, &from->lat_acceleration, &from->lon_jerk,
          &from->jerk, &from->yaw_rate, &from->yaw_acceleration}) {
      out.comfort.insert(out.comfort.end(), values->begin(), values->end());
    }
  }
  return out;
}

}  // namespace bev
