#pragma once

#include "native/town/plan.hpp"

namespace bev::town {

/// The plan of seed 1, made once: with sanitizers it takes seconds.
inline const Plan& town_plan() {
  static const Plan kPlan = make_plan(1);
  return kPlan;
}

}  // namespace bev::town
