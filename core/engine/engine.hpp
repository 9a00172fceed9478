#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/query.hpp"
#include "core/map/map_source.hpp"
#include "core/scene/agent_index.hpp"
#include "core/scene/frame_view.hpp"
#include "core/scene/intervals.hpp"
#include "core/scene/select_agents.hpp"
#include "core/store/box_selection.hpp"
#include "core/store/request.hpp"
#include "core/store/selection.hpp"

namespace bev::map {
class AerialImage;
}  // namespace bev::map

namespace bev::reader {
struct Plan;
struct SceneTags;
}  // namespace bev::reader

namespace bev::facts {
class LightsOfMap;
}  // namespace bev::facts

namespace bev::scene {
class Overlay;
}  // namespace bev::scene

namespace bev {

struct EngineState;
class AgentIndexQuery;
class FactsQuery;
class ReaderQuery;
class RecordsQuery;
class SampleQuery;
class SceneArraysQuery;
class SelectQuery;
class StatisticsQuery;
struct AgentIndexOptions;
struct SampleOptions;
struct StatisticsOptions;

/// A read of an array's rows: by half-open range and step (see RowSelection), by list
/// or by mask; or of a box of its elements.
struct Rows {
  enum class Layout { columns, records };

  std::string array;  ///< path; "" if the store itself is an array
  /// The first row; by default 0, or the last row if step < 0.
  std::optional<std::int64_t> begin = std::nullopt;
  std::int64_t end = store::kToEnd;
  std::int64_t step = 1;
  /// These rows, in this order.
  std::optional<std::vector<std::int64_t>> indices = std::nullopt;
  std::vector<std::string> fields = {};  ///< all fields if empty
  Layout layout = Layout::columns;
  /// The rows with a non-zero value here; one value per row.
  std::optional<std::vector<std::uint8_t>> mask = std::nullopt;
  /// A box instead of rows: a selection per axis, of one field.
  std::optional<std::vector<store::AxisSlice>> axes = std::nullopt;
};

/// The facade used by the wasm and native hosts: queries on one store, answered from
/// bytes that the host supplies. Does no I/O, never blocks, and calls back for versions
/// of objects only.
///
/// Units          The budget is in bytes of encoded chunks.
/// Throws         Functions that create queries throw invalid_argument for invalid
///                arguments; other errors are thrown by missing() or build(). The
///                engine remains usable after any error.
/// Thread safety  None: use an engine and its queries from one thread.
class Engine {
 public:
  /// 256 MiB: acceptable in browsers; about 450 chunks of L5Kit's agents.
  static constexpr std::size_t kByteBudget = std::size_t{256} << 20;

  /// Returns an engine with the scenes of an overlay instead of its own. Both share one
  /// store: a request may be supplied to either. Frames, scenes, samples by track, time
  /// lines, facts and records follow the overlay; functions that number rows or items
  /// (rows, select, statistics, agent_index, agent_items, reader, summary) throw
  /// invalid_argument.
  ///
  /// Lifetime  The overlay may change between queries, not during one.
  Engine with(std::shared_ptr<const scene::Overlay> overlay) const;

  bool has_overlay() const noexcept;

  using FrameOptions = scene::FrameOptions;
  using Parts = scene::Parts;

  /// @param missing  policy for absent chunks of all arrays; nullopt: `error` for
  ///        L5Kit's four arrays, whose rows intervals refer to, otherwise `fill`
  explicit Engine(std::size_t byte_budget = kByteBudget,
                  std::optional<store::Missing> missing = std::nullopt);

  /// Reads the store's metadata. The result is empty; describe() returns the metadata.
  std::unique_ptr<Query> open();

  /// Returns columns named by path, of shape (rows, ...), or one array "records" of raw
  /// bytes; for a box, one column with the box's shape.
  std::unique_ptr<Query> rows(Rows rows);

  /// Returns frame `frame` of scene `scene`, or a frame by its index in the data set.
  /// See README.md in this directory for the arrays.
  std::unique_ptr<Query> frame(std::uint64_t scene, std::uint64_t frame,
                               const FrameOptions& options = {});
  std::unique_ptr<Query> frame_at(std::uint64_t index,
                                  const FrameOptions& options = {});

  /// Returns a scene's records with rebased intervals: "frames.timestamp" ...
  std::unique_ptr<Query> scene(std::uint64_t scene);

  /// Returns a scene to be changed in memory.
  std::unique_ptr<SceneArraysQuery> scene_arrays(std::uint64_t scene);

