#include "native/town/aerial.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include "native/town/random.hpp"

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
    Placed from = end_of(arm, 1);
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
  paint_things(canvas, plan, seed);
  return canvas;
}

}  // namespace bev::town
