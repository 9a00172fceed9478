#pragma once

#include "native/town/plan.hpp"

namespace bev::town {

/// In the order of the map's colours and of Light::faces.
enum class Colour { red, green, yellow };

/// The lights' states: each node's cycle has two green phases, one per pair of opposite
/// arms, with yellow and all-red in between.
class Signals {
 public:
  explicit Signals(const Plan& plan) : plan_(plan) {}

  /// Returns the colour for incoming traffic of an arm at a time.
  Colour colour(int node, int arm, double time_s) const;

  /// Returns the seconds until an arm's red ends; 0 unless red.
  double red_left(int node, int arm, double time_s) const;

 private:
  // Seconds since this arm's green began, in [0, kCycle).
  double phase(int node, int arm, double time_s) const;

  const Plan& plan_;
};

}  // namespace bev::town
