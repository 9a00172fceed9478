#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/reader/plan.hpp"
#include "core/scan/block_rows.hpp"
#include "core/scene/tracks.hpp"

namespace bev {

/// Items of some blocks, in stored order.
struct ReaderItems {
  std::vector<TableRow> rows;  ///< of all items and their windows, each once per block
  /// Per item its rows, from the oldest to the newest: indices into `rows`, or
  /// WindowCutter::kAbsent. Empty without windows: item i is row i.
  std::vector<std::uint32_t> windows;
  std::vector<std::size_t> block_ends;  ///< number of rows after each block

  void clear() noexcept {
    rows.clear();
    windows.clear();
    block_ends.clear();
  }
};

/// Cuts windows around the rows of a block. Those of a table without frames consist of its
/// rows as stored, also of other blocks.
///
/// Lifetime  Table and window outlive it. Reuses its memory.
/// Throws    The errors of Reader::read; unsupported for tables with frames but without
///           tracks, and for options that a table does not have; not_found for
///           Window::time; limit_exceeded for too many rows at once.
class BlockWindows {
 public:
  BlockWindows(const ReaderTable& table, const reader::Window& window);

  /// Appends the windows of the rows whose mask is not 0. Returns false while requests are
  /// pending; `out` is then unchanged.
  bool cut(store::Reader& reader, const BlockRows& block,
           std::span<const std::uint8_t> mask, ReaderItems& out);

 private:
  bool cut_stored(store::Reader& reader, const BlockRows& block,
                  std::span<const std::uint8_t> mask, ReaderItems& out);
  bool read_times(store::Reader& reader, const scene::Interval& rows);
  bool read(store::Reader& reader, const BlockRows& block);
  void find(const BlockRows& block, std::span<const std::uint8_t> mask,
            std::size_t earlier);
  void append(const BlockRows& block, ReaderItems& out);

  const ReaderTable& table_;
  const reader::Window& window_;
  std::optional<zarr::Column> time_;      ///< of a table without frames
  std::vector<std::byte> times_;          ///< its values
  std::vector<std::int64_t> timestamps_;  ///< of the block's frames
  std::vector<std::uint64_t>
      track_ids_;  ///< of the block's rows, if windows are of tracks
  scene::TrackIndex tracks_;
  std::vector<std::uint32_t> found_;  ///< windows: rows of the block
  std::vector<std::uint8_t> used_;    ///< per row of the block
};

}  // namespace bev
