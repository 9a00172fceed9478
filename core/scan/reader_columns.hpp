#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/state.hpp"
#include "core/reader/view.hpp"
#include "core/scene/dataset.hpp"
#include "core/store/reader.hpp"

namespace bev {

/// A row of a reader's table, with the frame and scene it belongs to.
struct TableRow {
  std::int64_t row = 0;
  std::int64_t frame = 0;        ///< row in `frames`
  std::int64_t first_frame = 0;  ///< first frame of the scene
  std::uint32_t scene = 0;
};

/// Ascending rows of a table: `count` consecutive ones from `first`, or a list.
struct RowSet {
  std::int64_t first = 0;
  std::size_t count = 0;
  /// The rows. May be empty for consecutive rows if no column of a frame or scene is
  /// read.
  std::span<const TableRow> rows = {};
};

/// The arrays and the view that a reader reads.
struct ReaderTable {
  reader::View view;
  const store::Array* array = nullptr;
  const scene::ChunkedDataset* dataset = nullptr;  ///< null for an array without scenes
  const store::Array* scenes = nullptr;
  const store::Array* frames = nullptr;

  bool has_scenes() const noexcept { return dataset != nullptr; }
};

/// Opens the table at `path`; nullopt while requests are pending.
///
/// Throws  not_found if there is no such array; unsupported for records with more than
///         one axis.
std::optional<ReaderTable> open_table(EngineState& state, store::Reader& reader,
                                      const std::string& path);

/// One read of rows of an array: columns into memory, in native byte order.
///
/// Lifetime  Columns and memory outlive run(), which may be repeated.
/// Throws    As Reader::read; limit_exceeded for more than 1 GiB.
class ArrayRead {
 public:
  ArrayRead(store::Reader& reader, const store::Array& array)
      : reader_(reader), array_(array) {}

  void add(const zarr::Column& column, std::span<std::byte> out);

  /// Adds a field of the array, if it exists.
  template <class T>
  void add(std::string_view field, std::vector<T>& out, std::size_t count) {
    out.resize(count);
    add_named(field, std::as_writable_bytes(std::span(out)));
  }

  /// Read these rows, `count` per column; return false while requests are pending.
  bool run(std::span<const std::int64_t> rows);
  bool run(std::int64_t first, std::size_t count);

 private:
  void add_named(std::string_view field, std::span<std::byte> out);
  store::RowSelection run_of(std::int64_t first, std::size_t count) const;
  bool read(const store::RowSelection& rows);
  bool in_consecutive_chunks(std::span<const std::int64_t> rows) const;
  bool run_dense(std::span<const std::int64_t> rows, std::size_t span);

  store::Reader& reader_;
  const store::Array& array_;
  std::vector<const zarr::Column*> columns_;
  std::vector<std::unique_ptr<zarr::Column>> own_;
  std::vector<zarr::ColumnSlot> slots_;
};

/// Reads columns of a view: stored ones of rows, frames and scenes, and derived ones.
///
/// Lifetime       The table outlives the loader. Reuses its memory.
/// Throws         As Reader::read; limit_exceeded for results above 1 GiB.
/// Thread safety  As the store.
class ColumnLoader {
 public:
  explicit ColumnLoader(const ReaderTable& table) : table_(table) {}

  /// Makes load() read only these elements of a stored column.
  void narrow(std::size_t column, reader::ElementRange elements);

  /// Reads the columns at these positions of the view, in native byte order. Returns
  /// false while requests are pending.
  ///
  /// @param out  per column, rows x width elements, or those of narrow()
  bool load(store::Reader& reader, const RowSet& rows,
            std::span<const std::size_t> columns,
            std::span<const std::span<std::byte>> out);

  /// Returns whether any of the columns has one value per frame or scene.
  bool needs_rows(std::span<const std::size_t> columns) const;

  /// Returns what load() reads of the table's own array for these columns, without
  /// memory.
  std::vector<zarr::ColumnSlot> slots_of(std::span<const std::size_t> columns) const;

  /// Returns the bytes of a row of a column.
  std::size_t row_bytes(std::size_t column) const;

 private:
  struct Wanted {
    const reader::ViewColumn* column = nullptr;
    std::span<std::byte> out;
  };

  const reader::ViewColumn& at(std::size_t column) const;
  bool load_rows(store::Reader& reader, const RowSet& rows);
  bool load_frames(store::Reader& reader, const RowSet& rows);
  bool load_scenes(store::Reader& reader, const RowSet& rows);
  void list_frames(const RowSet& rows);
  void derive_from_row(const Wanted& wanted, const RowSet& rows,
                       std::span<const std::byte> input) const;
  void derive_from_frame(const Wanted& wanted, const RowSet& rows) const;
  bool wants(std::initializer_list<reader::Origin> origins) const;

  const ReaderTable& table_;
  std::map<std::size_t, reader::ViewColumn> narrowed_;
  std::vector<Wanted> wanted_;
  // The frames of the rows, each once, and the values that columns derive from.
  std::vector<std::int64_t> frames_, first_frames_;
  std::vector<std::uint32_t> frame_of_row_, first_frame_of_row_;
  std::vector<std::int64_t> times_, first_times_;
  std::vector<scene::Interval> agents_, faces_;
  std::vector<std::array<double, 3>> ego_;
};

}  // namespace bev
