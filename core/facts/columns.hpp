#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/facts/scene_facts.hpp"
#include "core/reader/filter.hpp"

namespace bev::facts {

/// The tables of facts.
enum class TableKind : std::uint8_t { scenes, tracks };

/// Returns the table of a name: "scenes" or "tracks". Throws invalid_argument.
TableKind table_kind(std::string_view name);

/// A column of a table of facts.
struct FactColumn {
  std::string_view name;
  std::string_view dtype;                        ///< NumPy's code
  std::string_view unit;                         ///< "m/s"; "" without a unit
  std::span<const std::string_view> names = {};  ///< of integers that stand for names
  /// Columns with the frame and the track of the fact; "" if it has none.
  std::string_view frame = {}, track = {};
};

/// Returns the columns of a table, in the order of docs/scenarios.md.
std::span<const FactColumn> columns_of(TableKind kind);

/// Returns the schema of a table, for filters.
reader::Schema schema_of(TableKind kind);

/// Facts by column.
///
/// Shapes  columns[i] has `rows` values of columns_of(kind)[i].dtype, in native order.
struct FactTable {
  explicit FactTable(TableKind of);

  void append(const SceneFacts& row);   ///< to a table of scenes
  void append(const TrackFacts& row);   ///< to a table of tracks
  void append(const FactTable& other);  ///< of the same kind
  void clear() noexcept;

  TableKind kind;
  std::size_t rows = 0;
  std::vector<std::vector<std::byte>> columns;
};

/// Describes both tables as JSON: {"version": 1, "scenes": [{"name", "dtype", "unit",
/// "names", "frame", "track"}], "tracks": [..]}.
std::string describe();

}  // namespace bev::facts
