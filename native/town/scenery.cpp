#include "native/town/scenery.hpp"

#include <algorithm>
#include <cstddef>

namespace bev::town {
namespace {

// Returns the point `s` along a road's junction-free part and `left` of its centre.
Pose beside(const Road& road, double s, double left) {
  const Pose pose = road.centre.at(road.begin + s);
  return {pose.at + left * left_of(pose.direction), pose.direction};
}

// Returns a block's corners, moved inwards by `inset`.
std::array<Vec2, 4> yard(const std::array<Vec2, 4>& block, double inset) {
  const Vec2 middle = 0.25 * (block[0] + block[1] + block[2] + block[3]);
  std::array<Vec2, 4> out;
  for (std::size_t i = 0; i < 4; ++i) {
    const Vec2 to_next = unit(block[(i + 1) % 4] - block[i]);
    const Vec2 to_last = unit(block[(i + 3) % 4] - block[i]);
    out[i] = block[i] + inset * (to_next + to_last);
    if (dot(middle - out[i], middle - block[i]) < 0) out[i] = middle;
  }
  return out;
}

Vec2 inside(const std::array<Vec2, 4>& corners, double u, double v) {
  return (1 - v) * ((1 - u) * corners[0] + u * corners[1]) +
         v * ((1 - u) * corners[3] + u * corners[2]);
}

}  // namespace

std::vector<StaticObject> park_cars(const Plan& plan, Random& random, double density) {
  std::vector<StaticObject> out;
  for (const Road& road : plan.roads) {
    const Widths w = widths(road.avenue);
    if (w.parking == 0) continue;
    const double length = road.end - road.begin;
    for (const double side : {-1.0, 1.0}) {
      const double left = side * (road.half_width - w.parking / 2);
      for (double s = 9; s < length - 14; s += 6.1) {  // 6.1 m: usual bay length
        if (!random.chance(0.62 * density)) continue;
        StaticObject car;
        // In separate statements: the evaluation order of arguments is unspecified.
        const double along = random.between(-0.4, 0.4);
        const double lateral = random.between(-0.1, 0.1);
        const Pose pose = beside(road, s + along, left + lateral);
        car.at = pose.at;
        car.direction = unit((-side) * pose.direction +
                             random.between(-0.02, 0.02) * left_of(pose.direction));
        car.length = random.between(4.1, 5.2);
        car.width = random.between(1.76, 1.98);
        car.height = random.between(1.42, 1.95);
        out.push_back(car);
      }
    }
  }
  return out;
}

std::vector<StaticObject> place_clutter(const Plan& plan, Random& random) {
  std::vector<StaticObject> out;
  for (const Road& road : plan.roads) {
    const double length = road.end - road.begin;
    for (double s = random.between(5, 40); s < length; s += random.between(20, 60)) {
      const double side = random.chance(0.5) ? 1 : -1;
      StaticObject thing;
      const Pose pose =
          beside(road, s, side * (road.half_width + random.between(2.4, 5)));
      thing.at = pose.at;
      thing.direction = unit({random.normal(), random.normal()});
      thing.length = random.between(0.4, 1.8);
      thing.width = random.between(0.3, 0.9);
      thing.height = random.between(0.6, 2.2);
      out.push_back(thing);
    }
  }
  return out;
}

std::vector<StaticObject> build_houses(const Plan& plan, Random& random) {
  std::vector<StaticObject> out;
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    if (plan.parks[b]) continue;
    const auto corners = yard(plan.blocks[b], 21);
    for (std::size_t i = 0; i < 4; ++i) {  // a row along each side of the block
      const Vec2 from = corners[i], way = corners[(i + 1) % 4] - from;
      const double total = length(way) - 20;  // the next row has the corner
      const Vec2 along = unit(way);
      for (double s = 0; s < total - 9;) {
        StaticObject house;
        house.length = std::min(random.between(11, 24), total - s);
        house.width = random.between(10, 15);
        house.height = random.between(4, 14);
        house.direction = along;
        house.at = from + (s + house.length / 2) * along +
                   (house.width / 2 + random.between(0, 2)) * left_of(along);
        out.push_back(house);
        s += house.length + random.between(2, 9);
      }
    }
  }
  return out;
}

std::vector<StaticObject> plant_trees(const Plan& plan, Random& random) {
  std::vector<StaticObject> out;
  const auto plant = [&](Vec2 at, double low, double high) {
    StaticObject tree;
    tree.at = at;
    tree.length = tree.width = random.between(low, high);
    tree.height = tree.length;
    out.push_back(tree);
  };
  for (std::size_t b = 0; b < plan.blocks.size(); ++b) {
    const bool park = plan.parks[b];
    const auto corners = yard(plan.blocks[b], park ? 15 : 42);
    for (int i = 0; i < (park ? 90 : 14); ++i) {
      const double u = random.unit(), v = random.unit();
      plant(inside(corners, u, v), 3, park ? 9 : 6);
    }
  }
  for (const Road& road : plan.roads) {
    const double total = road.end - road.begin;
    for (const double side : {-1.0, 1.0}) {
      for (double s = 6; s < total - 4; s += random.between(9, 22)) {
        plant(beside(road, s, side * (road.half_width + 4.2)).at, 3, 5);
      }
    }
  }
  return out;
}

}  // namespace bev::town
