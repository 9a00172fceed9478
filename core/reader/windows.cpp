#include "core/reader/windows.hpp"

#include <algorithm>

namespace bev::reader {

bool WindowCutter::too_far(std::size_t a, std::size_t b) const {
  if (!window_.max_gap_s && !window_.max_gap) return false;
  const auto from = timestamps_[std::min(a, b)];
  const auto to = timestamps_[std::max(a, b)];
  if (to < from) return true;
  const auto ticks = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  if (window_.max_gap) return static_cast<double>(ticks) > *window_.max_gap;
  return static_cast<double>(ticks) * 1e-9 > *window_.max_gap_s;
}

/// Finds the rows on one side of the anchor, which is in place. Returns false if one is
/// absent and the window must be complete.
bool WindowCutter::follow(std::size_t frame, int direction, const Find& find,
                          std::span<std::uint32_t> out) const {
  const auto reach = direction < 0 ? window_.past : window_.future;
  auto present = frame;  // the last one found
  bool cut_off = false;  // by a gap in time
  for (std::uint32_t i = 1; i <= reach; ++i) {
    const auto at = direction < 0 ? window_.past - i : window_.past + i;
    const auto distance = std::uint64_t{i} * window_.step;
    const bool inside =
        direction < 0 ? distance <= frame : distance < timestamps_.size() - frame;
    auto& row = out[at];
    row = kAbsent;
    if (inside && !cut_off) {
      const auto other = direction < 0 ? frame - distance : frame + distance;
      row = find(static_cast<std::size_t>(other));
      if (row != kAbsent) {
        cut_off = too_far(present, static_cast<std::size_t>(other));
        if (cut_off) row = kAbsent;
        present = static_cast<std::size_t>(other);
      }
    }
    if (row == kAbsent && window_.edges == Edges::drop) return false;
  }
  return true;
}

bool WindowCutter::cut(std::size_t frame, std::uint64_t track, const Find& find,
                       std::span<std::uint32_t> out) {
  if (frame % window_.stride != 0) return false;
  const auto at = static_cast<std::int64_t>(frame);
  const auto begin = at - std::int64_t{window_.past} * window_.step;
  if (!window_.overlap) {
    const auto last = last_.find(track);
    if (last != last_.end() && begin <= last->second) return false;
  }
  out[window_.past] = find(frame);
  if (!follow(frame, -1, find, out) || !follow(frame, 1, find, out)) return false;
  if (!window_.overlap) last_[track] = at + std::int64_t{window_.future} * window_.step;
  return true;
}

void clamp(std::span<std::uint32_t> rows, std::size_t anchor) noexcept {
  for (auto i = anchor; i > 0; --i) {
    if (rows[i - 1] == WindowCutter::kAbsent) rows[i - 1] = rows[i];
  }
  for (auto i = anchor + 1; i < rows.size(); ++i) {
    if (rows[i] == WindowCutter::kAbsent) rows[i] = rows[i - 1];
  }
}

}  // namespace bev::reader
