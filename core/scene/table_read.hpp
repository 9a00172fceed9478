#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/scene/dataset.hpp"
#include "core/store/reader.hpp"
#include "core/store/selection.hpp"
#include "core/zarr/column.hpp"

namespace bev::scene {

/// One read of rows: some columns into vectors. Checks the result's size before it
/// allocates memory.
///
/// Lifetime  Columns and vectors outlive run(), which fills them and returns false
///           while requests are pending.
/// Throws    out_of_range for rows that do not exist, limit_exceeded for too many rows;
///           otherwise as Reader::read.
class TableRead {
 public:
  TableRead(const ChunkedDataset::Table& table, Interval rows)
      : array_(*table.array),
        rows_(store::RowSelection::range(array_.path, array_.length(), rows.begin,
                                         rows.end)) {
    store::result_bytes(array_, rows_.count, array_.meta.dtype.size());
  }

  /// Adds a column of type T; the type was checked when the table was opened.
  template <class T>
  TableRead& column(const zarr::Column& column, std::vector<T>& out) {
    out.resize(rows_.count);
    return add(column, std::as_writable_bytes(std::span(out)));
  }

  /// Adds the bytes of a string column.
  TableRead& text(const zarr::Column& column, std::vector<std::byte>& out) {
    out.resize(rows_.count * column.type.size());
    return add(column, out);
  }

  bool run(store::Reader& reader, store::Access access = store::Access::parts) const {
    std::array<zarr::ColumnSlot, kMaxTargets> slots;
    for (std::size_t i = 0; i < count_; ++i) {
      const auto& column = *targets_[i].column;
      slots[i] = {column.offset, column.type.size(), targets_[i].out};
    }
    if (!reader.read(array_, rows_, std::span(slots).first(count_), access)) {
      return false;
    }
    for (std::size_t i = 0; i < count_; ++i) {
      zarr::to_native(targets_[i].column->type, targets_[i].out);
    }
    return true;
  }

 private:
  /// A column and the memory for its values.
  struct Target {
    const zarr::Column* column = nullptr;
    std::span<std::byte> out;
  };

  static constexpr std::size_t kMaxTargets = 6;  // number of an agent's fields

  TableRead& add(const zarr::Column& column, std::span<std::byte> out) {
    targets_[count_++] = {&column, out};
    return *this;
  }

  const store::Array& array_;
  store::RowSelection rows_;
  std::array<Target, kMaxTargets> targets_;
  std::size_t count_ = 0;
};

}  // namespace bev::scene
