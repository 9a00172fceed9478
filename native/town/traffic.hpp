#pragma once

#include <span>
#include <vector>

#include "native/town/plan.hpp"
#include "native/town/random.hpp"
#include "native/town/signals.hpp"
#include "native/town/vehicle.hpp"

namespace bev::town {

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
  double wished_speed(const Vehicle& vehicle) const;
  double follow(const Vehicle& vehicle, double wish, Obstacle obstacle) const;
  bool must_stop(std::size_t vehicle, double distance, Moment now);
  bool way_is_free(std::size_t vehicle, int turn_lane, Moment now) const;
  bool someone_passes(std::size_t vehicle, const Lane& turn) const;
  bool must_yield(const Lane& turn, Moment now) const;
  bool room_beyond(const Vehicle& vehicle, int turn_lane) const;
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
