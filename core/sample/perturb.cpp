#include "core/sample/perturb.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/sample/ackerman.hpp"
#include "core/sample/relative_poses.hpp"

namespace bev::sample {
namespace {

void set_pose(scene::FrameColumns& frames, std::size_t i, const CarState& state) {
  frames.ego_translation[i][0] = state.x;
  frames.ego_translation[i][1] = state.y;
  const auto rotation = geom::yaw_as_rotation33(state.yaw);
  for (std::size_t k = 0; k < 9; ++k) {
    frames.ego_rotation[i][k] = rotation[k / 3][k % 3];
  }
}

CarState rounded_state(const scene::FrameColumns& frames, std::size_t i) {
  const auto as_float = [](double value) {
    return static_cast<double>(static_cast<float>(value));
  };
  const auto& translation = frames.ego_translation[i];
  return {as_float(translation[0]), as_float(translation[1]),
          as_float(ego_yaw(frames, i)), 0};
}

float distance_f32(const CarState& a, const CarState& b) {
  const auto dx = static_cast<float>(b.x) - static_cast<float>(a.x);
  const auto dy = static_cast<float>(b.y) - static_cast<float>(a.y);
  return std::sqrt(dx * dx + dy * dy);
}

void check_perturb(bool holds, const char* what) {
  if (holds) return;
  fail(Errc::invalid_argument, {"perturbation: ", what});
}

}  // namespace

void perturb(scene::FrameColumns& frames, std::size_t current, const PoseOffset& offset,
             double min_displacement) {
  check_perturb(current < frames.size() && frames.size() - current > 1,
                "no frame follows the current one");
  auto start = rounded_state(frames, current);
  std::vector<CarState> wanted;
  float driven = 0;
  auto before = start;
  for (std::size_t i = current + 1; i < frames.size(); ++i) {
    wanted.push_back(rounded_state(frames, i));
    const float step = distance_f32(before, wanted.back());
    if (i == current + 1) start.speed = static_cast<double>(step);
    driven += step;
    before = wanted.back();
  }
  const bool moves = !(static_cast<double>(driven) < min_displacement);
  const double lateral = moves ? offset.lateral : 0;
  const auto heading = geom::sincos(start.yaw);
  start.x += heading.cos * offset.longitudinal - heading.sin * lateral;
  start.y += heading.sin * offset.longitudinal + heading.cos * lateral;
  start.yaw += moves ? offset.yaw : 0;
  check_perturb(
      std::isfinite(start.x) && std::isfinite(start.y) && std::isfinite(start.yaw),
      "pose or offset is not finite");

  const auto drive = fit_drive(start, wanted);
  set_pose(frames, current, start);
  for (std::size_t i = 0; i < drive.size(); ++i) {
    set_pose(frames, current + 1 + i, drive[i]);
  }
}

PerturbationDraws::PerturbationDraws(const Options& options)
    : options_(options),
      decision_random_(options.seed),
      offset_random_(options.offset_seed) {
  check_perturb(options.probability >= 0 && options.probability <= 1,
                "probability must be in [0, 1]");
  for (std::size_t i = 0; i < 3; ++i) {
    check_perturb(std::isfinite(options.mean[i]) &&
                      std::isfinite(options.deviation[i]) && options.deviation[i] >= 0,
                  "mean and deviation must be finite, deviation not negative");
  }
}

std::optional<PoseOffset> PerturbationDraws::next() noexcept {
  if (decision_random_.uniform() >= options_.probability) return std::nullopt;
  std::array<double, 3> drawn{};
  for (std::size_t i = 0; i < 3; ++i) {
    drawn[i] = options_.mean[i] + options_.deviation[i] * offset_random_.normal();
  }
  return PoseOffset{drawn[0], drawn[1], drawn[2]};
}

}  // namespace bev::sample
