#include "native/town/signals.hpp"

#include <cmath>
#include <cstddef>

namespace bev::town {
namespace {

constexpr double kGreen = 15, kYellow = 3, kAllRed = 2;
constexpr double kHalf = kGreen + kYellow + kAllRed;
constexpr double kCycle = 2 * kHalf;

}  // namespace

double Signals::phase(int node, int arm, double time_s) const {
  const Node& n = plan_.nodes[static_cast<std::size_t>(node)];
  const Road& road =
      plan_.roads[static_cast<std::size_t>(n.arms[static_cast<std::size_t>(arm)].road)];
  const double since = time_s + n.offset_s + (road.axis == 0 ? 0 : kHalf);
  return since - kCycle * std::floor(since / kCycle);
}

Colour Signals::colour(int node, int arm, double time_s) const {
  const double since = phase(node, arm, time_s);
  if (since < kGreen) return Colour::green;
  return since < kGreen + kYellow ? Colour::yellow : Colour::red;
}

double Signals::red_left(int node, int arm, double time_s) const {
  const double since = phase(node, arm, time_s);
  return since < kGreen + kYellow ? 0 : kCycle - since;
}

}  // namespace bev::town
