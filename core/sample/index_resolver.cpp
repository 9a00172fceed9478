#include "core/sample/index_resolver.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/scene/intervals.hpp"

namespace bev::sample {
namespace {

using scene::Interval;

// Resolves a Python index into `count` elements.
std::int64_t wrapped(std::int64_t index, std::int64_t count) {
  if (index >= 0 && index < count) return index;
  if (index < 0 && index >= -count) return index + count;
  fail(index < 0 ? Errc::invalid_argument : Errc::out_of_range,
       {"sample ", index, " is out of range (count ", count, ")"});
}

SampleId sample_of(std::uint64_t scene, const Interval& frames, std::int64_t frame) {
  return {scene, static_cast<std::uint64_t>(frame - frames.begin)};
}

}  // namespace

std::optional<SampleId> IndexResolver::at_frame(store::Reader& reader,
                                                const scene::ChunkedDataset& dataset,
                                                std::int64_t index) {
  if (only_scene_) {
    if (!read_only_scene(reader, dataset)) return std::nullopt;
    const auto& frames = scene_frames_.front();
    return SampleId{*only_scene_, static_cast<std::uint64_t>(
                                      wrapped(index, frames.end - frames.begin))};
  }
  const auto frame = wrapped(index, static_cast<std::int64_t>(dataset.frame_count()));
  const auto hit = scenes_.find(reader, dataset, static_cast<std::uint64_t>(frame));
  if (hit) return sample_of(hit->row, hit->interval, frame);
  // The frame itself is needed whichever scene it belongs to: request it in the same
  // round.
  dataset.read_timestamps(reader, {frame, frame + 1}, ahead_);
  return std::nullopt;
}

std::optional<SampleId> IndexResolver::at_agent(store::Reader& reader,
                                                const scene::ChunkedDataset& dataset,
                                                std::int64_t row) {
  if (only_scene_) return in_only_scene(reader, dataset, row);
  if (row < 0) {
    fail(Errc::out_of_range,
         {"agents/", row, " is out of range (count ", dataset.agent_count(), ")"});
  }
  const auto frame = frames_.find(reader, dataset, static_cast<std::uint64_t>(row));
  if (!frame) {
    scenes_.prepare(reader, dataset);
    return std::nullopt;
  }
  const auto scene = scenes_.find(reader, dataset, frame->row);
  if (!scene) return std::nullopt;
  auto id =
      sample_of(scene->row, scene->interval, static_cast<std::int64_t>(frame->row));
  id.agent_row = row;
  return id;
}

std::optional<SampleId> IndexResolver::in_only_scene(
    store::Reader& reader, const scene::ChunkedDataset& dataset, std::int64_t row) {
  if (!read_only_scene(reader, dataset)) return std::nullopt;
  const auto& frames = scene_frames_.front();
  if (frames.begin == frames.end) {
    fail(Errc::out_of_range, {"scene ", *only_scene_, ": no frames, so no agents"});
  }
  if (first_.empty()) {
    std::vector<Interval> read;
    const Interval one{frames.begin, frames.begin + 1};
    if (!dataset.read_agent_intervals(reader, one, read)) return std::nullopt;
    scene::check_interval(read.front(), frames.begin, dataset.agents_of_frames());
    first_ = read;
  }
  const auto all = static_cast<std::int64_t>(dataset.agent_count());
  if (row < 0 || row >= all - first_.front().begin) {
    fail(Errc::out_of_range,
         {"agents/", row, " of scene ", *only_scene_, " is out of range"});
  }
  const auto global = first_.front().begin + row;
  const auto hit = frames_.find(reader, dataset, static_cast<std::uint64_t>(global));
  if (!hit) return std::nullopt;
  const auto frame = static_cast<std::int64_t>(hit->row);
  if (frame < frames.begin || frame >= frames.end) {
    fail(Errc::out_of_range,
         {"agents/", row, " of scene ", *only_scene_, " is out of range"});
  }
  auto id = sample_of(*only_scene_, frames, frame);
  id.agent_row = global;
  return id;
}

SampleId IndexResolver::at_track(const SampleId& id) const {
  if (!only_scene_) return id;
  if (id.scene != 0) {
    fail(Errc::out_of_range, {"scene ", id.scene, " is out of range (count 1)"});
  }
  return {*only_scene_, id.frame, id.track_id};
}

bool IndexResolver::read_only_scene(store::Reader& reader,
                                    const scene::ChunkedDataset& dataset) {
  if (have_scene_) return true;
  const auto scene = *only_scene_;
  if (scene >= dataset.scene_count()) {
    fail_index({"scene "}, scene, dataset.scene_count());
  }
  const auto row = static_cast<std::int64_t>(scene);
  if (!dataset.read_scene_intervals(reader, {row, row + 1}, scene_frames_)) {
    return false;
  }
  scene::check_interval(scene_frames_.front(), row, dataset.frames_of_scenes());
  have_scene_ = true;
  return true;
}

}  // namespace bev::sample
