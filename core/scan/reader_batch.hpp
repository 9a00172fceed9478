#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/engine/agent_frame.hpp"
#include "core/engine/result_set.hpp"
#include "core/reader/batch_field.hpp"
#include "core/reader/plan.hpp"
#include "core/scan/ragged_rows.hpp"
#include "core/scan/reader_blocks.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/zarr/text.hpp"

namespace bev {

/// Values of the columns of some rows, of which items are copied.
struct ReaderValues {
  std::vector<RawBytes> columns;

  /// The rows that have values, ascending; all rows of the items if `listed` is false.
  std::vector<std::uint64_t> rows;
  bool listed = false;

  /// Returns the position of a row's values.
  std::size_t at(std::uint64_t row) const;
};

/// The arrays of a reader's batch.
///
/// Lifetime  Plan and table outlive it. Its arrays are valid until clear().
class ReaderBatch {
 public:
  /// Determines the arrays.
  ///
  /// @param loader  of the table
  /// Throws  not_found for an unknown field; invalid_argument for a transform that the
  ///         table does not have; unsupported for fields of variable length if damaged
  ///         data is skipped
  ReaderBatch(const reader::Plan& plan, const ReaderTable& table,
              const ColumnLoader& loader);

  /// The columns of the view that the arrays need, each once.
  std::span<const std::size_t> columns() const noexcept { return columns_; }

  /// The arrays, strings without their offsets.
  std::vector<reader::BatchField> fields() const;

  /// Number of items.
  std::size_t size() const noexcept { return size_; }

  void clear() noexcept;

  /// Appends items.
  ///
  /// @param taken   their numbers in `items`
  /// @param padded  whether each repeats an item, if shards are padded
  void append(std::span<const std::uint64_t> taken,
              std::span<const std::uint8_t> padded, const ReaderItems& items,
              const ReaderValues& values);

  /// Reads the values of fields of variable length, once all items are appended. Returns
  /// false while requests are pending.
  bool load_ragged(store::Reader& reader);

  /// Returns the numbers of the items' rows. The only field is "row".
  std::vector<std::int64_t> rows() const;

  /// Returns for each item whether it repeats one; empty unless shards are padded.
  std::span<const std::uint8_t> padded() const noexcept { return padded_; }

  /// Adds the arrays to a result.
  void emit(ResultSet& results);

  /// Moves the memory of the arrays to an object that the arrays live as long as.
  std::shared_ptr<const void> take_memory();

 private:
  struct Output {
    std::string name;
    std::size_t column = 0;                ///< in columns_
    std::optional<std::uint32_t> at = {};  ///< one row of the window
    std::size_t row_bytes = 0;
    FrameChange change = FrameChange::none;
    std::vector<std::size_t> shape = {0};  ///< the number of items comes first
    RawBytes bytes = {};                   ///< intervals, of fields of variable length
    RawBytes floats = {};                  ///< of half floats
    zarr::Text text = {};
    const store::TableField* field = nullptr;
    std::optional<RaggedRows> ragged = {};
  };

  void add(std::string name, std::size_t column, const ColumnLoader& loader,
           std::optional<std::uint32_t> at = std::nullopt);
  void add_validity(const ColumnLoader& loader);
  std::size_t column_of(std::size_t column);
  reader::BatchField field_of(const Output& output) const;
  bool load_parts(store::Reader& reader, std::vector<RaggedRows*>& pending);
  void emit_ragged(Output& output, ResultSet& results);
  void add_transform();
  AgentFrame frame_of(std::uint64_t item, const ReaderItems& items,
                      const ReaderValues& values) const;
  void transform(Output& output, std::size_t begin,
                 std::span<const std::uint64_t> taken, const ReaderItems& items,
                 const ReaderValues& values) const;
  void append_mask(std::span<const std::uint64_t> taken, const ReaderItems& items);
  std::vector<std::uint64_t> places_of(std::span<const std::uint64_t> taken,
                                       std::optional<std::uint32_t> at,
                                       const ReaderItems& items,
                                       const ReaderValues& values) const;
  void copy_values(std::span<const std::uint64_t> taken, const ReaderItems& items,
                   const ReaderValues& values, std::span<std::size_t> to);
  std::optional<std::uint64_t> row_of(std::uint64_t item, std::uint32_t at,
                                      const ReaderItems& items) const;
  bool has_mask() const noexcept;
  /// Returns how many rows of a window an output has.
  std::size_t window_rows(const Output& output) const noexcept {
    return plan_.window && !output.at ? plan_.window->length() : 1;
  }

  const reader::Plan& plan_;
  const ReaderTable& table_;
  std::vector<std::size_t> columns_;
  std::vector<Output> outputs_;
  std::size_t centroid_ = 0, yaw_ = 0;  // in columns_, if values are transformed
  std::vector<std::uint8_t> mask_, padded_;
  std::size_t size_ = 0;
};

}  // namespace bev
