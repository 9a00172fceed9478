#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/decode.hpp"

namespace bev::bench {

/// Columns of a range of rows, and the memory they are decoded to.
class Question {
 public:
  Question(const zarr::ArrayMeta& meta, zarr::RowRange rows,
           const std::vector<std::string>& fields)
      : meta_(meta), rows_(rows), columns_(zarr::columns_of(meta.dtype, fields)) {
    memory_.reserve(columns_.size());
    for (const zarr::Column& column : columns_) {
      memory_.emplace_back(rows.size() * column.type.size());
      slots_.push_back({column.offset, column.type.size(), memory_.back()});
    }
  }

  /// Decodes them from the encoded chunk.
  void ask(std::span<const std::byte> chunk) const { ask(chunk, rows_.begin); }

  /// As above, for as many rows from `begin` on.
  void ask(std::span<const std::byte> chunk, std::size_t begin) const {
    zarr::decode_columns(meta_, {"agents/0", chunk}, {begin, begin + rows_.size()},
                         slots_);
    keep(memory_.front().data());
  }

  /// Whether the last decoded values equal those in the chunk's records.
  bool is_answered(std::span<const std::byte> records) const {
    const std::size_t record = meta_.dtype.size();
    for (const zarr::ColumnSlot& slot : slots_) {
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        const std::size_t at = (rows_.begin + i) * record + slot.offset;
        if (std::memcmp(slot.out.data() + i * slot.size, records.data() + at,
                        slot.size)) {
          return false;
        }
      }
    }
    return true;
  }

 private:
  const zarr::ArrayMeta& meta_;
  zarr::RowRange rows_;
  std::vector<zarr::Column> columns_;
  std::vector<std::vector<std::byte>> memory_;
  std::vector<zarr::ColumnSlot> slots_;
};

}  // namespace bev::bench
