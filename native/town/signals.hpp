#pragma once

#include "native/town/plan.hpp"

namespace bev::town {

/// In the order of the map's colours and of Light::faces.
enum class Colour { red, green, yellow };

/// What the lights show: each node has a cycle of two greens, one for each pair of arms
/// that face each other, with yellow and an all-red in between.
class Signals {
 public:
  explicit Signals(const Plan& plan) : plan_(plan) {}

  /// What those who arrive by an arm see at a time.
  Colour colour(int node, int arm, double time_s) const;

  /// How long those who arrive by an arm still have to wait, seconds; 0 unless red.
  double red_left(int node, int arm, double time_s) const;

 private:
  // Seconds since this arm's green began, in [0, kCycle).
  double phase(int node, int arm, double time_s) const;

  const Plan& plan_;
};

}  // namespace bev::town