  /// Returns the motion of the ego vehicle, or of a track, over a whole scene, and the
  /// scene's anomalies. See README.md in this directory for the arrays.
  std::unique_ptr<Query> timeline(std::uint64_t scene,
                                  std::optional<std::uint64_t> track_id = std::nullopt,
                                  Parts parts = {});

  /// Returns the facts of scenes and tracks, by which scenarios are found.
  ///
  /// @param lights  of the semantic map; null without a map
  std::unique_ptr<FactsQuery> facts(
      std::shared_ptr<const facts::LightsOfMap> lights = {});

  /// Returns L5Kit's table as text "table".
  std::unique_ptr<Query> summary();

  /// Returns, for each agent, the number of past and future frames in which its track
  /// is visible; one scene per step, starting at scene `first`. Throws invalid_argument
  /// for NaN in the rules.
  std::unique_ptr<SelectQuery> select(const scene::SelectionRules& rules = {},
                                      std::uint64_t first = 0);

  /// Returns every scene as records, for copying the data set.
  std::unique_ptr<RecordsQuery> scene_records();

  /// Returns the limits of the values of every chunk, one chunk per step.
  std::unique_ptr<StatisticsQuery> statistics(StatisticsOptions options);

  /// Returns the items of an agent data set for the given rules and minima.
  std::unique_ptr<AgentIndexQuery> agent_index(const AgentIndexOptions& options);

  /// Returns "indices", <i8: the frames (items of an ego data set) in a scene or frame.
  std::unique_ptr<Query> ego_items(scene::AgentScope scope);

  /// Returns "indices", <i8: the items of `index` in a scene or frame.
  std::unique_ptr<Query> agent_items(std::shared_ptr<const scene::AgentIndex> index,
                                     scene::AgentScope scope);

  /// Returns L5Kit's samples. `map` and `aerial` may be null if the config's map_type
  /// does not need them.
  ///
  /// Throws  Config errors: missing_key for a missing key, invalid_argument for an
  ///         invalid value and for a required map that is null, unsupported for an
  ///         unsupported map_type.
  std::unique_ptr<SampleQuery> samples(
      const SampleOptions& options, map::MapSource map = {},
      std::shared_ptr<const map::AerialImage> aerial = {});

  /// Returns the items of a plan in batches. See reader::plan_from_json for the JSON and
  /// its errors.
  std::unique_ptr<ReaderQuery> reader(std::string_view plan);
  std::unique_ptr<ReaderQuery> reader(const reader::Plan& plan);

  /// Returns a reader that counts the items of a plan's epoch, which ReaderQuery does
  /// not know without reading: add the batch sizes, one batch per block.
  std::unique_ptr<ReaderQuery> reader_of_counts(const reader::Plan& plan);

  /// Readers made from now on ignore the statistics of a chunk if `version` returns
  /// another mark for its object than the statistics contain; "" is not compared. It is
  /// called while a query advances, once per reader and chunk, and must be quick.
  void set_version(std::function<std::string(const std::string& key)> version);

  /// Answer requests; see Store.
  void supply(const store::Request& request, OwnedBytes bytes);
  void supply_absent(std::string_view key);

  /// Forgets that the chunk `key` is damaged or absent, or all such chunks if `key` is
  /// empty. Until then, queries that need it throw the same error without requesting it
  /// again.
  ///
  /// Returns  The keys of the damaged objects, once per damaged chunk: a host must not
  ///          supply cached bytes of these objects.
  std::vector<std::string> forget_failures(std::string_view key = {});

  /// Returns the metadata as JSON: {format, attrs, labels, arrays: {path: {shape,
  /// chunks, dtype, order, fill_value, compressor, filters}}, has_traffic_light_faces}.
  std::string describe() const;

  /// Returns an array of the data set, as it is stored; null if there is none.
  const store::Array* array(std::string_view path) const;

  /// Returns the tags of the scenes, for filters; the metadata has been read.
  ///
  /// Throws  As reader::SceneTags::parse().
  std::shared_ptr<const reader::SceneTags> tags();

  store::CacheStats cache() const;

  /// Returns the requested chunks that do not exist: read as fill values, or refused.
  std::vector<std::string> absent_chunks() const;
  std::size_t absent_count() const;

 private:
  explicit Engine(std::shared_ptr<EngineState> state) noexcept;

  std::shared_ptr<EngineState> state_;
};

}  // namespace bev
