#pragma once

#include "native/town/plan.hpp"
#include "native/town/random.hpp"

namespace bev::town {

/// The steps of make_plan(), in this order; each uses the results of the previous ones.
void lay_streets(Plan& plan, Random& random);
void lay_lanes(Plan& plan);
void lay_turns(Plan& plan);
void find_conflicts(Plan& plan);
void lay_footways(Plan& plan);
void assign_ids(Plan& plan, Random& random);

/// Returns the speed for a bend, m/s.
double bend_speed(double radius_m) noexcept;

}  // namespace bev::town
