#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/scene/dataset.hpp"
#include "core/store/catalogue.hpp"
#include "core/zarr/json_view.hpp"

namespace bev {

/// A stored array of the data set, from whose objects facts were computed.
struct FactSource {
  std::string path;
  std::size_t table = 0;          ///< position in scene::kArrays of what it belongs to;
                                  ///< 0: of scenes, whose records are compared
  std::uint64_t length = 0;       ///< rows
  std::uint64_t object_rows = 1;  ///< rows per object: of a chunk, or of a shard
  std::string dtype;              ///< compact JSON

  std::uint64_t object_count() const noexcept {
    return length / object_rows + (length % object_rows != 0);
  }

  bool operator==(const FactSource&) const = default;
};

/// The attribute of the side file of facts that says what they were computed from.
struct FactFileHead {
  static constexpr std::string_view kAttribute = "bevscope_facts";
  static constexpr std::uint64_t kVersion = 2;
  static constexpr std::uint64_t kMaxScenes = std::uint64_t{1} << 22;
  static constexpr std::uint64_t kMaxTracks = std::uint64_t{1} << 32;
  static constexpr std::uint64_t kMaxObjects = std::uint64_t{1} << 22;
  static constexpr std::size_t kMaxSources = 1000;
  static constexpr std::size_t kMaxDocuments = 4000;

  std::uint64_t definitions = 0;  ///< facts::kVersion
  std::string map;                ///< map_mark() of the map; "" without one
  std::uint64_t scenes = 0;
  std::uint64_t tracks = 0;
  /// Of frames, agents and faces; then of scenes.
  std::vector<FactSource> sources;
  std::vector<std::string> documents;  ///< keys of the metadata
  std::string identity;  ///< DataIdentity of the objects of sources and documents

  /// Throws  invalid_metadata, limit_exceeded; unsupported for another version
  static FactFileHead parse(zarr::JsonView attributes);
  nlohmann::json to_json() const;

  /// Number of objects: of all sources and documents, and of those from which facts are
  /// computed, which are the first.
  std::uint64_t object_count() const noexcept;
  std::uint64_t fact_object_count() const noexcept;
};

/// Tables of the side file and their columns of row numbers.
inline constexpr std::string_view kSceneFacts = "scene_facts";
inline constexpr std::string_view kTrackFacts = "track_facts";
inline constexpr std::string_view kSceneRows = "scene_rows";
inline constexpr std::string_view kFactObjects = "objects";
inline constexpr std::array<std::string_view, 8> kSceneRowColumns{
    "frames_begin", "frames_end", "agents_begin", "agents_end",
    "faces_begin",  "faces_end",  "start_time",   "end_time"};
/// A row of kSceneRows: rows of the other tables, and the scene's times.
using SceneRows = std::array<std::uint64_t, kSceneRowColumns.size()>;

/// Returns the stored arrays that facts of a data set are computed from; the last ones
/// are those of scenes.
std::vector<FactSource> fact_sources(store::Catalogue& catalogue,
                                     const scene::ChunkedDataset& dataset);

/// Returns the key of an object of a source: "agents/3".
std::string object_of(const store::Array& stored, const FactSource& source,
                      std::uint64_t object);

/// Returns the stored array of a source; null if the data set has none.
const store::Array* stored_array(store::Catalogue& catalogue,
                                 const scene::ChunkedDataset& dataset,
                                 const FactSource& source);

/// Returns the keys of the documents that may describe sources.
std::vector<std::string> document_keys(const std::vector<FactSource>& sources);

/// Returns a mark of a map's content, which facts of lights belong to: sizes and CRC-32C
/// of both files.
std::string map_mark(std::span<const std::byte> fragment,
                     std::span<const std::byte> meta);

}  // namespace bev
