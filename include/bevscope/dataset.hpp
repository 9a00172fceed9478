#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "export.hpp"
#include "frame.hpp"
#include "map.hpp"
#include "mapped.hpp"
#include "reader.hpp"
#include "rows.hpp"
#include "samples.hpp"
#include "source.hpp"

namespace bev {

/// How reads treat chunks that are absent from the store.
enum class MissingChunks {
  records_required,  ///< an error for L5Kit's four arrays, otherwise fill values
  fill,              ///< fill values, as zarr defines
  error,             ///< an error for every array
};

/// Options for opening a data set.
struct DatasetOptions {
  /// Encoded chunks that are cached, in bytes. 256 MiB are about 450 chunks of L5Kit's
  /// agents.
  std::size_t byte_budget = std::size_t{256} << 20;
  MissingChunks missing = MissingChunks::records_required;  ///< absent chunks
};

/// A field of an array's records.
struct FieldInfo {
  std::string name;                ///< "centroid"; "" if the array has no fields
  std::string dtype;               ///< as stored: "<f8", "<U16"
  std::vector<std::size_t> shape;  ///< of one value: (2); () for a scalar
};

/// An array of the data set.
struct ArrayInfo {
  std::string path;                   ///< "agents"
  std::vector<std::uint64_t> shape;   ///< length of each axis
  std::vector<std::uint64_t> chunks;  ///< length of a chunk along each axis
  std::vector<FieldInfo> fields;      ///< at least one

  /// Returns the number of rows: the length of the first axis, 1 without axes.
  std::uint64_t size() const noexcept { return shape.empty() ? 1 : shape[0]; }
};

/// Chunks [begin, end) of an array.
struct ChunkRange {
  std::uint64_t begin = 0;  ///< first chunk
  std::uint64_t end = 0;    ///< chunk after the last one
};

/// Scenes to compute facts of.
struct FactsOptions {
  std::uint64_t begin = 0;           ///< first scene
  std::optional<std::uint64_t> end;  ///< scene after the last one; by default all
  const SemanticMap* map = nullptr;  ///< for facts of lights; may be null
  bool compute = false;  ///< computes all, also those that `bevscope index` wrote
  /// Called with the reason if facts beside the data set are not used, or not those of
  /// all scenes.
  std::function<void(const std::string& notice)> on_notice = {};
};

/// An L5Kit data set: scenes, frames, agents, traffic light faces. Any other zarr store
/// can be read by rows() too.
///
/// Lifetime       Results own their memory. The data set, its results and its samples
///                may be destroyed in any order.
/// Throws         All functions that read throw bev::Error: out_of_range for a scene,
///                frame or row that does not exist, not_found for an unknown array or
///                field, corrupt_chunk for damaged data, missing_key for an absent
///                chunk that must exist, out_of_memory if the byte budget is too small;
///                and the errors of the source. The data set remains usable.
/// Thread safety  Use a data set, its samples and their results from one thread at a
///                time. Different data sets are independent, if their sources are.
class BEV_EXPORT Dataset {
 public:
  /// Reads the metadata from `source`.
  explicit Dataset(std::shared_ptr<Source> source, const DatasetOptions& options = {});
  ~Dataset();
  Dataset(Dataset&&) noexcept;             ///< leaves the other unusable
  Dataset& operator=(Dataset&&) noexcept;  ///< leaves the other unusable

  /// Returns the number of scenes; 0 if the store has no array `scenes`.
  std::uint64_t scene_count() const noexcept;

  /// Returns the number of frames of all scenes.
  std::uint64_t frame_count() const noexcept;

  /// Returns the number of rows of `agents`.
  std::uint64_t agent_count() const noexcept;

  /// Returns the arrays of the store, sorted by path.
  std::span<const ArrayInfo> arrays() const noexcept;

  /// Returns an array's description. Throws not_found.
  const ArrayInfo& array(std::string_view path) const;

  /// Returns the names of the labels, by the index that FrameAgents::label uses.
  std::span<const std::string> labels() const noexcept;

  /// Returns the store's attributes and array metadata as JSON.
  std::string describe() const;

  /// Returns frame `frame` of scene `scene`.
  FrameView frame(std::uint64_t scene, std::uint64_t frame,
                  const FrameOptions& options = {});

  /// Returns a frame by its index in the data set.
  FrameView frame_at(std::uint64_t index, const FrameOptions& options = {});

  /// Returns frame() as named arrays, for bindings to other languages: "ego.centroid",
  /// "agents.yaw", "lights.face_id" ...
  Arrays frame_arrays(std::uint64_t scene, std::uint64_t frame,
                      const FrameOptions& options = {});

  /// Returns rows of an array as columns: of `fields`, or of all fields.
  Table rows(std::string_view array, const Selection& selection = {},
             std::vector<std::string> fields = {});

  /// Returns rows of an array as its records, in the stored byte order: one array
  /// "records" with dtype "|Vn".
  Arrays records(std::string_view array, const Selection& selection = {});

