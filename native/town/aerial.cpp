#include "native/town/aerial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include "native/town/random.hpp"
#include "native/town/scenery.hpp"

namespace bev::town {
namespace {

constexpr double kMargin = 90;  // metres around the outermost nodes
constexpr Colour8 kAsphalt{84, 85, 88}, kWalkway{158, 155, 148};

// Smooth noise: random values on a grid, interpolated linearly; in [-1, 1].
class Noise {
 public:
  Noise(int rows, int columns, int cell, Random random)
      : cell_(cell), columns_(static_cast<std::size_t>(columns / cell) + 2) {
    const auto rows_here = static_cast<std::size_t>(rows / cell) + 2;
    for (std::size_t i = 0; i < rows_here * columns_; ++i) {
      values_.push_back(random.between(-1, 1));
    }
  }
  double at(int row, int column) const {
    const auto r = static_cast<std::size_t>(row / cell_);
    const auto c = static_cast<std::size_t>(column / cell_);
    const double v = static_cast<double>(row % cell_) / cell_;
    const double u = static_cast<double>(column % cell_) / cell_;
    const double* top = &values_[r * columns_ + c];
    const double* bottom = top + columns_;
    return (1 - v) * ((1 - u) * top[0] + u * top[1]) +
           v * ((1 - u) * bottom[0] + u * bottom[1]);
  }

