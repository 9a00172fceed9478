#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/query.hpp"
#include "core/scene/agent_index.hpp"
#include "core/scene/agent_interval.hpp"
#include "core/scene/frame_view.hpp"
#include "core/scene/select_agents.hpp"
#include "core/store/box_selection.hpp"
#include "core/store/request.hpp"
#include "core/store/selection.hpp"

namespace bev::map {
class AerialImage;
class SemanticMap;
}  // namespace bev::map

namespace bev {

struct EngineState;
class AgentIndexQuery;
class RecordsQuery;
class SampleQuery;
class SelectQuery;
struct AgentIndexOptions;
struct SampleOptions;

/// Rows to read of an array: by half-open range and step (see RowSelection), by list,
/// or by mask; or a box of its elements.
struct Rows {
  enum class Layout { columns, records };

  std::string array;  ///< its path; "" where the store itself is an array
  std::optional<std::int64_t> begin =
      std::nullopt;  ///< the first; of step < 0 the last
  std::int64_t end = store::kToEnd;
  std::int64_t step = 1;
  std::optional<std::vector<std::int64_t>> indices =
      std::nullopt;                      ///< these, in this order
  std::vector<std::string> fields = {};  ///< all of them if empty
  Layout layout = Layout::columns;
  std::optional<std::vector<std::uint8_t>> mask =
      std::nullopt;  ///< those that are not 0 here; one for each row
  std::optional<std::vector<store::AxisSlice>> axes =
      std::nullopt;  ///< in place of rows, of each axis this, of one field
};

/// The facade both doors use: questions about one store, answered from what a host
/// supplies. It opens nothing, waits for nothing and never calls back.
///
/// Units     The budget is bytes of encoded chunks.
/// Errors    A query that cannot be asked throws at once (invalid_argument); the rest
///           shows in its missing() or build(). After any error the engine goes on.
/// Threads   An engine and its queries belong to one thread.
class Engine {
 public:
  /// 256 MiB: what a browser spares, some 450 chunks of L5Kit's agents.
  static constexpr std::size_t kByteBudget = std::size_t{256} << 20;

  using FrameOptions = scene::FrameOptions;

  /// @param missing  what reads of absent chunks do, in all arrays; nullopt: `error` in
  ///                 L5Kit's four, whose rows are named by intervals, else `fill`
  explicit Engine(std::size_t byte_budget = kByteBudget,
                  std::optional<store::Missing> missing = std::nullopt);

  /// Reads the metadata of the store. The result is empty; describe() knows then.
  std::unique_ptr<Query> open();

  /// Columns named by path, of shape (rows, ...), or one array "records" of raw bytes;
  /// of a box, one of them in the shape of that.
  std::unique_ptr<Query> rows(Rows rows);

  /// Frame `frame` of scene `scene`, or by its index in the whole data set. The arrays
  /// are listed in README.md beside this file.
  std::unique_ptr<Query> frame(std::uint64_t scene, std::uint64_t frame,
                               const FrameOptions& options = {});
  std::unique_ptr<Query> frame_at(std::uint64_t index,
                                  const FrameOptions& options = {});

  /// A scene with all that belongs to it, intervals rebased: "frames.timestamp" ...
  std::unique_ptr<Query> scene(std::uint64_t scene);

  /// A scene as a whole: how the ego vehicle moves, or a track, and what is odd. The
  /// arrays are listed in README.md beside this file.
  std::unique_ptr<Query> timeline(std::uint64_t scene,
                                  std::optional<std::uint64_t> track_id = std::nullopt);

  /// L5Kit's table, as a text "table".
  std::unique_ptr<Query> summary();

  /// How long every agent is to be seen, scene by scene from scene `first` on. Throws
  /// invalid_argument for rules that are no numbers.
  std::unique_ptr<SelectQuery> select(const scene::SelectionRules& rules = {},
                                      std::uint64_t first = 0);

  /// Every scene as records, for what is copied out of the data set.
  std::unique_ptr<RecordsQuery> scene_records();

  /// The items of an agent data set, of the rules and minima given; see there.
  std::unique_ptr<AgentIndexQuery> agent_index(const AgentIndexOptions& options);

  /// "indices", <i8: which frames, the items of an ego data set, belong to a scene or
  /// a frame.
  std::unique_ptr<Query> ego_items(scene::AgentScope scope);

  /// "indices", <i8: which items of `index` belong to a scene or a frame.
  std::unique_ptr<Query> agent_items(std::shared_ptr<const scene::AgentIndex> index,
                                     scene::AgentScope scope);

  /// L5Kit's samples. Throws what is wrong with the config: missing_key for a key that
  /// is not there, invalid_argument for a value that cannot be and for a map that is
  /// wanted and absent, unsupported for one that is not drawn.
  /// The map and the aerial image may be absent where no map_type asks for them.
  std::unique_ptr<SampleQuery> samples(
      const SampleOptions& options, std::shared_ptr<const map::SemanticMap> map = {},
      std::shared_ptr<const map::AerialImage> aerial = {});

  /// Answers to requests; see Store.
  void supply(const store::Request& request, OwnedBytes bytes);
  void supply_absent(std::string_view key);

  /// Forgets that the chunk `key` is damaged or absent, or all such chunks if `key` is
  /// empty. Until then queries that need it throw the same error without requesting it
  /// again.
  ///
  /// Returns  The keys of the damaged objects, once per damaged chunk: a host must not
  ///          supply bytes of theirs that it keeps.
  std::vector<std::string> forget_failures(std::string_view key = {});

  /// What the metadata says, as JSON: {format, attrs, labels, arrays: {path: {shape,
  /// chunks, dtype, order, fill_value, compressor, filters}}, has_traffic_light_faces}.
  std::string describe() const;

  store::CacheStats cache() const;

  /// Chunks that were asked for and do not exist: read as fill values, or refused.
  std::vector<std::string> absent_chunks() const;
  std::size_t absent_count() const;

 private:
  std::shared_ptr<EngineState> state_;
};

}  // namespace bev
