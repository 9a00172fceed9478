#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/scene/records.hpp"

namespace bev::scene {

/// Finds tracks again in frames, by id. Where an id occurs twice in a frame, its first
/// row counts.
///
/// Lifetime  What it was made of outlives it. Memory is kept from one rebuild() to the
///           next.
class TrackIndex {
 public:
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

  /// Takes up the agents of frames; n log n in the agents there are.
  ///
  /// @param frames  the rows of each frame, counted like `first`
  /// @param first   the row that is track_ids[0]
  void rebuild(std::span<const Interval> frames, std::int64_t first,
               std::span<const std::uint64_t> track_ids);

  /// The place in track_ids of that track in that frame, or kNone.
  std::size_t find(std::size_t frame, std::uint64_t track_id) const;

 private:
  std::span<const Interval> frames_;
  std::int64_t first_ = 0;
  std::span<const std::uint64_t> track_ids_;
  std::vector<std::size_t> order_;  // rows by id inside each frame
};

}  // namespace bev::scene
