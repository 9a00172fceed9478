#include "native/town/signals.hpp"

#include <cmath>
#include <cstddef>

namespace bev::town {
namespace {

constexpr double kGreenS = 15, kYellowS = 3, kAllRedS = 2;
constexpr double kHalf = kGreenS + kYellowS + kAllRedS;
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
  if (since < kGreenS) return Colour::green;
  return since < kGreenS + kYellowS ? Colour::yellow : Colour::red;
}

double Signals::red_left(int node, int arm, double time_s) const {
  const double since = phase(node, arm, time_s);
  return since < kGreenS + kYellowS ? 0 : kCycle - since;
}

}  // namespace bev::town
