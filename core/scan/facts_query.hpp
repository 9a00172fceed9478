#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "core/engine/query.hpp"
#include "core/engine/result_set.hpp"
#include "core/facts/columns.hpp"
#include "core/facts/scene_facts.hpp"
#include "core/scan/fact_file.hpp"
#include "core/scene/scene_dataset.hpp"
#include "core/store/catalogue.hpp"

namespace bev {

/// Adds the columns of a table under "scenes." or "tracks.". The table keeps the memory.
///
/// @param columns  positions of the columns to add; if empty, all
void add_facts(const facts::FactTable& table, ResultSet& out,
               std::span<const std::size_t> columns = {});

/// The facts of one scene after the other, in any order; one scene is in memory at a
/// time.
///
/// build() returns the columns of both tables, as "scenes.min_ttc" (one row per scene)
/// and "tracks.min_ttc" (one row per track). docs/scenarios.md defines them.
///
/// Throws  As Query; also out_of_range for a scene that does not exist.
class FactsQuery final : public Query {
 public:
  /// @param lights  null without a map
  FactsQuery(std::shared_ptr<EngineState> state,
             std::shared_ptr<const facts::LightsOfMap> lights);

  /// Goes to a scene; the first is scene 0.
  void seek(std::uint64_t scene);

  /// Goes to a scene whose rows follow those of the previous scenes in the results.
  void add(std::uint64_t scene);

  /// Leaves out the scene, whose chunks cannot be read: build() returns the rows of the
  /// previous scenes.
  void leave_out();

  std::uint64_t scene() const noexcept { return scene_; }

  /// The keys of all chunks that the scenes since seek() are in, each once, sorted. Empty
  /// if they are unknown, because an array is stored in shards or as columns.
  std::vector<std::string> chunks() const;

  /// The stored arrays that facts are computed from, and the keys of their objects; known
  /// once a scene is read.
  std::vector<FactSource> sources();
  std::string object_of(const FactSource& source, std::uint64_t object);

  /// Returns a reader of the facts beside the data set; see FactFile. The previous one
  /// ends.
  FactFile& open_file(FactFile::Options options);

  /// That reader; null if there is none.
  FactFile* file() noexcept { return file_ ? &*file_ : nullptr; }

  /// Number of scenes; 0 until the metadata is read.
  std::uint64_t scene_count() const noexcept { return scene_count_; }

  /// The rows of the last scene, which build() has read.
  const scene::SceneDataset& data() const noexcept { return data_; }

  /// The results of build(), for C++ callers.
  const facts::FactTable& scenes() const noexcept { return scenes_; }
  const facts::FactTable& tracks() const noexcept { return tracks_; }

 private:
  bool gather(store::Reader& reader) override;
  void derive(ResultSet& results) override;

  /// Adds the keys of the chunks that these rows are in.
  void add_chunks(const store::Array* array, scene::Interval rows);

  std::shared_ptr<const facts::LightsOfMap> lights_;
  const scene::ChunkedDataset* dataset_ = nullptr;  // null until the metadata is read
  std::uint64_t scene_ = 0;
  std::uint64_t scene_count_ = 0;
  bool adds_ = false;
  bool leaves_out_ = false;
  scene::SceneDataset data_;
  zarr::Text face_ids_;
  facts::FactsMaker maker_;
  facts::FactTable scenes_{facts::TableKind::scenes};
  facts::FactTable tracks_{facts::TableKind::tracks};
  std::set<std::string> chunks_;
  bool chunks_known_ = true;
  std::optional<FactFile> file_;
};

}  // namespace bev
