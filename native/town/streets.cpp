#include <algorithm>
#include <array>
#include <cstddef>
#include <numbers>

#include "core/geom/trig.hpp"
#include "native/town/plan_parts.hpp"

namespace bev::town {
namespace {

constexpr int kLines = 7;  // streets each way: 6 x 6 blocks
constexpr double kBlock = 122;
constexpr double kTilt = 0.31;  // radians: no street runs due east
constexpr int kAvenueRow = 3, kAvenueColumn = 2;

std::size_t at(int column, int row) {
  return static_cast<std::size_t>(row) * kLines + static_cast<std::size_t>(column);
}

// Returns grid nodes at uneven distances; the middle rows bend more than the outer
// ones.
std::vector<Vec2> node_places(Random& random) {
  std::array<double, kLines> x{}, y{};
  for (std::size_t i = 1; i < kLines; ++i) {
    x[i] = x[i - 1] + kBlock + random.between(-16, 16);
    y[i] = y[i - 1] + kBlock + random.between(-16, 16);
  }
  const double width = x[kLines - 1], height = y[kLines - 1];
  const double phase = random.between(0, 1), phase_up = random.between(0, 1);
  const auto wave = [](double turns) {
    return geom::sin(2 * std::numbers::pi * turns);
  };
  const auto [tilt_sin, tilt_cos] = geom::sincos(kTilt);
  std::vector<Vec2> places;
  for (std::size_t row = 0; row < kLines; ++row) {
    for (std::size_t column = 0; column < kLines; ++column) {
      const double u = x[column] / width, v = y[row] / height;
      const double bent_x = x[column] - width / 2 + 11 * wave(0.8 * v + phase);
      const double bent_y =
          y[row] - height / 2 + (8 + 22 * wave(v / 2)) * wave(0.75 * u + phase_up);
      places.push_back({tilt_cos * bent_x - tilt_sin * bent_y,
                        tilt_sin * bent_x + tilt_cos * bent_y});
    }
  }
  return places;
}

// Streets left out to create parks of two blocks and junctions with three arms.
bool left_out(int column, int row, bool along_row) {
  if (along_row) return column == 1 && row == 5;
  return column == 4 && row == 1;
}

struct Grid {
  const std::vector<Vec2>& places;

  // Returns the direction of the street through a node.
  Vec2 direction(int column, int row, bool along_row) const {
    const auto line = [&](int i) {
      return along_row ? places[at(i, row)] : places[at(column, i)];
    };
    const int i = along_row ? column : row;
    return unit(line(std::min(i + 1, kLines - 1)) - line(std::max(i - 1, 0)));
  }

  Road road(int column, int row, bool along_row) const {
    const int to_column = column + (along_row ? 1 : 0),
              to_row = row + (along_row ? 0 : 1);
    Road road;
    road.from = static_cast<int>(at(column, row));
    road.to = static_cast<int>(at(to_column, to_row));
    road.axis = along_row ? 0 : 1;
    road.avenue = along_row ? row == kAvenueRow : column == kAvenueColumn;
    road.half_width = widths(road.avenue).total();
    road.centre = Path::between(
        {places[at(column, row)], direction(column, row, along_row)},
        {places[at(to_column, to_row)], direction(to_column, to_row, along_row)},
        1.0 / 3);
    return road;
  }
};

void add_roads(Plan& plan, const Grid& grid) {
  for (int row = 0; row < kLines; ++row) {
    for (int column = 0; column < kLines; ++column) {
      for (const bool along_row : {true, false}) {
        const bool last = (along_row ? column : row) == kLines - 1;
        if (last || left_out(column, row, along_row)) continue;
        plan.roads.push_back(grid.road(column, row, along_row));
      }
    }
  }
}

double heading(const Plan& plan, const Arm& arm) {
  const Path& centre = plan.roads[static_cast<std::size_t>(arm.road)].centre;
  const Vec2 out =
      arm.outward ? centre.at(0).direction : -1 * centre.at(centre.length()).direction;
  return geom::atan2(out.y, out.x);
}

// Returns the distance from node to stop line: beyond the crossing street's curb, the
// corner's curve and a crosswalk.
double setback(const Plan& plan, const Node& node, const Road& road) {
  double crossing = 0;
  for (const Arm& arm : node.arms) {
    const Road& other = plan.roads[static_cast<std::size_t>(arm.road)];
    if (other.axis != road.axis) crossing = std::max(crossing, other.half_width);
  }
  return crossing + 9.5;
}

void join(Plan& plan) {
  for (std::size_t i = 0; i < plan.roads.size(); ++i) {
    const Road& road = plan.roads[i];
    Arm arm;
    arm.road = static_cast<int>(i);
    plan.nodes[static_cast<std::size_t>(road.from)].arms.push_back(arm);
    arm.outward = false;
    plan.nodes[static_cast<std::size_t>(road.to)].arms.push_back(arm);
  }
  for (Node& node : plan.nodes) {
    std::sort(node.arms.begin(), node.arms.end(), [&](const Arm& a, const Arm& b) {
      return heading(plan, a) < heading(plan, b);
    });
    for (Arm& arm : node.arms) {
      Road& road = plan.roads[static_cast<std::size_t>(arm.road)];
      arm.setback = setback(plan, node, road);
      if (arm.outward) road.begin = arm.setback;
      if (!arm.outward) road.end = road.centre.length() - arm.setback;
    }
  }
}

void add_blocks(Plan& plan) {
  for (int row = 0; row + 1 < kLines; ++row) {
    for (int column = 0; column + 1 < kLines; ++column) {
      plan.blocks.push_back(
          {plan.nodes[at(column, row)].at, plan.nodes[at(column + 1, row)].at,
           plan.nodes[at(column + 1, row + 1)].at, plan.nodes[at(column, row + 1)].at});
      const bool beside_row_gap = column == 1 && (row == 4 || row == 5);
      const bool beside_column_gap = row == 1 && (column == 3 || column == 4);
      plan.parks.push_back(beside_row_gap || beside_column_gap);
    }
  }
}

}  // namespace

void lay_streets(Plan& plan, Random& random) {
  const std::vector<Vec2> places = node_places(random);
  for (const Vec2& place : places) {
    Node node;
    node.at = place;
    node.offset_s = random.between(0, 60);
    plan.nodes.push_back(node);
  }
  add_roads(plan, Grid{places});
  join(plan);
  add_blocks(plan);
}

}  // namespace bev::town
