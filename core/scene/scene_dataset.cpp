#include "core/scene/scene_dataset.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "core/base/error.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/overlay.hpp"

namespace bev::scene {
namespace {

void rebase(std::vector<Interval>& intervals, std::int64_t first) {
  for (auto& interval : intervals) {
    interval.begin -= first;
    interval.end -= first;
  }
}

/// Calls `note` with the rows of each absent chunk, relative to rows.begin.
template <class Note>
void each_gap(store::Reader& reader, const store::Array& array, const Interval& rows,
              const Note& note) {
  if (rows.begin >= kFirstVirtualRow) return;
  const auto per_chunk = array.meta.chunk_rows();
  const auto selected =
      store::RowSelection::range(array.path, array.length(), rows.begin, rows.end);
  for (const auto chunk : reader.absent_chunks(array, selected)) {
    // Clipped, because the array's last chunk may extend past its end.
    const auto begin = static_cast<std::int64_t>(chunk * per_chunk);
    const auto remaining = static_cast<std::uint64_t>(rows.end - begin);
    const auto end = begin + static_cast<std::int64_t>(std::min(remaining, per_chunk));
    note(Interval{std::max(begin, rows.begin) - rows.begin, end - rows.begin});
  }
}

/// Sets `flag` of the frames that have rows in a gap.
void mark(std::vector<AbsentParts>& out, bool AbsentParts::*flag,
          const std::vector<Interval>& frames, const Interval& gap) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto begin = std::max(gap.begin, frames[k].begin);
    if (begin < std::min(gap.end, frames[k].end)) out[k].*flag = true;
  }
}

}  // namespace

bool SceneDataset::read(store::Reader& reader, const ChunkedDataset& dataset,
                        std::uint64_t scene) {
  if (scene >= dataset.scene_count()) {
    fail_index({"scene "}, scene, dataset.scene_count());
  }
  has_ego = dataset.has_ego(scene);
  const auto row = static_cast<std::int64_t>(scene);
  if (!dataset.read_scenes(reader, {row, row + 1}, scenes)) return false;
  frame_rows = scenes.frame_index_interval.front();
  check_interval(frame_rows, row, dataset.frames_of_scenes());
  if (!dataset.read_frames(reader, frame_rows, frames)) return false;
  frames.keep(parts);

  agent_rows = check_intervals(frames.agent_index_interval, frame_rows.begin,
                               dataset.agents_of_frames());
  face_rows = {};
  if (dataset.has_faces()) {
    face_rows = check_intervals(frames.traffic_light_faces_index_interval,
                                frame_rows.begin, dataset.faces_of_frames());
  }
  const bool have_agents = dataset.read_agents(reader, agent_rows, agents);
  const bool have_faces = dataset.read_faces(reader, face_rows, faces);
  if (!have_agents || !have_faces) return false;
  rebase(scenes.frame_index_interval, frame_rows.begin);
  rebase(frames.agent_index_interval, agent_rows.begin);
  rebase(frames.traffic_light_faces_index_interval, face_rows.begin);
  return true;
}

std::vector<AbsentParts> absent_parts(store::Reader& reader,
                                      const ChunkedDataset& dataset,
                                      const SceneDataset& scene) {
  std::vector<AbsentParts> out(scene.frames.size());
  each_gap(reader, dataset.frames_array(), scene.frame_rows, [&](const Interval& gap) {
    for (auto k = gap.begin; k < gap.end; ++k) {
      out[static_cast<std::size_t>(k)].frame = true;
    }
  });
  const auto& frames = scene.frames;
  each_gap(reader, dataset.agents_array(), scene.agent_rows, [&](const Interval& gap) {
    mark(out, &AbsentParts::agents, frames.agent_index_interval, gap);
  });
  if (const auto* faces = dataset.faces_array()) {
    each_gap(reader, *faces, scene.face_rows, [&](const Interval& gap) {
      mark(out, &AbsentParts::faces, frames.traffic_light_faces_index_interval, gap);
    });
  }
  return out;
}

}  // namespace bev::scene
