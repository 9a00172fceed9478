#include "core/facts/interactions.hpp"

#include <cmath>

#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/motion.hpp"

namespace bev::facts {
namespace {

/// A position relative to a road user: ahead and to the left of it.
class Frame {
 public:
  explicit Frame(const Step& step) : at_(step.at), heading_(geom::sincos(step.yaw)) {}

  geom::Vec2 operator()(geom::Vec2 world) const {
    const double x = world.x - at_.x, y = world.y - at_.y;
    return {x * heading_.cos + y * heading_.sin, y * heading_.cos - x * heading_.sin};
  }

 private:
  geom::Vec2 at_;
  geom::SinCos heading_;
};

double between(double a_rad, double b_rad) {
  return std::fabs(geom::angular_distance(a_rad, b_rad));
}

/// Whether the track was beside the lane shortly before step k.
bool was_outside(const Path& ego, std::size_t ego_step, const Path& track,
                 std::size_t k) {
  const Frame frame(ego.steps[ego_step]);
  for (std::size_t back = 1; back <= CutIn::kMaxStepsBetween; ++back) {
    if (k < track.run[k] + back) return false;
    const auto i = k - back;
    if (!(track.seconds(i, k) <= CutIn::kMaxTimeBetweenS)) return false;
    const auto then = ego.find(track.steps[i].frame);
    if (then == ego.size()) return false;
    const double turned = between(ego.steps[ego_step].yaw, ego.steps[then].yaw);
    if (!(turned <= CutIn::kMaxEgoTurnRad)) return false;
    if (std::fabs(frame(track.steps[i].at).y) >= CutIn::kMinOffsetBeforeM) return true;
  }
  return false;
}

bool is_inside(const Path& ego, std::size_t ego_step, const Path& track,
               std::size_t k) {
  const auto& own = ego.steps[ego_step];
  const auto& other = track.steps[k];
  if (!(ego.speed[ego_step] >= CutIn::kMinEgoSpeedMps)) return false;
  if (!(track.speed[k] >= CutIn::kMinSpeedMps)) return false;
  if (!(between(other.yaw, own.yaw) <= CutIn::kMaxYawDifferenceRad)) return false;
  const auto at = Frame(own)(other.at);
  return at.x > 0 && at.x <= CutIn::kMaxDistanceAheadM &&
         std::fabs(at.y) <= CutIn::kMaxOffsetAfterM;
}

/// Whether time b is at most `seconds` after time a.
bool is_within(std::int64_t a_ns, std::int64_t b_ns, double seconds) {
  return b_ns <= a_ns || scene::seconds_between(a_ns, b_ns) <= seconds;
}

}  // namespace

std::int32_t cut_in_frame(const Path& ego, const Path& track) {
  for (std::size_t k = 0; k < track.size(); ++k) {
    const auto now = ego.find(track.steps[k].frame);
    if (now == ego.size() || !is_inside(ego, now, track, k)) continue;
    if (was_outside(ego, now, track, k)) {
      return static_cast<std::int32_t>(track.steps[k].frame);
    }
  }
  return kNoFrame;
}

bool is_oncoming(const Path& ego, const SharpestTurn& turn, const Path& track) {
  const auto &begin = ego.steps[turn.begin], &end = ego.steps[turn.end];
  const Frame frame(begin);
  for (std::size_t k = 0; k < track.size(); ++k) {
    const auto& step = track.steps[k];
    if (step.frame > end.frame) break;
    if (step.frame < begin.frame &&
        !is_within(step.time_ns, begin.time_ns, Oncoming::kMaxTimeBeforeTurnS)) {
      continue;
    }
    if (!(track.speed[k] >= Oncoming::kMinSpeedMps)) continue;
    if (!(between(step.yaw, begin.yaw) >= Oncoming::kMinYawDifferenceRad)) continue;
    const auto at = frame(step.at);
    if (at.x > 0 && at.x <= Oncoming::kMaxDistanceAheadM &&
        std::fabs(at.y) <= Oncoming::kMaxOffsetM) {
      return true;
    }
  }
  return false;
}

}  // namespace bev::facts
