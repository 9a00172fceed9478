#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "core/reader/plan.hpp"

namespace bev::reader {

/// Cuts the windows of one scene: around frames, or around a track in a frame.
///
/// Lifetime       The timestamps outlive it.
/// Thread safety  None: cut() remembers the windows cut before, for those that must not
///                overlap.
class WindowCutter {
 public:
  /// A row of a window that does not exist.
  static constexpr std::uint32_t kAbsent = std::numeric_limits<std::uint32_t>::max();

  /// Returns the row of the window's track in a frame of the scene, or kAbsent.
  using Find = std::function<std::uint32_t(std::size_t frame)>;

  /// @param timestamps  of all frames of the scene in nanoseconds; or, of a table without
  ///                    frames, in the unit of Window::max_gap
  WindowCutter(const Window& window, std::span<const std::int64_t> timestamps)
      : window_(window), timestamps_(timestamps) {}

  /// Cuts the window around a frame, which find() must find.
  ///
  /// @param track  of the window; the same for all windows of frames
  /// @param out    rows from the oldest to the newest
  /// @returns whether there is such a window
  bool cut(std::size_t frame, std::uint64_t track, const Find& find,
           std::span<std::uint32_t> out);

 private:
  bool follow(std::size_t frame, int direction, const Find& find,
              std::span<std::uint32_t> out) const;
  bool too_far(std::size_t a, std::size_t b) const;

  const Window& window_;
  std::span<const std::int64_t> timestamps_;
  std::map<std::uint64_t, std::int64_t> last_;  // frame of a track's last window
};

/// Replaces absent rows of a window by the next present row towards the anchor.
void clamp(std::span<std::uint32_t> rows, std::size_t anchor) noexcept;

}  // namespace bev::reader
