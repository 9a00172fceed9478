#include "native/town/plan.hpp"

#include <cmath>
#include <string_view>

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

}  // namespace

void name_everything(Plan& plan, Random& random) {
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

Placed Plan::on_arm(int node, int arm, double along, double left) const {
  const Arm& a =
      nodes[static_cast<std::size_t>(node)].arms[static_cast<std::size_t>(arm)];
  const Path& centre = roads[static_cast<std::size_t>(a.road)].centre;
  Placed placed = centre.at(a.outward ? along : centre.length() - along);
  if (!a.outward) placed.direction = -1 * placed.direction;
  return {placed.at + left * left_of(placed.direction), placed.direction};
}

Plan make_plan(std::uint64_t seed) {
  Random random(seed, 1);
  Plan plan;
  lay_streets(plan, random);
  lay_lanes(plan);
  lay_turns(plan);
  find_conflicts(plan);
  lay_footways(plan);
  name_everything(plan, random);
  return plan;
}

}  // namespace bev::town
