#include "core/engine/reader_windows.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/reader/windows.hpp"

namespace bev {
namespace {

using reader::TableKind;
using reader::WindowCutter;

// Rows of all windows that are held at once: 1 GiB.
constexpr std::size_t kMaxWindowRows = std::size_t{1} << 28;

void check_window_rows(std::size_t rows) {
  if (rows <= kMaxWindowRows) return;
  fail(Errc::limit_exceeded,
       {"plan.window: too many rows at once (limit ", kMaxWindowRows,
        "); use shorter windows, or the order \"blocks\" with smaller groups"});
}

}  // namespace

BlockWindows::BlockWindows(const ReaderTable& table, const reader::Window& window)
    : table_(table), window_(window) {
  const auto kind = table.view.kind;
  if (kind != TableKind::frames && kind != TableKind::agents) {
    fail(Errc::unsupported, {"plan.window: not supported for ", table.array->path,
                             " (expected frames or agents)"});
  }
}

bool BlockWindows::cut(store::Reader& reader, const BlockRows& block,
                       std::span<const std::uint8_t> mask, ReaderItems& out) {
  const bool any = std::any_of(mask.begin(), mask.end(),
                               [](std::uint8_t passes) { return passes != 0; });
  if (!any) return true;
  if (!read(reader, block)) return false;
  find(block, mask, out.windows.size());
  append(block, out);
  return true;
}

bool BlockWindows::read(store::Reader& reader, const BlockRows& block) {
  const auto& frames = block.frames();
  ArrayRead times(reader, *table_.frames);
  times.add("timestamp", timestamps_, size_of(frames));
  bool complete = times.run(frames.begin, size_of(frames));
  if (table_.view.kind != TableKind::agents) return complete;
  const auto& rows = block.rows();
  ArrayRead tracks(reader, *table_.array);
  tracks.add("track_id", track_ids_, size_of(rows));
  complete = tracks.run(rows.begin, size_of(rows)) && complete;
  if (complete) tracks_.rebuild(block.intervals(), rows.begin, track_ids_);
  return complete;
}

/// Finds the windows around the rows whose mask is not 0, and the rows that they use.
///
/// @param earlier  rows of the windows of earlier blocks
void BlockWindows::find(const BlockRows& block, std::span<const std::uint8_t> mask,
                        std::size_t earlier) {
  const bool of_tracks = table_.view.kind == TableKind::agents;
  const auto length = window_.length();
  WindowCutter cutter(window_, timestamps_);
  found_.clear();
  used_.assign(mask.size(), 0);
  std::vector<std::uint32_t> rows(length);
  std::size_t frame = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    const auto row = block.rows().begin + static_cast<std::int64_t>(i);
    while (block.rows_of(frame).end <= row) ++frame;
    const auto track = of_tracks ? track_ids_[i] : 0;
    const auto row_in = [&](std::size_t other) {
      if (!of_tracks) return static_cast<std::uint32_t>(other);
      const auto at = tracks_.find(other, track);
      return at == scene::TrackIndex::kNone ? WindowCutter::kAbsent
                                            : static_cast<std::uint32_t>(at);
    };
    if (!cutter.cut(frame, track, row_in, rows)) continue;
    rows[window_.past] = static_cast<std::uint32_t>(i);
    check_window_rows(earlier + found_.size() + length);
    found_.insert(found_.end(), rows.begin(), rows.end());
    for (const auto at : rows) {
      if (at != WindowCutter::kAbsent) used_[at] = 1;
    }
  }
}

/// Appends the used rows, and the windows with their positions among these.
void BlockWindows::append(const BlockRows& block, ReaderItems& out) {
  auto next = static_cast<std::uint32_t>(out.rows.size());
  block.append(used_, out.rows);
  std::vector<std::uint32_t> position(used_.size());
  for (std::size_t i = 0; i < used_.size(); ++i) {
    position[i] = next;
    next += used_[i];
  }
  for (const auto row : found_) {
    out.windows.push_back(row == WindowCutter::kAbsent ? row : position[row]);
  }
}

}  // namespace bev
