#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/engine/result_set.hpp"
#include "core/scene/agent_index.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/frame_view.hpp"
#include "core/scene/frame_window.hpp"
#include "core/store/store.hpp"

namespace bev {

/// Working memory of a frame query, passed on from query to query so that consecutive
/// frames allocate nothing.
struct FrameBuffers {
  scene::FrameWindow window;
  scene::FrameView view;
  ResultSet results;
};

/// Returns a mark of the version of the object under a key, "" if it is not known.
using ObjectVersion = std::function<std::string(const std::string& key)>;

struct KnownStatistics;
namespace reader {
class LearntRanges;
struct SceneTags;
}  // namespace reader

/// State shared by an engine and its queries.
struct EngineState {
  EngineState(std::size_t byte_budget, const store::MissingPolicy& missing)
      : shared_store(std::make_shared<store::Store>(byte_budget, missing)),
        store(*shared_store) {}

  /// Shares the store of another state; `with` replaces scenes.
  EngineState(const EngineState& base, std::shared_ptr<const scene::Overlay> with)
      : version(base.version),
        shared_store(base.shared_store),
        store(*shared_store),
        overlay(std::move(with)) {}

  /// The data set, or nullptr until its metadata is read.
  const scene::ChunkedDataset* dataset(store::Reader& reader) {
    return dataset_ ? &*dataset_ : open_dataset(reader);
  }

  /// Throws invalid_argument if there is an overlay, for what only stored rows have.
  void require_stored(std::string_view what) const;

  /// The statistics of the data set's chunks; null until a reader has asked for them.
  std::shared_ptr<const KnownStatistics> statistics;

  /// By which chunks are compared with the statistics; may be empty.
  ObjectVersion version;

  /// What readers have learnt of the chunks' values; null until the first reader with a
  /// filter.
  std::shared_ptr<reader::LearntRanges> learnt;

  /// The tags of the scenes; null until a filter has asked for them.
  std::shared_ptr<const reader::SceneTags> tags;

  std::unique_ptr<FrameBuffers> borrow_buffers();
  void return_buffers(std::unique_ptr<FrameBuffers> buffers);

  /// Returns the agent index cached under `key`, or null. Only the last few are kept.
  std::shared_ptr<const scene::AgentIndex> find_index(const std::string& key) const;
  void cache_index(const std::string& key,
                   std::shared_ptr<const scene::AgentIndex> index);

  const std::shared_ptr<store::Store> shared_store;
  store::Store& store;
  const std::shared_ptr<const scene::Overlay>
      overlay;  ///< null: the data set as stored

 private:
  const scene::ChunkedDataset* open_dataset(store::Reader& reader);

  std::optional<scene::ChunkedDataset> dataset_;
  std::vector<std::unique_ptr<FrameBuffers>> buffers_;
  std::vector<std::pair<std::string, std::shared_ptr<const scene::AgentIndex>>>
      indices_;
};

}  // namespace bev
