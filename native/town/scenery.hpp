#pragma once

#include <vector>

#include "native/town/plan.hpp"
#include "native/town/random.hpp"

namespace bev::town {

/// A thing that stands, as a rectangle.
struct Standing {
  Vec2 at;
  Vec2 direction{1, 0};
  double length = 1, width = 1, height = 1;
};

/// Cars along the curbs of the streets that have room for them.
std::vector<Standing> park_cars(const Plan& plan, Random& random, double density);

/// Bins, bushes and signs on the sidewalks: what a detector boxes without knowing it.
std::vector<Standing> put_clutter(const Plan& plan, Random& random);

/// Houses in the blocks that are not parks.
std::vector<Standing> build_houses(const Plan& plan, Random& random);

/// Trees: in parks, in yards, along sidewalks. Their length is the crown's diameter.
std::vector<Standing> plant_trees(const Plan& plan, Random& random);

}  // namespace bev::town
