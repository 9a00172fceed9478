#include "core/scan/reader_windows.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/reader/windows.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/number.hpp"

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

/// Finds the rows of tracks, from frame to frame of a window: each row's neighbours are
/// looked up once, although all windows that hold the row need them.
class TrackSteps {
 public:
  TrackSteps(const scene::TrackIndex& tracks, std::size_t rows, std::uint32_t step)
      : tracks_(tracks), step_(step), ahead_(rows, kUnknown), behind_(rows, kUnknown) {}

  /// Begins a window around a row.
  void begin(std::size_t row, std::size_t frame, std::uint64_t track) {
    row_ = static_cast<std::uint32_t>(row);
    frame_ = frame;
    track_ = track;
  }

  /// Returns the track's row in a frame. Is called for the frames on one side of the
  /// window's row after another, away from it.
  std::uint32_t row_in(std::size_t frame) {
    if (frame == frame_) return row_;
    const bool is_ahead = frame > frame_;
    const auto nearer = is_ahead ? frame - step_ : frame + step_;
    auto from = nearer == frame_ ? row_ : WindowCutter::kAbsent;
    if (nearer == last_frame_ && nearer != frame_) from = last_row_;
    last_frame_ = frame;
    if (from == WindowCutter::kAbsent) return last_row_ = look_up(frame);
    auto& known = (is_ahead ? ahead_ : behind_)[from];
    if (known == kUnknown) known = look_up(frame);
    return last_row_ = known;
  }

 private:
  static constexpr auto kUnknown = WindowCutter::kAbsent - 1;

  std::uint32_t look_up(std::size_t frame) const {
    const auto at = tracks_.find(frame, track_);
    return at == scene::TrackIndex::kNone ? WindowCutter::kAbsent
                                          : static_cast<std::uint32_t>(at);
  }

  const scene::TrackIndex& tracks_;
  std::size_t step_;
  std::vector<std::uint32_t> ahead_, behind_;  ///< per row that of the next frame
  std::uint32_t row_ = 0;
  std::size_t frame_ = 0;
  std::uint64_t track_ = 0;
  std::size_t last_frame_ = 0;
  std::uint32_t last_row_ = WindowCutter::kAbsent;
};

}  // namespace

BlockWindows::BlockWindows(const ReaderTable& table, const reader::Window& window)
    : table_(table), window_(window) {
  const auto kind = table.view.kind;
  const bool has_frames = kind == TableKind::frames || kind == TableKind::agents;
  const auto refuse = [&](std::string_view what) {
    fail(Errc::unsupported, {"plan.window", what, ": not supported for ",
                             table.array->path, has_frames ? "" : ", without frames"});
  };
  if (has_frames) {
    if (window.max_gap) refuse(".max_gap");
    return;
  }
  if (kind != TableKind::other || table.array->meta.shape.size() != 1) {
    fail(Errc::unsupported, {"plan.window: not supported for ", table.array->path,
                             " (expected frames, agents or a table without scenes)"});
  }
  if (window.max_gap_s) refuse(".max_gap_s");
  if (!window.overlap) refuse(".overlap");
  if (!window.max_gap) return;
  const auto& found = table.view.columns[table.view.find(window.time)];
  const auto& type = found.stored.type;
  const bool is_integer =
      type.kind == zarr::Kind::signed_int || type.kind == zarr::Kind::unsigned_int;
  if (found.origin != reader::Origin::stored || !is_integer || !type.shape.empty()) {
    fail(Errc::invalid_argument,
         {"plan.window.time: field ", window.time, " is not an integer"});
  }
  time_ = found.stored;
}

bool BlockWindows::cut(store::Reader& reader, const BlockRows& block,
                       std::span<const std::uint8_t> mask, ReaderItems& out) {
  const bool any = std::any_of(mask.begin(), mask.end(),
                               [](std::uint8_t passes) { return passes != 0; });
  if (!any) return true;
  if (table_.view.kind == TableKind::other) {
    return cut_stored(reader, block, mask, out);
  }
  if (!read(reader, block)) return false;
  find(block, mask, out.windows.size());
  append(block, out);
  return true;
}

/// Reads the times of rows of a table without frames; zeros if gaps do not matter.
bool BlockWindows::read_times(store::Reader& reader, const scene::Interval& rows) {
  const auto count = size_of(rows);
  timestamps_.assign(count, 0);
  if (!time_) return true;
  const auto size = time_->type.item_size;
  times_.resize(count * size);
  ArrayRead times(reader, *table_.array);
  times.add(*time_, times_);
  if (!times.run(rows.begin, count)) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const auto number =
        zarr::load_number(zarr::native_type(time_->type), times_.data() + i * size);
    timestamps_[i] = static_cast<std::int64_t>(number.bits);
  }
  return true;
}

bool BlockWindows::cut_stored(store::Reader& reader, const BlockRows& block,
                              std::span<const std::uint8_t> mask, ReaderItems& out) {
  const auto length = static_cast<std::int64_t>(table_.array->length());
  const auto& rows = block.rows();
  const scene::Interval around{
      std::max<std::int64_t>(rows.begin - std::int64_t{window_.past} * window_.step, 0),
      std::min(rows.end + std::int64_t{window_.future} * window_.step, length)};
  if (!read_times(reader, around)) return false;
  auto window = window_;
  window.stride = 1;  // rows are counted from the table's first one
  WindowCutter cutter(window, timestamps_);
  found_.clear();
  used_.assign(size_of(around), 0);
  std::vector<std::uint32_t> positions(window_.length());
  const auto at = [](std::size_t row) { return static_cast<std::uint32_t>(row); };
  for (std::size_t i = 0; i < mask.size(); ++i) {
    const auto row = rows.begin + static_cast<std::int64_t>(i);
    if (mask[i] == 0 || row % window_.stride != 0) continue;
    const auto place = static_cast<std::size_t>(row - around.begin);
    if (!cutter.cut(place, 0, at, positions)) continue;
    check_window_rows(out.windows.size() + found_.size() + positions.size());
    found_.insert(found_.end(), positions.begin(), positions.end());
    for (const auto one : positions) {
      if (one != WindowCutter::kAbsent) used_[one] = 1;
    }
  }
  BlockRows all(table_);
  all.set_rows(around);
  append(all, out);
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
  TrackSteps steps(tracks_, of_tracks ? mask.size() : 0, window_.step);
  std::size_t frame = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    const auto row = block.rows().begin + static_cast<std::int64_t>(i);
    while (block.rows_of(frame).end <= row) ++frame;
    const auto track = of_tracks ? track_ids_[i] : 0;
    steps.begin(i, frame, track);
    const auto row_in = [&](std::size_t other) {
      return of_tracks ? steps.row_in(other) : static_cast<std::uint32_t>(other);
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
  const auto earlier = out.windows.size();
  out.windows.resize(earlier + found_.size());
  std::transform(found_.begin(), found_.end(),
                 out.windows.begin() + static_cast<std::ptrdiff_t>(earlier),
                 [&](std::uint32_t row) {
                   return row == WindowCutter::kAbsent ? row : position[row];
                 });
}

}  // namespace bev