 private:
  int cell_;
  std::size_t columns_;
  std::vector<double> values_;
};

// Returns the outline of a node's pavement: the ends of its arms, joined by rounded
// corners; `wider` than the curbs on each side.
std::vector<Vec2> crossing_outline(const Plan& plan, std::size_t index, double wider) {
  const Node& node = plan.nodes[index];
  const int id = static_cast<int>(index), count = static_cast<int>(node.arms.size());
  const auto end_of = [&](int arm, double side) {
    const Arm& a = node.arms[static_cast<std::size_t>(arm)];
    const double half = plan.roads[static_cast<std::size_t>(a.road)].half_width;
    return plan.on_arm(id, arm, a.setback + 0.3, side * (half + wider));
  };
  std::vector<Vec2> outline;
  for (int arm = 0; arm < count; ++arm) {
    outline.push_back(end_of(arm, -1).at);
    Pose from = end_of(arm, 1);
    from.direction = -1 * from.direction;
    const Path corner = Path::between(from, end_of((arm + 1) % count, -1), 0.45);
    for (int i = 0; i <= 12; ++i)
      outline.push_back(corner.at(corner.length() * i / 12).at);
  }
  return outline;
}

std::uint8_t shade(double value) {
  return static_cast<std::uint8_t>(std::clamp(value, 0.0, 255.0));
}

constexpr Colour8 kWhite{226, 226, 222}, kYellow{214, 176, 62}, kShadow{22, 26, 30};
// Shadow in metres per metre of height, to the north-east
constexpr Vec2 kShade{0.42, 0.55};

std::array<Vec2, 4> rectangle(const StaticObject& thing, double margin = 0) {
  const Vec2 along = (thing.length / 2 - margin) * thing.direction;
  const Vec2 across = (thing.width / 2 - margin) * left_of(thing.direction);
  return {thing.at + along + across, thing.at - along + across,
          thing.at - along - across, thing.at + along - across};
}

void dashes(Canvas& canvas, const Road& road, double left) {
  for (double s = road.begin + 2; s + 3 < road.end; s += 9) {
    canvas.ribbon(road.centre, s, s + 3, left + 0.08, left - 0.08, kWhite, 0.85);
  }
}

void solid(Canvas& canvas, const Road& road, double left, Colour8 colour) {
  canvas.ribbon(road.centre, road.begin, road.end, left + 0.08, left - 0.08, colour,
                0.8);
}

void mark_road(Canvas& canvas, const Road& road) {
  const Widths w = widths(road.avenue);
  solid(canvas, road, 0.16, kYellow);
  solid(canvas, road, -0.16, kYellow);
  for (const double side : {-1.0, 1.0}) {
    for (int i = 1; i < w.lanes; ++i) dashes(canvas, road, side * w.lane * i);
    solid(canvas, road, side * w.lane * w.lanes, kWhite);
    if (w.parking > 0) {
      solid(canvas, road, side * (w.lane * w.lanes + w.bicycle), kWhite);
    }
  }
}

// Paints stripes parallel to the traffic.
void mark_crosswalk(Canvas& canvas, const Crosswalk& crosswalk) {
  const auto& o = crosswalk.outline;
  const double wide = length(o[1] - o[0]);
  for (double at = 0.3; at + 0.5 < wide; at += 1.1) {
    const double u = at / wide, v = (at + 0.5) / wide;
    const std::array<Vec2, 4> stripe = {
        (1 - u) * o[0] + u * o[1], (1 - v) * o[0] + v * o[1], (1 - v) * o[3] + v * o[2],
        (1 - u) * o[3] + u * o[2]};
    canvas.fill(stripe, kWhite, 0.8);
  }
}

void mark_stop_line(Canvas& canvas, const Plan& plan, const Light& light) {
  const Arm& arm = plan.nodes[static_cast<std::size_t>(light.node)]
                       .arms[static_cast<std::size_t>(light.arm)];
  const Widths w = widths(plan.roads[static_cast<std::size_t>(arm.road)].avenue);
  // Incoming traffic is left of the outward direction
  const double outer = -(w.lane * w.lanes);
  const auto place = [&](double along, double left) {
    return plan.on_arm(light.node, light.arm, along, -left).at;
  };
  const std::array<Vec2, 4> line = {
      place(arm.setback, -0.3), place(arm.setback + 0.5, -0.3),
      place(arm.setback + 0.5, outer), place(arm.setback, outer)};
  canvas.fill(line, kWhite, 0.85);
}

void cast_shadow(Canvas& canvas, const StaticObject& thing) {
  const auto base = rectangle(thing);
  for (int i = 4; i > 0; --i) {  // swept from the roof's shadow down to the walls
    std::array<Vec2, 4> moved = base;
    for (Vec2& corner : moved) corner = corner + (thing.height * i / 4) * kShade;
    canvas.fill(moved, kShadow, 0.16);
  }
}

void paint_house(Canvas& canvas, const StaticObject& house, Random& random) {
  constexpr Colour8 kRoofs[] = {{150, 92, 76}, {128, 128, 132}, {172, 164, 150},
                                {108, 96, 88}, {190, 188, 184}, {138, 110, 86}};
  const Colour8 roof = kRoofs[static_cast<std::size_t>(
      random.index(static_cast<int>(std::size(kRoofs))))];
  const auto corners = rectangle(house);
  canvas.fill(corners, roof);
  const Vec2 ridge_a = 0.5 * (corners[0] + corners[3]);
  const Vec2 ridge_b = 0.5 * (corners[1] + corners[2]);
  const std::array<Vec2, 4> away = {corners[0], corners[1], ridge_b, ridge_a};
  canvas.fill(away, {0, 0, 0}, 0.16);  // the side facing away from the sun
}

void paint_tree(Canvas& canvas, const StaticObject& tree, Random& random) {
  const double radius = tree.length / 2, tone = random.between(-14, 14);
  const auto green = [&](double r, double g, double b) {
    return Colour8{static_cast<std::uint8_t>(r + tone / 2),
                   static_cast<std::uint8_t>(g + tone),
                   static_cast<std::uint8_t>(b + tone / 2)};
  };
  canvas.disc(tree.at + 0.5 * tree.height * kShade, radius, kShadow, 0.35);
  canvas.disc(tree.at, radius, green(58, 88, 46));
  canvas.disc(tree.at - (0.25 * radius) * Vec2{1, 1}, 0.62 * radius,
              green(78, 110, 58));
}

void paint_car(Canvas& canvas, const StaticObject& car, Random& random) {
  constexpr Colour8 kPaints[] = {{232, 232, 230}, {40, 42, 46},  {150, 152, 156},
                                 {124, 38, 36},   {48, 70, 112}, {188, 186, 178}};
  const Colour8 paint = kPaints[static_cast<std::size_t>(
      random.index(static_cast<int>(std::size(kPaints))))];
  StaticObject shadow = car;
  shadow.at = car.at + 0.8 * kShade;
  canvas.fill(rectangle(shadow), kShadow, 0.4);
  canvas.fill(rectangle(car), paint);
  StaticObject roof = car;
  roof.length *= 0.55;
  roof.at = car.at - (0.08 * car.length) * car.direction;
  canvas.fill(rectangle(roof, 0.15), kShadow, 0.45);
}

}  // namespace

AerialFrame aerial_frame(const Plan& plan, double metres_per_pixel) {
  Vec2 low = plan.nodes[0].at, high = low;
  for (const Node& node : plan.nodes) {
    low = {std::min(low.x, node.at.x), std::min(low.y, node.at.y)};
    high = {std::max(high.x, node.at.x), std::max(high.y, node.at.y)};
  }
  AerialFrame frame;
  frame.metres_per_pixel = metres_per_pixel;
  frame.top_left = {low.x - kMargin, high.y + kMargin};
  const auto pixels = [&](double metres) {
    return static_cast<int>(std::ceil((metres + 2 * kMargin) / metres_per_pixel));
  };
  frame.rows = pixels(high.y - low.y);
  frame.columns = pixels(high.x - low.x);
  return frame;
}

void paint_ground(Canvas& canvas, const Plan& plan, std::uint64_t seed) {
  const AerialFrame& frame = canvas.frame();
  const Noise broad(frame.rows, frame.columns, 90, Random(seed, 21));
  const Noise fine(frame.rows, frame.columns, 9, Random(seed, 22));
  for (int row = 0; row < frame.rows; ++row) {
    for (int column = 0; column < frame.columns; ++column) {
      const double tone =
          std::floor(14 * broad.at(row, column) + 7 * fine.at(row, column));
      canvas.set(row, column,
                 {shade(104 + 1.3 * tone), shade(118 + tone), shade(78 + 0.6 * tone)});
    }
  }
  Random random(seed, 23);
  for (std::size_t i = 0; i < plan.blocks.size(); ++i) {
    const double tone = random.between(-10, 10);
    const Colour8 yard = plan.parks[i] ? Colour8{86, 120, 66}
                                       : Colour8{shade(133 + tone), shade(128 + tone),
                                                 shade(112 + tone)};
    canvas.fill(plan.blocks[i], yard, plan.parks[i] ? 0.8 : 0.55);
  }
}

void paint_streets(Canvas& canvas, const Plan& plan) {
  for (const bool walkway : {true, false}) {
    const double wider = walkway ? kSidewalk : 0;
    const Colour8 colour = walkway ? kWalkway : kAsphalt;
    for (const Road& road : plan.roads) {
      const double half = road.half_width + wider;
      canvas.ribbon(road.centre, road.begin, road.end, half, -half, colour);
    }
    for (std::size_t i = 0; i < plan.nodes.size(); ++i) {
      canvas.fill(crossing_outline(plan, i, wider), colour);
    }
  }
}

Canvas paint_aerial(const Plan& plan, const AerialFrame& frame, std::uint64_t seed) {
  Canvas canvas(frame);
  paint_ground(canvas, plan, seed);
  paint_streets(canvas, plan);
  canvas.grain(2, seed);
  paint_marks(canvas, plan);
  paint_objects(canvas, plan, seed);
  return canvas;
}

void paint_marks(Canvas& canvas, const Plan& plan) {
  for (const Road& road : plan.roads) mark_road(canvas, road);
  for (const Crosswalk& crosswalk : plan.crosswalks) mark_crosswalk(canvas, crosswalk);
  for (const Light& light : plan.lights) mark_stop_line(canvas, plan, light);
}

void paint_objects(Canvas& canvas, const Plan& plan, std::uint64_t seed) {
  Random random(seed, 31);
  for (const StaticObject& car : park_cars(plan, random, 0.5))
    paint_car(canvas, car, random);
  const auto houses = build_houses(plan, random);
  for (const StaticObject& house : houses) cast_shadow(canvas, house);
  for (const StaticObject& house : houses) paint_house(canvas, house, random);
  for (const StaticObject& tree : plant_trees(plan, random))
    paint_tree(canvas, tree, random);
}

}  // namespace bev::town
