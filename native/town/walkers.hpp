#pragma once

#include <span>
#include <vector>

#include "native/town/plan.hpp"
#include "native/town/random.hpp"
#include "native/town/signals.hpp"
#include "native/town/traffic.hpp"

namespace bev::town {

/// A pedestrian.
struct Walker {
  int footway = 0;
  bool forward = true;         ///< along the footway's path
  double s = 0;                ///< metres since entering this footway
  double desired_speed = 1.4;  ///< m/s
  double lateral = 0.5;        ///< right of the footway's centre
  double size = 0.7;           ///< diameter in metres
  double height = 1.7;
  int waits_for = -1;  ///< crosswalk
  Vec2 at;
  Vec2 direction{1, 0};
  double speed = 0;
};

/// Pedestrians on the sidewalks: they walk around the blocks and use crosswalks when
/// their light is green, the time suffices and no vehicle is there.
class Walkers {
 public:
  Walkers(const Plan& plan, const Signals& signals, Random random, double density);

  void step(double time_s, double step_s, const Traffic& traffic);

  std::span<const Walker> walkers() const noexcept { return walkers_; }
  const CrosswalkUse& on_foot() const noexcept { return on_foot_; }

 private:
  const Footway& way(int i) const {
    return plan_.footways[static_cast<std::size_t>(i)];
  }
  Pose target(const Walker& walker) const;
  void populate(int footway, double density);
  void leave_footway(Walker& walker);
  void enter(Walker& walker, int footway, int corner);
  bool may_cross(const Walker& walker, double time_s, const Traffic& traffic) const;

  const Plan& plan_;
  const Signals& signals_;
  Random random_;
  std::vector<Walker> walkers_;
  CrosswalkUse on_foot_;
};

}  // namespace bev::town
