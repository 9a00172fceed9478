#pragma once

#include <cstdint>
#include <limits>

namespace bev::scene {

/// Returns the seconds from one timestamp to a later one; NaN if it is not later.
inline double seconds_between(std::int64_t from_ns, std::int64_t to_ns) noexcept {
  if (to_ns <= from_ns) return std::numeric_limits<double>::quiet_NaN();
  const auto ticks =
      static_cast<std::uint64_t>(to_ns) - static_cast<std::uint64_t>(from_ns);
  return static_cast<double>(ticks) * 1e-9;
}

}  // namespace bev::scene
