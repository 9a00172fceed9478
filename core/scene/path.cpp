#include "core/scene/path.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/motion.hpp"

namespace bev::scene {
namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

double distance(geom::Vec2 a, geom::Vec2 b) {
  return geom::hypot(b.x - a.x, b.y - a.y);
}

}  // namespace

void Path::rebuild() {
  find_runs();
  find_motion();
  find_turned();
}

double Path::seconds(std::size_t from, std::size_t to) const noexcept {
  if (from == to) return 0;
  return seconds_between(steps[from].time_ns, steps[to].time_ns);
}

std::size_t Path::lower_bound(std::uint32_t frame) const noexcept {
  const auto found = std::lower_bound(
      steps.begin(), steps.end(), frame,
      [](const Step& step, std::uint32_t wanted) { return step.frame < wanted; });
  return static_cast<std::size_t>(found - steps.begin());
}

std::size_t Path::find(std::uint32_t frame) const noexcept {
  const auto at = lower_bound(frame);
  return at < size() && steps[at].frame == frame ? at : size();
}

void Path::find_runs() {
  run.resize(size());
  for (std::size_t k = 0; k < size(); ++k) {
    const bool follows = k > 0 && steps[k].frame == steps[k - 1].frame + 1 &&
                         seconds(k - 1, k) <= kMaxGapS;  // false for NaN
    run[k] = follows ? run[k - 1] : k;
  }
}

void Path::find_motion() {
  velocity.assign(size(), {kUndefined, kUndefined});
  speed.assign(size(), kUndefined);
  acceleration.assign(size(), kUndefined);
  std::size_t i = 0, j = 0;  // the window's first and last step
  for (std::size_t k = 0; k < size(); ++k) {
    i = std::max(i, run[k]);
    j = std::max(j, k);
    while (seconds(i, k) > kHalfWindowS) ++i;
    while (j + 1 < size() && run[j + 1] == run[k] &&
           seconds(k, j + 1) <= kHalfWindowS) {
      ++j;
    }
    const double span = seconds(i, j);
    if (span >= kMinSpanS) {
      const auto &a = steps[i].at, &b = steps[j].at;
      velocity[k] = {(b.x - a.x) / span, (b.y - a.y) / span};
      speed[k] = geom::hypot(velocity[k].x, velocity[k].y);
    }
    const double before = seconds(i, k), after = seconds(k, j);
    if (before < kMinSpanS || after < kMinSpanS) continue;
    const double slow = distance(steps[i].at, steps[k].at) / before;
    const double fast = distance(steps[k].at, steps[j].at) / after;
    acceleration[k] = (fast - slow) / (span / 2);
  }
}

void Path::find_turned() {
  turned.resize(size());
  for (std::size_t k = 0; k < size(); ++k) {
    turned[k] = k == 0 ? 0 : turned[k - 1];
    if (run[k] == k || !(speed[k] >= kMovingMps)) continue;
    const double step = geom::angular_distance(steps[k].yaw, steps[k - 1].yaw);
    if (std::fabs(step) <= kMaxYawStep) turned[k] += step;
  }
}

}  // namespace bev::scene