  /// Returns a scene's records, with intervals counted from the scene's first frame and
  /// agent: "frames.timestamp", "agents.centroid" ...
  Arrays scene(std::uint64_t scene);

  /// Returns the motion of the ego vehicle, or of a track, over a scene: "ego.speed",
  /// "track.speed", "anomalies.kind" ...
  Arrays timeline(std::uint64_t scene,
                  std::optional<std::uint64_t> track_id = std::nullopt);

  /// Returns facts of scenes and of their tracks (docs/scenarios.md) by column:
  /// "scenes.min_ttc", one row per scene, and "tracks.min_ttc", one per track. Reads
  /// facts that `bevscope index` wrote beside the data set, and computes those of changed
  /// or new scenes, one scene at a time.
  Arrays facts(const FactsOptions& options = {});

  /// Returns L5Kit's table of counts.
  std::string summary();

  /// Returns samples of the ego vehicle: one per frame (L5Kit's EgoDataset).
  Samples ego_samples(const SampleConfig& config);

  /// Returns samples of agents: one per row of `agents` that passes the rules (L5Kit's
  /// AgentDataset). Without a stored mask, reads the whole data set once.
  Samples agent_samples(const SampleConfig& config, const AgentRules& rules = {});

  /// Returns samples of agents: one per row of `agents` whose value in `mask` is not 0.
  /// Throws invalid_argument if the mask has not one value per row.
  Samples masked_agent_samples(const SampleConfig& config,
                               std::span<const std::uint8_t> mask);

  /// Returns vectorized samples of the ego vehicle among the agents: one per frame
  /// (L5Kit's EgoAgentDatasetVectorized). Requires `config.vectorized`.
  Samples ego_agent_samples(const SampleConfig& config);

  /// Returns the same for evaluation: one sample per scene, at frame 99, with the track
  /// ids of the agents that pass the rules. Requires `config.vectorized`.
  Samples eval_samples(const SampleConfig& config, const AgentRules& rules = {});

  /// Maps a chunk of an array into memory instead of reading it: rows number chunk *
  /// ArrayInfo::chunks[0] and on. For data sets in folders of this machine whose chunks are
  /// stored as they are: without compressor, filters, checksums and shards.
  ///
  /// Throws  not_found for an unknown array and for a chunk that is not stored; out_of_range
  ///         for a chunk beyond the end; unsupported for other stores and arrays, and for
  ///         chunks that divide a row; corrupt_chunk if the file has another length than the
  ///         chunk; changed if it is another file than was read before
  MappedChunk map_chunk(std::string_view array, std::uint64_t chunk);

  /// Returns a reader of the rows, windows or samples that a plan chooses: JSON as
  /// docs/reader.md describes, {"from": "agents", "where": "speed > 10"}.
  ///
  /// Throws  invalid_argument for an invalid plan or options. The reader throws not_found
  ///         and invalid_argument for arrays, fields and filters that do not fit.
  Reader reader(std::string_view plan, const ReaderMaps& maps = {},
                const ReaderOptions& options = {});

  /// Returns the limits of the values of some chunks of an array, as JSON: a part of
  /// .bevscope/statistics.json (docs/filters.md). Chunks that do not exist are left out.
  ///
  /// Throws  not_found for an unknown array, unsupported for one with several axes
  std::string statistics(std::string_view array, const ChunkRange& chunks);

  /// Returns how long each agent of a scene is visible.
  AgentCounts select_agents(std::uint64_t scene, const AgentRules& rules = {});

  /// Returns the data set with edited scenes, which it reads into memory: the edits of a
  /// what-if patch, JSON as docs/patches.md describes. Frames, scenes, samples by track,
  /// time lines, facts and copies are those of the edited scenes. Functions that number
  /// rows or items throw invalid_argument.
  ///
  /// Throws  invalid_argument, unsupported or limit_exceeded for an invalid patch and one
  ///         of another data set; out_of_range for frames and tracks that it lacks;
  ///         not_found for a traffic light face
  Dataset patched(std::string_view patch);

  /// Forgets remembered failures, so that damaged or absent chunks are requested again.
  void forget_failures();

  /// Throws Error with Errc::changed if the data set was replaced since it was opened,
  /// as far as the source can tell.
  void check_unchanged();

  /// The source from which it reads.
  const std::shared_ptr<Source>& source() const noexcept;

  struct Impl;  ///< private to the library

 private:
  friend class Simulation;
  explicit Dataset(std::shared_ptr<Impl> impl) noexcept;

  std::shared_ptr<Impl> impl_;
};

/// Describes the columns of Dataset::facts() as JSON: {"version": 1, "scenes": [{"name",
/// "dtype", "unit", "names"}], "tracks": [..]}. "names" are those that the integers of a
/// column stand for.
BEV_EXPORT std::string describe_facts();

}  // namespace bev
