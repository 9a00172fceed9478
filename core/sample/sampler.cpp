#include "core/sample/sampler.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/zarr/text.hpp"

namespace bev::sample {
namespace {

scene::Interval row(std::uint64_t index) {
  const auto begin = static_cast<std::int64_t>(index);
  return {begin, begin + 1};
}

void check_index(std::string_view what, std::uint64_t index, std::uint64_t count) {
  if (index < count) return;
  throw Error(Errc::out_of_range, std::string(what) + " " + std::to_string(index) +
                                      ", there are " + std::to_string(count));
}

}  // namespace

bool Sampler::read(store::Reader& reader, const scene::ChunkedDataset& dataset,
                   const SampleId& id, const SampleParams& params) {
  id_ = id;
  check_index("scene", id.scene, dataset.scene_count());
  if (!dataset.read_scenes(reader, row(id.scene), scene_)) return false;
  host_ = std::string(zarr::decode_text(dataset.host_type(), scene_.host)[0]);
  return read_frames(reader, dataset, params) &&
         (!id.track_id || read_agents(reader, dataset));
}

bool Sampler::read_frames(store::Reader& reader, const scene::ChunkedDataset& dataset,
                          const SampleParams& params) {
  const auto& span = scene_.frame_index_interval.front();
  scene::check_interval(span, row(id_.scene).begin, dataset.frames_of_scenes());
  const auto count = span.end - span.begin;
  check_index("scene " + std::to_string(id_.scene) + ": frame", id_.frame,
              static_cast<std::uint64_t>(count));
  const auto frame = static_cast<std::int64_t>(id_.frame);
  const auto past = std::min<std::int64_t>(params.history_num_frames, frame);
  const auto future =
      std::min<std::int64_t>(params.future_num_frames, count - 1 - frame);
  current_ = static_cast<std::size_t>(past);
  const auto now = span.begin + frame;
  const scene::Interval rows{now - past, now + future + 1};
  if (!dataset.read_frames(reader, rows, frames_)) return false;
  first_agent_ = scene::check_intervals(frames_.agent_index_interval, rows.begin,
                                        dataset.agents_of_frames())
                     .begin;
  return true;
}

bool Sampler::read_agents(store::Reader& reader, const scene::ChunkedDataset& dataset) {
  const auto& intervals = frames_.agent_index_interval;
  const scene::Interval all{intervals.front().begin, intervals.back().end};
  // Both before the answer: what they want is fetched in one round.
  const bool have_poses = dataset.read_poses(reader, all, poses_);
  const bool have_current =
      dataset.read_agents(reader, intervals[current_], current_agents_);
  return have_poses && have_current;
}

void Sampler::build(const SampleParams& params, Sample& out) const {
  const Window window{frames_, current_, first_agent_, AgentRows(poses_),
                      AgentRows(current_agents_)};
  build_sample(window, id_.track_id, params, out);
  out.scene_index = static_cast<std::int64_t>(id_.scene);
  out.frame_index = static_cast<std::int64_t>(id_.frame);
  if (host_.size() > kHostIdBytes) {
    throw Error(Errc::invalid_argument,
                "sample: a host of " + std::to_string(host_.size()) +
                    " bytes, expected at most " + std::to_string(kHostIdBytes));
  }
  out.host_id.fill(0);
  std::copy(host_.begin(), host_.end(), out.host_id.begin());
}

}  // namespace bev::sample
