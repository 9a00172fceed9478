#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/reader/plan.hpp"
#include "core/scan/reader_columns.hpp"
#include "core/scan/reader_windows.hpp"

namespace bev {

/// Orders the items of a scene by track: ascending ids, and the items of each track as
/// stored.
///
/// Lifetime  The table outlives it. Reuses its memory.
/// Throws    The constructor throws unsupported for tables other than agents, and
///           not_found if agents have no ids; sort() the errors of Reader::read.
class ReaderTracks {
 public:
  ReaderTracks(const ReaderTable& table, const reader::Plan& plan);

  /// Orders the items of a block. Returns false while requests are pending.
  bool sort(store::Reader& reader, const ReaderItems& items);

  /// Returns the number of the item at a position of the order.
  std::uint64_t item(std::uint64_t position) const {
    return order_[static_cast<std::size_t>(position)];
  }

 private:
  bool read(store::Reader& reader, std::span<const TableRow> rows);

  const ReaderTable& table_;
  std::size_t window_ = 1;  ///< rows of an item
  std::size_t anchor_ = 0;  ///< the one that it was chosen for
  std::vector<std::int64_t> rows_;
  std::vector<std::uint64_t> track_ids_;  ///< of the items' rows
  std::vector<std::uint64_t> item_ids_;
  std::vector<std::uint32_t> order_;
};

/// Returns the positions of the ids, ascending by id and then by position.
///
/// Performance  n log n; linear where ids recur in the same sequence
void order_by_id(std::span<const std::uint64_t> ids, std::vector<std::uint32_t>& out);

}  // namespace bev
