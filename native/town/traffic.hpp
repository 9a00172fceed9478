#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "native/town/path.hpp"
#include "native/town/plan.hpp"
#include "native/town/random.hpp"
#include "native/town/signals.hpp"

namespace bev::town {

enum class VehicleKind { car, van, truck, bus, bicycle, motorcycle };

/// A vehicle and its driver's behaviour.
struct Vehicle {
  VehicleKind kind = VehicleKind::car;
  double length = 4.6, width = 1.9, height = 1.6;

  int lane = -1;
  double s = 0;      ///< front bumper's position along the lane
  double speed = 0;  ///< m/s
  double acceleration = 0;
  double odometer = 0;  ///< metres driven so far
  double lateral = 0;   ///< metres left of the lane's centre
  double lateral_target = 0;
  std::vector<int> ahead;                 ///< next lanes, at least two
  std::array<int, 3> behind{-1, -1, -1};  ///< previous lanes, latest first

  double speed_factor = 1;  ///< factor of the speed limit
  double headway_s = 1.3;
  double max_acceleration = 1.6;  ///< m/s2, full throttle

  bool cleared = false;  ///< admitted past the next stop line
};

/// Returns a vehicle's centre and direction.
Pose body(const Plan& plan, const Vehicle& vehicle);

/// Crosswalks in use by pedestrians, as seen by drivers.
using CrosswalkUse = std::vector<int>;  ///< pedestrians per crosswalk

/// All moving vehicles, simulated in small time steps.
///
/// Drivers follow their lane and the vehicle ahead (the intelligent driver model), slow
/// down for bends, stop at red, and enter a node only if no vehicle uses a conflicting
/// turn, no vehicle with the right of way is about to, there is room beyond, and its
/// crosswalks are empty.
///
/// Reference  M. Treiber, A. Hennecke, D. Helbing, "Congested traffic states in
///            empirical observations and microscopic simulations", 2000.
class Traffic {
 public:
  /// Populates the town; `density` 1 is a busy afternoon.
  Traffic(const Plan& plan, const Signals& signals, Random random, double density);

  void step(double time_s, double step_s, const CrosswalkUse& on_foot);

  std::span<const Vehicle> vehicles() const noexcept { return vehicles_; }

  /// Whether a vehicle is about to pass or passing a crosswalk.
  bool crossing(int crosswalk) const;

  /// Makes a vehicle the ego vehicle, with its fixed size, and sets its turn at the
  /// next node. Returns false if its lane does not allow that turn.
  bool make_ego(std::size_t vehicle, Turn turn);

 private:
  struct Pass {  // a vehicle using, or admitted to, a turn
    std::size_t vehicle;
    int turn_lane;
    double begin_odometer;  // with the front bumper at the stop line
  };
  struct Obstacle {
    double gap;
    double speed;
  };
  struct Moment {
    double time_s;
    const CrosswalkUse& on_foot;
  };

  const Lane& lane(int i) const { return plan_.lanes[static_cast<std::size_t>(i)]; }
  void populate(int lane_index, double density);
  Vehicle make_vehicle(bool bicycle);
  void plan_ahead(Vehicle& vehicle);
  void sort_lanes();
  Obstacle leader(std::size_t vehicle) const;
  Obstacle nearest_on(int lane_index, double from_s, double offset) const;
  double allowed_speed(const Vehicle& vehicle) const;
  double follow(const Vehicle& vehicle, double desired_speed, Obstacle obstacle) const;
  bool must_stop(std::size_t vehicle, double distance, Moment now);
  bool is_way_free(std::size_t vehicle, int turn_lane, Moment now) const;
  bool is_conflict_in_use(std::size_t vehicle, const Lane& turn) const;
  bool must_yield(const Lane& turn, Moment now) const;
  bool has_room_beyond(const Vehicle& vehicle, int turn_lane) const;
  double acceleration(std::size_t vehicle, Moment now);
  void advance(std::size_t vehicle, double step_s);
  void drop_finished();

  const Plan& plan_;
  const Signals& signals_;
  Random random_;
  std::vector<Vehicle> vehicles_;
  std::vector<std::vector<std::size_t>> on_lane_;  // vehicles, foremost first
  std::vector<std::vector<Pass>> passes_;          // by node
};

}  // namespace bev::town
