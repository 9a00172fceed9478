#include "core/sample/valid_tracks.hpp"

#include <string>

#include "core/base/error.hpp"
#include "core/scene/intervals.hpp"

namespace bev::sample {

bool ValidTracks::read(store::Reader& reader, const scene::ChunkedDataset& dataset,
                       const scene::Interval& frames, const scene::AgentIndex& items) {
  ids_.fill(0);
  if (frames.begin == frames.end) return true;
  // Reads both before it returns, so that one round requests all chunks.
  const auto last = frames.end - 1;
  const bool have_first =
      dataset.read_frames(reader, {frames.begin, frames.begin + 1}, first_);
  const bool have_last = dataset.read_frames(reader, {last, frames.end}, last_);
  if (!have_first || !have_last) return false;
  const auto& begin = first_.agent_index_interval.front();
  const auto& end = last_.agent_index_interval.front();
  scene::check_interval(begin, frames.begin, dataset.agents_of_frames());
  scene::check_interval(end, last, dataset.agents_of_frames());
  return read_ids(reader, dataset, items, items.items_in({begin.begin, end.end}));
}

bool ValidTracks::read_ids(store::Reader& reader, const scene::ChunkedDataset& dataset,
                           const scene::AgentIndex& items,
                           const scene::AgentIndex::Items& found) {
  const auto count = found.end > found.begin ? found.end - found.begin : 0;
  if (count > kMaxValidTracks) {
    fail(Errc::limit_exceeded,
         {"sample: too many agents of the mask in one scene (found ", count,
          ", expected at most ", kMaxValidTracks, ")"});
  }
  bool here = true;
  for (std::size_t i = 0; i < count; ++i) {
    const auto row = items.row(found.begin + i);
    if (!dataset.read_tracks(reader, {row, row + 1}, track_)) {
      here = false;
    } else {
      ids_[i] = static_cast<double>(track_.track_id.front());
    }
  }
  return here;
}

}  // namespace bev::sample
