#include "core/simulation/measures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "core/geom/rectangle.hpp"
#include "core/geom/trig.hpp"

namespace bev::simulation {
namespace {

using geom::Rectangle;

// Of nuPlan's metrics: m/s, s.
constexpr double kStoppedSpeed = 0.05, kStoppedSpeedOfTtc = 0.005;
constexpr double kStepS = 0.1, kMinTtcS = 0.95;
constexpr int kSteps = 29;
// Cosines of 30 and 150 degrees, between which road users are beside the ego vehicle.
constexpr double kAheadCos = 0.8660254037844387, kBehindCos = -0.8660254037844387;

Rectangle rectangle(const Pose& pose, double length, double width) {
  return {{pose.x, pose.y}, geom::sincos(pose.yaw), length / 2, width / 2};
}

double radius(const Rectangle& box) {
  return geom::hypot(box.half_length, box.half_width);
}

bool touch(const Rectangle& a, const Rectangle& b) {
  const double apart = geom::hypot(b.centre.x - a.centre.x, b.centre.y - a.centre.y);
  return apart < radius(a) + radius(b) && geom::distance(a, b) == 0;
}

/// Returns the cosine of a box's direction from the rear axle; NaN if it is there.
double direction_cos(const Pose& rear, const Box& box) {
  const double x = box.pose.x - rear.x, y = box.pose.y - rear.y;
  const auto [sin, cos] = geom::sincos(rear.yaw);
  return (x * cos + y * sin) / geom::hypot(x, y);
}

double speed(const Motion& motion) {
  return geom::hypot(motion.velocity_x, motion.velocity_y);
}

/// A collision that the rules say to be at fault, or that depends on the lanes.
bool is_at_fault(CollisionType type, bool is_lateral) {
  return type == CollisionType::active_front || type == CollisionType::stopped_track ||
         (is_lateral && type == CollisionType::active_lateral);
}

class Measuring {
 public:
  explicit Measuring(const Simulation& from) : from_(from) {
    has_motion_ = std::all_of(from.frames.begin(), from.frames.end(),
                              [](const Frame& frame) { return bool(frame.motion); });
  }

  Measures run() {
    find_collisions();
    out_.comfort = comfort(from_);
    if (out_.comfort) out_.ego_is_comfortable = out_.comfort->is_comfortable();
    if (!has_motion_) return std::move(out_);
    const double with = collision_score(true), without = collision_score(false);
    if (with == without) out_.no_ego_at_fault_collisions = with;
    out_.time_to_collision_ahead = times_to_collision(false);
    const auto is_within = [](const std::vector<double>& times) {
      return std::all_of(times.begin(), times.end(),
                         [](double time) { return time > kMinTtcS; });
    };
    const bool is_ahead_fine = is_within(out_.time_to_collision_ahead);
    if (is_within(times_to_collision(true)) == is_ahead_fine) {
      out_.time_to_collision_within_bound = is_ahead_fine;
    }
    return std::move(out_);
  }

 private:
  Rectangle ego(const Frame& frame) const {
    return rectangle(frame.ego, from_.vehicle.length, from_.vehicle.width);
  }

  CollisionType type_of(const Frame& frame, const Box& box) const {
    if (speed(*frame.motion) <= kStoppedSpeed) return CollisionType::stopped_ego;
    if (box.is_static || box.speed <= kStoppedSpeed)
      return CollisionType::stopped_track;
    if (direction_cos(rear_axle(frame.ego, from_.vehicle), box) < kBehindCos) {
      return CollisionType::active_rear;
    }
    const auto at = moved_ahead(frame.ego, from_.vehicle.length / 2);
    const auto front = rectangle(at, 0, from_.vehicle.width);
    const auto other = rectangle(box.pose, box.length, box.width);
    return geom::distance(front, other) == 0 ? CollisionType::active_front
                                             : CollisionType::active_lateral;
  }

  void find_collisions() {
    collided_.assign(from_.tracks.size(), from_.frames.size());
    for (std::size_t i = 0; i < from_.frames.size(); ++i) {
      const auto& frame = from_.frames[i];
      const auto own = ego(frame);
      for (const auto& box : frame.boxes) {
        auto& first = collided_[box.track];
        if (first != from_.frames.size()) continue;
        if (!touch(own, rectangle(box.pose, box.length, box.width))) continue;
        first = i;
        Collision found{i, box.track, box.type, std::nullopt};
        if (frame.motion) found.type = type_of(frame, box);
        out_.collisions.push_back(found);
      }
    }
  }

  /// Returns the score, if lateral collisions are at fault or not.
  double collision_score(bool is_lateral) const {
    std::array<std::size_t, 3>
        counts{};  // road users on foot and cycles; vehicles; rest
    for (const auto& one : out_.collisions) {
      if (!is_at_fault(*one.type, is_lateral)) continue;
      const bool is_vehicle = one.object == ObjectType::vehicle;
      const bool is_vulnerable =
          one.object == ObjectType::pedestrian || one.object == ObjectType::bicycle;
      ++counts[is_vulnerable ? 0 : (is_vehicle ? 1 : 2)];
    }
    constexpr std::array kAllowed{0.0, 0.0, 1.0};
    double score = 1;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const auto count = static_cast<double>(counts[i]);
      score *= std::max(0.0, 1 - count / (kAllowed[i] + 1));
    }
    return score;
  }

  /// Returns the times, with road users beside the ego vehicle and lateral collisions at
  /// fault, or without both.
  std::vector<double> times_to_collision(bool with_lateral) const {
    std::vector<double> out(from_.frames.size(),
                            std::numeric_limits<double>::infinity());
    for (const auto& one : out_.collisions) {
      if (is_at_fault(*one.type, with_lateral)) out[one.frame] = 0;
    }
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out[i] > 0) out[i] = time_at(i, with_lateral);
    }
    return out;
  }

  double time_at(std::size_t index, bool with_lateral) const {
    const auto& frame = from_.frames[index];
    const double own_speed = speed(*frame.motion);
    if (own_speed <= kStoppedSpeedOfTtc) return std::numeric_limits<double>::infinity();
    const auto rear = rear_axle(frame.ego, from_.vehicle);
    std::vector<Moving> others;
    for (const auto& box : frame.boxes) {
      if (collided_[box.track] <= index) continue;
      const double cos = direction_cos(rear, box);
      const bool counts = with_lateral ? !(cos < kBehindCos) : cos > kAheadCos;
      if (!counts) continue;
      others.push_back({rectangle(box.pose, box.length, box.width),
                        box.is_static ? 0 : box.speed * kStepS});
    }
    Moving own{ego(frame), own_speed * kStepS};
    for (int step = 0; step < kSteps; ++step) {
      own.advance();
      bool is_hit = false;
      for (auto& other : others) {
        other.advance();
        is_hit = is_hit || touch(own.box, other.box);
      }
      if (is_hit) return kStepS + step * kStepS;
    }
    return std::numeric_limits<double>::infinity();
  }

  struct Moving {
    Rectangle box;
    double step = 0;

    void advance() {
      box.centre.x += box.heading.cos * step;
      box.centre.y += box.heading.sin * step;
    }
  };

  const Simulation& from_;
  bool has_motion_ = false;
  std::vector<std::size_t> collided_;  ///< by track, the frame; their number: never
  Measures out_;
};

}  // namespace

Measures measures(const Simulation& from) {
  return Measuring(from).run();
}

}  // namespace bev::simulation
