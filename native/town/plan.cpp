#include "native/town/plan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <string_view>

#include "core/geom/trig.hpp"
#include "native/town/plan_parts.hpp"

namespace bev::town {
namespace {

// Ids of four characters, as in real maps: a permutation of all combinations, so that
// they are unique and do not reveal the order.
class Names {
 public:
  explicit Names(Random& random) : at_(random.bits() % kCount) {}

  std::string next() {
    constexpr std::string_view kLetters =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    at_ = (at_ * kFactor + kStep) % kCount;
    std::string name;
    for (std::uint64_t rest = at_, i = 0; i < 4; ++i, rest /= kLetters.size()) {
      name += kLetters[rest % kLetters.size()];
    }
    return name;
  }

 private:
  // Full period: kFactor - 1 is divisible by 2 and 31 (the primes of kCount), and by 4.
  static constexpr std::uint64_t kCount = 62ULL * 62 * 62 * 62;
  static constexpr std::uint64_t kFactor = 124 * 15013 + 1;
  static constexpr std::uint64_t kStep = 7654321;
  std::uint64_t at_;
};

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
bool is_omitted(int column, int row, bool along_row) {
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
        if (last || is_omitted(column, row, along_row)) continue;
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

void assign_ids(Plan& plan, Random& random) {
  Names names(random);
  for (Road& road : plan.roads) road.id = names.next();
  for (Node& node : plan.nodes) {
    node.id = names.next();
    node.junction_id = names.next();
  }
  for (Lane& lane : plan.lanes) lane.id = names.next();
  for (Crosswalk& crosswalk : plan.crosswalks) crosswalk.id = names.next();
  for (Light& light : plan.lights) {
    light.id = names.next();
    for (std::string& face : light.faces) face = names.next();
  }
}

Widths widths(bool avenue) noexcept {
  if (avenue) return {.lane = 3.3, .lanes = 2, .bicycle = 1.7, .parking = 0};
  return {.lane = 3.4, .lanes = 1, .bicycle = 1.5, .parking = 2.3};
}

double bend_speed(double radius_m) noexcept {
  return std::sqrt(2.2 * radius_m);  // lateral acceleration of 2.2 m/s2
}

Pose Plan::on_arm(int node, int arm, double along, double left) const {
  const Arm& a =
      nodes[static_cast<std::size_t>(node)].arms[static_cast<std::size_t>(arm)];
  const Path& centre = roads[static_cast<std::size_t>(a.road)].centre;
  Pose pose = centre.at(a.outward ? along : centre.length() - along);
  if (!a.outward) pose.direction = -1 * pose.direction;
  return {pose.at + left * left_of(pose.direction), pose.direction};
}

Plan make_plan(std::uint64_t seed) {
  Random random(seed, 1);
  Plan plan;
  lay_streets(plan, random);
  lay_lanes(plan);
  lay_turns(plan);
  find_conflicts(plan);
  lay_footways(plan);
  assign_ids(plan, random);
  return plan;
}

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
