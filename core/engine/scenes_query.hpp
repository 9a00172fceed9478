#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/engine/query.hpp"
#include "core/scene/dataset.hpp"

namespace bev {

/// A question to every scene of a data set, one after the other:
///
///   while (query.next()) { run the host's loop; query.build(); }
///
/// Errors  Besides those of Query: next() throws invalid_argument while the scene it
///         would leave has not been read.
class ScenesQuery : public Query {
 public:
  /// Goes to the scene to begin with, then to one after the other; false after the last, where
  /// it stays. A data set without scenes has one turn, in which nothing is read.
  bool next();

  std::uint64_t scene() const noexcept { return scene_; }

  /// Scenes and agents of the data set; 0 while its metadata is wanted.
  std::uint64_t scene_count() const noexcept { return scene_count_; }
  std::uint64_t agent_count() const noexcept { return agent_count_; }

 protected:
  /// Begins with scene `first`; reading throws out_of_range if there is none.
  ScenesQuery(std::shared_ptr<EngineState> state, std::string purpose,
              std::uint64_t first = 0);

 private:
  bool gather(store::Reader& reader) final;

  /// Brings a scene into the query's own memory; false while it is not all there.
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
