#include "core/futures/futures.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::futures {
namespace {

/// Checks the shape and values of a view.
class FuturesCheck {
 public:
  FuturesCheck(const Futures& futures, std::string_view where)
      : futures_(futures), where_(where) {}

  void check_shape(const Limits& limits) const {
    limit("rollouts", futures_.rollouts, limits.rollouts);
    limit("agents", futures_.agents(), limits.agents);
    limit("steps", futures_.steps, limits.steps);
    if (futures_.step_stride == 0 || futures_.step_stride > kMaxStride) {
      refuse({"step_stride is outside (found ", futures_.step_stride,
              ", expected 1 to ", kMaxStride, ")"});
    }
    if (futures_.first_step < -kMaxFirstStep || futures_.first_step > kMaxFirstStep) {
      refuse({"first_step is outside (found ", futures_.first_step, ")"});
    }
    if (futures_.pose_values != 2 && futures_.pose_values != 4) {
      refuse({"poses: wrong number of values (found ", futures_.pose_values,
              ", expected 2 or 4)"});
    }
    if (futures_.size_values != 2 && futures_.size_values != 3) {
      refuse({"sizes: wrong number of values (found ", futures_.size_values,
              ", expected 2 or 3)"});
    }
    const std::uint64_t values = std::uint64_t{futures_.rollouts} * futures_.agents() *
                                 futures_.steps * futures_.pose_values;
    if (values > limits.values) {
      fail_at(Errc::limit_exceeded, where_,
              {scenario(), "too many values (found ", values, ", expected at most ",
               limits.values, ")"});
    }
    const std::size_t poses[] = {futures_.rollouts, futures_.agents(), futures_.steps};
    check_array("poses", futures_.poses, poses, futures_.pose_values, false);
    check_array("sizes", futures_.sizes, poses, futures_.size_values, true);
    check_array("valid", futures_.valid, poses, 1, true);
    const std::size_t scores[] = {futures_.rollouts, futures_.agents(), 1};
    check_array("scores", futures_.scores, scores, 1, true);
  }

  void check_values() const {
    for (std::size_t r = 0; r < futures_.rollouts; ++r) {
      for (std::size_t a = 0; a < futures_.agents(); ++a) {
        for (std::size_t t = 0; t < futures_.steps; ++t) check_step(r, a, t);
        if (futures_.scores.empty() || std::isfinite(futures_.scores.at(r, a)))
          continue;
        refuse({at(r, a), ": the score is not a finite number"});
      }
    }
  }

 private:
  void check_step(std::size_t r, std::size_t a, std::size_t t) const {
    if (!futures_.is_valid(r, a, t)) return;
    const auto place = [&] { return joined({at(r, a), ", step ", t}); };
    for (std::size_t v = 0; v < futures_.pose_values; ++v) {
      if (std::fabs(futures_.poses.at(r, a, t, v)) <= kMaxValue) continue;
      refuse({place(), ": pose[", v, "] is not a number between -1e9 and 1e9"});
    }
    if (futures_.sizes.empty()) return;
    for (std::size_t v = 0; v < futures_.size_values; ++v) {
      const float size = futures_.sizes.at(r, a, t, v);
      if (size >= 0 && size <= kMaxValue) continue;
      refuse({place(), ": size[", v, "] is not a number between 0 and 1e9"});
    }
  }

  std::string at(std::size_t rollout, std::size_t agent) const {
    return joined({"rollout ", rollout, ", agent ", futures_.ids[agent]});
  }

  std::string scenario() const {
    return joined({"scenario ", futures_.scenario_id, ": "});
  }

  [[noreturn]] void refuse(Message problem) const {
    fail_at(Errc::invalid_argument, where_, {scenario(), joined(problem)});
  }

  void limit(const char* what, std::size_t found, std::size_t most) const {
    if (found == 0) refuse({"no ", what});
    if (found <= most) return;
    fail_at(Errc::limit_exceeded, where_,
            {scenario(), "too many ", what, " (found ", found, ", expected at most ",
             most, ")"});
  }

  template <class T>
  void check_array(const char* name, const Strided<T>& array,
                   std::span<const std::size_t, 3> shape, std::size_t values,
                   bool is_optional) const {
    if (array.empty() && is_optional) return;
    const std::size_t axes[] = {shape[0], shape[1], shape[2], values};
    std::optional<std::uint64_t> needed = 1;
    for (std::size_t i = 0; i < 4 && needed; ++i) {
      const auto more =
          checked_mul(std::uint64_t{axes[i] - 1}, std::uint64_t{array.strides[i]});
      needed = more ? checked_add(*needed, *more) : std::nullopt;
    }
    if (needed && *needed <= array.values.size()) return;
    refuse({name, ": too short for its shape and strides (found ", array.values.size(),
            " values)"});
  }

  const Futures& futures_;
  std::string_view where_;
};

}  // namespace

geom::Vec3 Futures::position(std::size_t rollout, std::size_t agent,
                             std::size_t step) const noexcept {
  const double z = has_yaw() ? double{poses.at(rollout, agent, step, kZ)} : 0;
  return {origin.x + double{poses.at(rollout, agent, step, kX)},
          origin.y + double{poses.at(rollout, agent, step, kY)}, origin.z + z};
}

geom::Rectangle Futures::box(std::size_t rollout, std::size_t agent,
                             std::size_t step) const noexcept {
  const auto at = position(rollout, agent, step);
  return {{at.x, at.y},
          geom::sincos(double{poses.at(rollout, agent, step, kYaw)}),
          double{sizes.at(rollout, agent, step, kLength)} / 2,
          double{sizes.at(rollout, agent, step, kWidth)} / 2};
}

std::optional<std::size_t> Futures::row_of(std::uint64_t id) const noexcept {
  const auto found = std::find(ids.begin(), ids.end(), id);
  if (found == ids.end()) return std::nullopt;
  return static_cast<std::size_t>(found - ids.begin());
}

void check(const Futures& futures, std::string_view where, const Limits& limits) {
  const FuturesCheck one(futures, where);
  one.check_shape(limits);
  one.check_values();
}

Futures FuturesData::view() const& {
  Futures out;
  const auto agents = ids.size();
  out.scenario_id = scenario_id;
  out.ids = ids;
  out.rollouts = rollouts;
  out.steps = steps;
  out.first_step = first_step;
  out.step_stride = step_stride;
  out.pose_values = pose_values;
  out.size_values = size_values;
  out.origin = origin;
  out.is_joint = is_joint;
  const auto planes = [&](std::size_t count) -> std::array<std::size_t, 4> {
    return {agents * count * steps, count * steps, 1, steps};
  };
  out.poses = {poses, planes(pose_values)};
  const bool is_per_agent = sizes.size() == agents * size_values;
  out.sizes = {sizes, is_per_agent ? std::array<std::size_t, 4>{0, size_values, 0, 1}
                                   : planes(size_values)};
  out.valid = {valid, {agents * steps, steps, 1, 0}};
  const bool is_per_rollout = scores.size() == rollouts;
  out.scores = {scores, is_per_rollout ? std::array<std::size_t, 4>{1, 0, 0, 0}
                                       : std::array<std::size_t, 4>{agents, 1, 0, 0}};
  return out;
}

}  // namespace bev::futures
