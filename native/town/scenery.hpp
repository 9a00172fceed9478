#pragma once

#include <vector>

#include "native/town/plan.hpp"
#include "native/town/random.hpp"

namespace bev::town {

/// A stationary object, as a rectangle.
struct StaticObject {
  Vec2 at;
  Vec2 direction{1, 0};
  double length = 1, width = 1, height = 1;
};

/// Places cars along the curbs of streets with parking.
std::vector<StaticObject> park_cars(const Plan& plan, Random& random, double density);

/// Places bins, bushes and signs on the sidewalks, which a detector reports as unknown.
std::vector<StaticObject> place_clutter(const Plan& plan, Random& random);

/// Places houses in the blocks that are not parks.
std::vector<StaticObject> build_houses(const Plan& plan, Random& random);

/// Places trees in parks, in yards and along sidewalks. Their length is the crown's
/// diameter.
std::vector<StaticObject> plant_trees(const Plan& plan, Random& random);

}  // namespace bev::town
