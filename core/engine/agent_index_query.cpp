#include "core/engine/agent_index_query.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/engine/state.hpp"

namespace bev {

namespace {

// Ten L5Kit chunks per batch: enough to read them concurrently at low memory use.
constexpr std::uint64_t kBatchRows = 100'000;

}  // namespace

AgentIndexQuery::AgentIndexQuery(std::shared_ptr<EngineState> state,
                                 const AgentIndexOptions& options)
    : Query(std::move(state), "agent index"),
      options_(options),
      selector_(options.rules) {
  name_ = scene::mask_name(options.rules);
  key_ = name_ + (options.use_stored ? "" : ", selected") + ", history " +
         std::to_string(options.minima.history) + ", future " +
         std::to_string(options.minima.future);
}

bool AgentIndexQuery::gather(store::Reader& reader) {
  if (auto known = state().find_index(key_)) {
    index_ = std::move(known);
    agent_count_ = index_->agent_count();
    agents_done_ = agent_count_;
    return true;
  }
  const auto* dataset = state().dataset(reader);
  if (dataset == nullptr) return false;
  agent_count_ = dataset->agent_count();
  if (!stored_) {
    stored_ = options_.use_stored ? scene::StoredMask::find(reader, name_, agent_count_)
                                  : scene::StoredMask();
  }
  if (!stored_) return false;
  if (!(stored_->exists() ? read_stored(reader) : select(reader, *dataset))) {
    return false;
  }
  index_ = std::make_shared<const scene::AgentIndex>(std::move(work_));
  state().cache_index(key_, index_);
  return true;
}

bool AgentIndexQuery::read_stored(store::Reader& reader) {
  while (work_.agent_count() < agent_count_) {
    const auto begin = work_.agent_count();
    const auto end = std::min(begin + kBatchRows, agent_count_);
    if (!stored_->read(reader, begin, end, counts_)) return false;
    work_.append_counts(counts_, options_.minima);
    agents_done_ = work_.agent_count();
    reader.release_pins();
  }
  return true;
}

bool AgentIndexQuery::select(store::Reader& reader,
                             const scene::ChunkedDataset& dataset) {
  for (; next_scene_ < dataset.scene_count(); ++next_scene_) {
    if (!selection_.read(reader, dataset, next_scene_)) return false;
    const auto rows = selection_.agent_rows();
    if (rows.begin < rows.end) {
      const auto begin = static_cast<std::uint64_t>(rows.begin);
      if (begin < work_.agent_count()) {
        fail(Errc::unsupported, {"agent index: scenes are not in file order (scene ",
                                 next_scene_, " begins at agent ", begin,
                                 ", expected at least ", work_.agent_count(), ")"});
      }
      selection_.select(selector_);
      work_.skip_to(begin);
      work_.append_counts(selector_.mask(), options_.minima);
    }
    agents_done_ = work_.agent_count();
    reader.release_pins();
  }
  work_.skip_to(agent_count_);
  agents_done_ = agent_count_;
  return true;
}

void AgentIndexQuery::derive(ResultSet& results) {
  results.add("agents_indices", "<i8", index_->rows());
}

}  // namespace bev
