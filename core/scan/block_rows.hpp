#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/scan/reader_columns.hpp"
#include "core/scene/intervals.hpp"
#include "core/store/reader.hpp"

namespace bev {

/// Returns the number of rows of an interval that does not end before it begins.
inline std::size_t size_of(const scene::Interval& rows) {
  return static_cast<std::size_t>(rows.end - rows.begin);
}

/// The rows of a table in one scene, and the frames that they belong to; or consecutive
/// rows of a table without scenes.
///
/// Throws  read_scene() and read_frames() throw the errors of Reader::read, and
///         unsupported if scenes or frames do not follow each other without gaps.
class BlockRows {
 public:
  explicit BlockRows(const ReaderTable& table) : table_(table) {}

  /// Sets the rows of a table without scenes.
  void set_rows(const scene::Interval& rows) { rows_ = rows; }

  /// Reads the frames of a scene, and the intervals beside it: all scenes together then
  /// hold every frame exactly once. Returns false while requests are pending.
  bool read_scene(store::Reader& reader, std::uint64_t scene);

  /// Reads the rows of the scene's frames, and those of the frames beside it. Returns
  /// false while requests are pending.
  bool read_frames(store::Reader& reader);

  std::uint32_t scene() const noexcept { return scene_; }
  const scene::Interval& frames() const noexcept { return frames_; }
  const scene::Interval& rows() const noexcept { return rows_; }
  /// Per frame its rows; empty if each frame is a row.
  const std::vector<scene::Interval>& intervals() const noexcept { return intervals_; }

  /// Returns the rows of the block's frame number `frame`.
  scene::Interval rows_of(std::size_t frame) const;

  /// Returns the number of the block's frame that holds a row.
  std::size_t frame_of(std::int64_t row) const;

  /// Returns a row of the block's frame number `frame`.
  TableRow table_row(std::int64_t row, std::size_t frame) const;

  /// Appends the block's rows whose mask is not 0. Throws limit_exceeded above 2^32 - 2
  /// rows in all.
  void append(std::span<const std::uint8_t> mask, std::vector<TableRow>& out) const;

 private:
  const ReaderTable& table_;
  std::uint32_t scene_ = 0;
  scene::Interval frames_;                  ///< rows of `frames`
  scene::Interval rows_;                    ///< rows of the table
  std::vector<scene::Interval> intervals_;  ///< rows of each frame
};

}  // namespace bev
