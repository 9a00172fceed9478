#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/store/selection.hpp"
#include "core/zarr/decode.hpp"

namespace bev::store {

/// The rows of a selection, grouped by chunk.
///
/// Lifetime  The selection outlives it.
class RowsByChunk {
 public:
  RowsByChunk(const RowSelection& rows, std::uint64_t chunk_rows)
      : rows_(rows),
        chunk_rows_(chunk_rows),
        sorted_(rows.indices.begin(), rows.indices.end()) {
    std::sort(sorted_.begin(), sorted_.end());
  }

  /// Returns the rows in one chunk, ascending, relative to the chunk's first row. Valid
  /// until the next call.
  std::span<const zarr::RowRange> inside(std::uint64_t chunk) {
    const auto base = chunk * chunk_rows_;
    if (sorted_.empty()) {
      const auto last = rows_.last() - base;
      const auto begin = std::max(rows_.first, base) - base;
      const auto end = std::min(last, chunk_rows_ - 1) + 1;
      run_ = {static_cast<std::size_t>(begin), static_cast<std::size_t>(end)};
      return {&run_, 1};
    }
    found_.clear();
    const auto first = static_cast<std::int64_t>(base);
    auto at = std::lower_bound(sorted_.begin(), sorted_.end(), first);
    for (; at != sorted_.end(); ++at) {
      const auto row = static_cast<std::uint64_t>(*at) - base;
      if (row >= chunk_rows_) break;
      const auto position = static_cast<std::size_t>(row);
      found_.push_back({position, position + 1});
    }
    return found_;
  }

 private:
  const RowSelection& rows_;
  std::uint64_t chunk_rows_;
  std::vector<std::int64_t> sorted_;
  zarr::RowRange run_;
  std::vector<zarr::RowRange> found_;
};

}  // namespace bev::store
