#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/filter.hpp"
#include "core/zarr/column.hpp"

namespace bev::reader {

/// Tables that a reader can read rows of. All but `scenes` and `other` are divided into
/// blocks by scene, those by chunk.
enum class TableKind : std::uint8_t { scenes, frames, agents, faces, other };

/// Returns the kind of the array at `path`.
TableKind table_kind(std::string_view path) noexcept;

/// What a column has one value for. Columns of a level are read before those of the
/// next, and rows that they exclude are not read.
enum class Level : std::uint8_t { scene, frame, row };

/// Origin of a column's values.
enum class Origin : std::uint8_t {
  stored,           ///< a field of the level's array
  row,              ///< number of the row in its array
  scene,            ///< number of the scene
  frame,            ///< number of the frame in its scene
  frame_index,      ///< row of the frame in `frames`
  time,             ///< seconds since the first frame of the scene
  frame_count,      ///< frames of the scene
  agent_count,      ///< agents of the frame
  face_count,       ///< traffic light faces of the frame
  speed,            ///< length of the agent's velocity
  distance_to_ego,  ///< from the agent's centroid to the ego vehicle's, as FrameView
  label,            ///< most probable label
  probability,      ///< of that label
  agent_class,      ///< scene::AgentClass
  kept,   ///< whether the agent passes L5Kit's filter at its default threshold
  state,  ///< scene::FaceState
};

/// A column of a view.
struct ViewColumn {
  Level level = Level::row;
  Origin origin = Origin::stored;
  zarr::Column stored = {};  ///< as stored, if `origin` is stored

  /// Stored columns that a derived column of the row's own array needs.
  std::vector<zarr::Column> inputs = {};

  /// Whether it says which rows of another column are not null.
  bool is_validity = false;
};

/// A table with columns of its own array, of the frame and scene of each row, and
/// derived ones.
struct View {
  TableKind kind = TableKind::other;
  Schema schema;                    ///< types in native byte order
  std::vector<ViewColumn> columns;  ///< as many as the schema's

  /// Returns the position of a column. Throws not_found; the message lists the known
  /// names.
  std::size_t find(std::string_view name) const;

  /// Returns the positions of the stored fields of the table's own array, without those
  /// that say which rows of another are not null.
  std::vector<std::size_t> stored() const;
};

/// The fields of a view's arrays; empty where a table has none.
struct ViewFields {
  std::vector<zarr::Column> scenes, frames, rows;
};

/// Returns the view of a table. Types that filters and results do not support (records,
/// complex numbers, raw bytes) are left out.
View make_view(TableKind kind, const ViewFields& fields);

}  // namespace bev::reader
