#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Finds tracks in frames by id. If an id occurs twice in a frame, its first row
/// counts.
///
/// Lifetime  The spans passed to rebuild() outlive the index. Memory is reused by the
///           next rebuild().
class TrackIndex {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Indexes the agents of frames in n log n.
  ///
  /// @param frames  the rows of each frame, counted like `first`
  /// @param first   the row of track_ids[0]
  void rebuild(std::span<const Interval> frames, std::int64_t first,
               std::span<const std::uint64_t> track_ids);

  /// Returns the position in track_ids of that track in that frame, or kNone.
  std::size_t find(std::size_t frame, std::uint64_t track_id) const;

 private:
  std::span<const Interval> frames_;
  std::int64_t first_ = 0;
  std::span<const std::uint64_t> track_ids_;
  std::vector<std::size_t> order_;  // rows sorted by id within each frame
};

}  // namespace bev::scene
