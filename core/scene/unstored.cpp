#include "core/scene/unstored.hpp"

#include <algorithm>
#include <cstddef>

namespace bev::scene {

namespace {

/// Calls `note` with the rows of each absent chunk, relative to rows.begin.
template <class Note>
void each_gap(store::Reader& reader, const store::Array& array, const Interval& rows,
              const Note& note) {
  const auto per_chunk = array.meta.chunk_rows();
  const auto selected =
      store::RowSelection::range(array.path, array.length(), rows.begin, rows.end);
  for (const auto chunk : reader.absent_chunks(array, selected)) {
    // Clipped, because the array's last chunk may extend past its end.
    const auto begin = static_cast<std::int64_t>(chunk * per_chunk);
    const auto room = static_cast<std::uint64_t>(rows.end - begin);
    const auto end = begin + static_cast<std::int64_t>(std::min(room, per_chunk));
    note(Interval{std::max(begin, rows.begin) - rows.begin, end - rows.begin});
  }
}

/// Sets `flag` of the frames that have rows in a gap.
void mark(std::vector<Unstored>& out, bool Unstored::*flag,
          const std::vector<Interval>& frames, const Interval& gap) {
  for (std::size_t k = 0; k < out.size(); ++k) {
    const auto begin = std::max(gap.begin, frames[k].begin);
    if (begin < std::min(gap.end, frames[k].end)) out[k].*flag = true;
  }
}

}  // namespace

std::vector<Unstored> unstored_rows(store::Reader& reader,
                                    const ChunkedDataset& dataset,
                                    const SceneDataset& scene) {
  std::vector<Unstored> out(scene.frames.size());
  each_gap(reader, dataset.frames_array(), scene.frame_rows, [&](const Interval& gap) {
    for (auto k = gap.begin; k < gap.end; ++k) {
      out[static_cast<std::size_t>(k)].frame = true;
    }
  });
  const auto& frames = scene.frames;
  each_gap(reader, dataset.agents_array(), scene.agent_rows, [&](const Interval& gap) {
    mark(out, &Unstored::agents, frames.agent_index_interval, gap);
  });
  if (const auto* faces = dataset.faces_array()) {
    each_gap(reader, *faces, scene.face_rows, [&](const Interval& gap) {
      mark(out, &Unstored::faces, frames.traffic_light_faces_index_interval, gap);
    });
  }
  return out;
}

}  // namespace bev::scene
