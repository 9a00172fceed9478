#include "core/scene/frame_window.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"
#include "core/scene/intervals.hpp"

namespace bev::scene {

namespace {

Interval row(std::uint64_t index) {
  const auto begin = static_cast<std::int64_t>(index);
  return {begin, begin + 1};
}

/// Returns `frame` with its neighbours, within `scene`. The added numbers are below the
/// scene's length, so nothing overflows.
Interval clipped(const Interval& scene, std::int64_t frame, Reach reach) {
  const auto past =
      std::min<std::int64_t>(std::max(reach.past, 1U), frame - scene.begin);
  const auto future =
      std::min<std::int64_t>(std::max(reach.future, 1U), scene.end - 1 - frame);
  return {frame - past, frame + future + 1};
}

}  // namespace

bool FrameWindow::read(store::Reader& reader, const ChunkedDataset& dataset,
                       std::uint64_t scene, std::uint64_t frame, Reach reach) {
  if (scene >= dataset.scene_count()) {
    fail_index({"scene "}, scene, dataset.scene_count());
  }
  if (!dataset.read_scene_intervals(reader, row(scene), scene_)) return false;
  const auto span = dataset.frames_of(scene, scene_.front());
  check_interval(span, static_cast<std::int64_t>(scene), dataset.frames_of_scenes());
  const auto count = static_cast<std::uint64_t>(span.end - span.begin);
  if (frame >= count) {
    fail_index({"scene ", scene, ": frame "}, frame, count);
  }
  index = scene_.front().begin + static_cast<std::int64_t>(frame);
  const auto now_row = span.begin + static_cast<std::int64_t>(frame);
  rows = clipped(span, now_row, reach);
  now = static_cast<std::size_t>(now_row - rows.begin);
  has_ego = dataset.has_ego(scene);
  return dataset.read_frames(reader, rows, frames) &&
         read_parts(reader, dataset, reach.parts);
}

bool FrameWindow::read_parts(store::Reader& reader, const ChunkedDataset& dataset,
                             Parts parts) {
  frames.keep(parts);
  agent_rows = check_intervals(frames.agent_index_interval, rows.begin,
                               dataset.agents_of_frames());
  const auto& lights = frames.traffic_light_faces_index_interval[now];
  if (dataset.has_faces()) check_interval(lights, index, dataset.faces_of_frames());
  // Reads all three before it returns, so that one round requests all chunks.
  const bool have_tracks = dataset.read_tracks(reader, agent_rows, tracks);
  const bool have_agents =
      dataset.read_agents(reader, frames.agent_index_interval[now], agents);
  const bool have_faces = dataset.read_faces(reader, lights, faces);
  return have_tracks && have_agents && have_faces;
}

std::optional<FrameAddress> find_frame(store::Reader& reader,
                                       const ChunkedDataset& dataset,
                                       std::uint64_t index) {
  if (index >= dataset.frame_count()) {
    fail_index({"frame "}, index, dataset.frame_count());
  }
  const auto count = static_cast<std::int64_t>(dataset.scene_count());
  const auto at = static_cast<std::int64_t>(index);
  dataset.request_frames(reader, {at, at + 1});
  std::vector<Interval> scenes;
  if (!dataset.read_scene_intervals(reader, {0, count}, scenes)) return std::nullopt;
  const auto frame = static_cast<std::int64_t>(index);
  for (std::size_t scene = 0; scene < scenes.size(); ++scene) {
    if (frame < scenes[scene].begin || frame >= scenes[scene].end) continue;
    return FrameAddress{scene, static_cast<std::uint64_t>(frame - scenes[scene].begin)};
  }
  fail(Errc::out_of_range, {"frame ", index, ": in no scene"});
}

}  // namespace bev::scene
