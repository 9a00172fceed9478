#include "core/sample/vector_sample.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/sample/relative_poses.hpp"
#include "core/scene/labels.hpp"

namespace bev::sample {
namespace {

constexpr std::int64_t kCar = 3;

// Reference  L5Kit, dataset/select_agents.py.
constexpr int kMinFrameHistory = 10;
constexpr int kMinFrameFuture = 1;

VectorFrames frames_of(const Window& window, const VectorParams& params) {
  const auto now = window.current;
  const std::size_t step = params.frames_per_step;
  const auto past = std::min<std::size_t>(params.history_num_frames_max(), now / step);
  const auto future = std::min<std::size_t>(params.future_num_frames,
                                            (window.frames.size() - 1 - now) / step);
  return {{now, past + 1, FrameRun::Direction::backward, step},
          {now + step, future, FrameRun::Direction::forward, step}};
}

std::int64_t type_of(const Window& window, const Subject& subject, float threshold) {
  if (!subject.track_id) return kCar;
  const auto agents = window.agents_of(window.current);
  const auto row = agents.find_kept(*subject.track_id, threshold);
  return static_cast<std::int64_t>(
      scene::most_probable(agents.label_probabilities[row.value()]));
}

void interleave(const VectorTracks& tracks, std::vector<float>& out) {
  out.resize(3 * tracks.yaws.size());
  for (std::size_t i = 0; i < tracks.yaws.size(); ++i) {
    out[3 * i] = tracks.positions[2 * i];
    out[3 * i + 1] = tracks.positions[2 * i + 1];
    out[3 * i + 2] = tracks.yaws[i];
  }
}

/// Copies the only track of `from` to the first track of `to`.
void put_first(const VectorTracks& from, VectorTracks& to) {
  std::copy(from.positions.begin(), from.positions.end(), to.positions.begin());
  std::copy(from.yaws.begin(), from.yaws.end(), to.yaws.begin());
  std::copy(from.extents.begin(), from.extents.end(), to.extents.begin());
  std::copy(from.available.begin(), from.available.end(), to.available.begin());
}

int count_available(const VectorTracks& tracks, std::size_t track) {
  const auto* const first = tracks.available.data() + track * tracks.frames;
  return std::accumulate(first, first + tracks.frames, 0);
}

std::size_t lead(Vectorizer::Subjects subjects) {
  return subjects == Vectorizer::Subjects::among_agents ? 1 : 0;
}

}  // namespace

Vectorizer::Vectorizer(const VectorParams& params, map::MapSource map,
                       Subjects subjects)
    : params_(params),
      subjects_(subjects),
      agents_(params),
      map_(params, std::move(map)) {
  if (params.other_agents_num >= lead(subjects)) return;
  fail(Errc::invalid_argument,
       {"config: data_generation_params.other_agents_num: invalid value (found 0, "
        "expected at least 1 for the ego vehicle)"});
}

void Vectorizer::put_subject(const Window& window, const VectorFrames& frames,
                             const ReferenceFrame& reference, VectorSample& out) {
  const auto follow = [&](const FrameRun& run, std::size_t count, VectorTracks& to) {
    to.resize(1, count);
    availabilities_.resize(count);
    relative_poses(window, run, reference,
                   {to.positions, to.yaws, to.extents, availabilities_});
    std::transform(availabilities_.begin(), availabilities_.end(), to.available.begin(),
                   [](float seen) -> std::uint8_t { return seen != 0 ? 1 : 0; });
  };
  auto recent = frames.history;
  recent.count =
      std::min<std::size_t>(recent.count, params_.history_num_frames_ego + 1);
  follow(recent, params_.history_num_frames_max() + 1, out.history);
  follow(frames.future, params_.future_num_frames, out.target);
  const auto step = static_cast<float>(params_.step_time);
  const float x = out.target.positions[0] / step;
  const float y = out.target.positions[1] / step;
  out.speed = std::sqrt(x * x + y * y);
}

void Vectorizer::put_among_agents(VectorSample& out) const {
  auto& others = out.others;
  put_first(out.history, others.history);
  put_first(out.target, others.future);
  others.types[0] = kCar;
  others.track_ids[0] = out.track_id;
  for (std::size_t i = 0; i < params_.other_agents_num; ++i) {
    if (count_available(others.history, i) > kMinFrameHistory &&
        count_available(others.future, i) > kMinFrameFuture) {
      continue;
    }
    std::fill_n(others.future.available.data() + i * others.future.frames,
                others.future.frames, std::uint8_t{0});
  }
}

void Vectorizer::build(const Window& window, const Subject& subject,
                       const FaceRows& faces, VectorSample& out) {
  const auto world_from_agent = world_from(subject);
  const auto agent_from_world = geom::inverse(world_from_agent);
  out.extent = subject.extent;
  out.type = type_of(window, subject, params_.filter_agents_threshold);
  out.world_from_agent = geom::matrix(world_from_agent);
  out.agent_from_world = geom::matrix(agent_from_world);
  out.centroid = {subject.centroid.x, subject.centroid.y};
  out.yaw = subject.yaw_rad;
  out.timestamp = window.frames.timestamp[window.current];
  out.track_id = subject.track_id ? static_cast<std::int64_t>(*subject.track_id) : -1;

  const ReferenceFrame reference{subject.track_id, agent_from_world,
                                 static_cast<float>(subject.yaw_rad)};
  const auto frames = frames_of(window, params_);
  put_subject(window, frames, reference, out);
  agents_.build(window, frames, reference, subject.centroid, lead(subjects_),
                out.others);
  if (subjects_ == Subjects::among_agents) put_among_agents(out);
  interleave(out.history, out.agent_trajectory_polyline);
  interleave(out.others.history, out.other_agents_polyline);

  active_.clear();
  for (std::size_t i = 0; i < faces.size(); ++i) {
    if (faces.status(i)[0] > 0) active_.push_back(faces.face_id(i));
  }
  map_.build(subject.centroid, agent_from_world, active_, out.map);
}

}  // namespace bev::sample
