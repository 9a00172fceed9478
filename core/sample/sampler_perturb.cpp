#include <cstdint>
#include <limits>
#include <utility>

#include "core/base/error.hpp"
#include "core/sample/sampler.hpp"

namespace bev::sample {

bool Sampler::is_perturbable() const noexcept {
  const auto future = rows_.end - now_ - 1;
  const auto whole = std::int64_t{params_.future_num_frames} * params_.frames_per_step;
  return !subject_.track_id && future > 0 && future == whole;
}

void Sampler::perturb(const PoseOffset& offset, double min_displacement) {
  if (!is_perturbable() || params_.frames_per_step != 1) {
    fail(Errc::invalid_argument,
         {"sample: not perturbed, expected one of the ego vehicle with all its "
          "future, frame by frame"});
  }
  scene::FrameColumns poses;
  for (auto row = now_; row < rows_.end; ++row) {
    const auto at = held_frame(row);
    poses.timestamp.push_back(frames_.columns.timestamp[at]);
    poses.ego_translation.push_back(frames_.columns.ego_translation[at]);
    poses.ego_rotation.push_back(frames_.columns.ego_rotation[at]);
  }
  auto perturbed = poses;
  sample::perturb(perturbed, 0, offset, min_displacement);
  recorded_ = std::move(poses);
  put_ego(perturbed);
  fill_yaws();
  subject_ = find_subject(window(), track_id(), params_);
}

void Sampler::restore_recorded() {
  if (recorded_.size() > 0) put_ego(recorded_);
  recorded_ = {};
}

void Sampler::put_ego(const scene::FrameColumns& poses) {
  const auto first = held_frame(now_);
  for (std::size_t i = 0; i < poses.size(); ++i) {
    frames_.columns.ego_translation[first + i] = poses.ego_translation[i];
    frames_.columns.ego_rotation[first + i] = poses.ego_rotation[i];
    ego_yaws_[first + i] = std::numeric_limits<double>::quiet_NaN();
  }
}

}  // namespace bev::sample
