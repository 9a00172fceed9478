#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/engine/query.hpp"
#include "core/scene/dataset.hpp"

namespace bev {

/// A query on every scene of a data set, one after the other:
///
///   while (query.next()) { run the host's loop; query.build(); }
///
/// Throws  As Query; also next() throws invalid_argument if the current scene has not
///         been read.
class ScenesQuery : public Query {
 public:
  /// Advances to the first scene, then to the next one. Returns false after the last
  /// scene and stays there. A data set without scenes has one step, which reads
  /// nothing.
  bool next();

  std::uint64_t scene() const noexcept { return scene_; }

  /// Numbers of scenes and agents in the data set; 0 until the metadata is read.
  std::uint64_t scene_count() const noexcept { return scene_count_; }
  std::uint64_t agent_count() const noexcept { return agent_count_; }

 protected:
  /// Starts at scene `first`; reading throws out_of_range if it does not exist.
  ScenesQuery(std::shared_ptr<EngineState> state, std::string purpose,
              std::uint64_t first = 0);

 private:
  bool gather(store::Reader& reader) final;

  /// Reads a scene into the query's own memory; returns false while requests are
  /// pending.
  virtual bool read_scene(store::Reader& reader, const scene::ChunkedDataset& dataset,
                          std::uint64_t scene) = 0;

  std::string purpose_;
  std::uint64_t scene_ = 0;
  std::uint64_t scene_count_ = 0;
  std::uint64_t agent_count_ = 0;
  bool begun_ = false;
  bool read_ = false;  ///< scene_ is in the query's memory
};

}  // namespace bev
