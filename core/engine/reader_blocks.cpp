#include "core/engine/reader_blocks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/windows.hpp"
#include "core/scene/intervals.hpp"

namespace bev {
namespace {

using reader::Expression;
using reader::Filter;
using reader::Level;
using reader::TableKind;
using reader::WindowCutter;
using scene::Interval;

// Blocks of a table without scenes have at least this many rows, so that tiny chunks
// do not cost a batch each.
constexpr std::uint64_t kMinBlockRows = 4096;

// Rows of all windows that are held at once: 1 GiB.
constexpr std::size_t kMaxWindowRows = std::size_t{1} << 28;

void check_window_rows(std::size_t rows) {
  if (rows <= kMaxWindowRows) return;
  fail(Errc::limit_exceeded,
       {"plan.window: too many rows at once (limit ", kMaxWindowRows,
        "); use shorter windows, or the order \"blocks\" with smaller groups"});
}

std::size_t size_of(const Interval& rows) {
  return static_cast<std::size_t>(rows.end - rows.begin);
}

/// Returns the most detailed level of the columns in an expression.
Level level_of(const Expression& node, const reader::View& view) {
  if (node.op == reader::Op::label_probability) return Level::row;
  auto level = Level::scene;
  if (node.op == reader::Op::field) {
    // Filter reports unknown fields.
    const auto found = view.schema.find(node.name);
    level = found ? view.columns[*found].level : Level::row;
  }
  for (const auto& arg : node.args) level = std::max(level, level_of(arg, view));
  return level;
}

/// Adds the conditions that all must hold, by level.
void split(const Expression& node, const reader::View& view,
           std::array<std::vector<Expression>, 3>& out) {
  if (node.op == reader::Op::logical_and) {
    for (const auto& arg : node.args) split(arg, view, out);
    return;
  }
  out[static_cast<std::size_t>(level_of(node, view))].push_back(node);
}

/// Returns an expression of conditions that all must hold; at least one.
Expression all_of(std::vector<Expression> conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  Expression all;
  all.op = reader::Op::logical_and;
  all.args = std::move(conditions);
  all.set_depth();
  return all;
}

}  // namespace

BlockScanner::BlockScanner(const ReaderTable& table, const reader::Plan& plan,
                           const reader::Statistics* statistics)
    : table_(table), plan_(plan), ranges_(statistics, table), loader_(table) {
  const auto kind = table.view.kind;
  if (plan.window && kind != TableKind::frames && kind != TableKind::agents) {
    fail(Errc::unsupported, {"plan.window: not supported for ", plan.from,
                             " (expected frames or agents)"});
  }
  if (plan.where) {
    // Checks the whole filter first, so that messages name its own columns.
    const Filter whole(*plan.where, table.view.schema);
    std::array<std::vector<Expression>, 3> conditions;
    split(*plan.where, table.view, conditions);
    const std::array filters{&by_scene_, &by_frame_, &by_row_};
    for (std::size_t level = 0; level < filters.size(); ++level) {
      if (conditions[level].empty()) continue;
      const auto condition = all_of(std::move(conditions[level]));
      filters[level]->emplace(condition, table.view.schema);
      conditions_[level] = to_text(condition);
    }
  }
  if (table.has_scenes()) {
    blocks_ = table.dataset->scene_count();
  } else {
    const auto chunk = table.array->meta.chunk_rows();
    block_rows_ = chunk < kMinBlockRows ? chunk * (kMinBlockRows / chunk) : chunk;
    const auto length = table.array->length();
    blocks_ = length / block_rows_ + (length % block_rows_ > 0 ? 1 : 0);
  }
  if (nothing_passes()) blocks_ = 0;
}

/// Returns whether statistics exclude every chunk of one of the arrays. Nothing has to
/// be read then, not even the intervals that link the arrays.
bool BlockScanner::nothing_passes() const {
  const auto excludes = [&](const std::optional<Filter>& filter, Level level,
                            const store::Array* array) {
    if (!filter || array == nullptr || !ranges_.covers(*array)) return false;
    if (array->length() == 0) return false;
    const auto rows = array->meta.chunk_rows();
    for (std::uint64_t chunk = 0; chunk <= (array->length() - 1) / rows; ++chunk) {
      const RangesOfChunk found(table_.view, level, ranges_, *array, chunk);
      if (filter->match(found) != Filter::Match::none) return false;
    }
    return true;
  };
  return excludes(by_row_, Level::row, table_.array) ||
         excludes(by_frame_, Level::frame, table_.frames) ||
         excludes(by_scene_, Level::scene, table_.scenes);
}

bool BlockScanner::scan(store::Reader& reader, std::uint64_t block, ReaderItems& out) {
  const auto before = counts_;
  if (scan_block(reader, block, out)) return true;
  counts_ = before;
  return false;
}

bool BlockScanner::scan_block(store::Reader& reader, std::uint64_t block,
                              ReaderItems& out) {
  ++counts_.blocks;
  frame_mask_.clear();
  intervals_.clear();
  if (table_.has_scenes()) {
    bool passes = true;
    if (!read_scene(reader, block, passes)) return false;
    if (!passes || frames_.begin == frames_.end) {
      out.block_ends.push_back(out.rows.size());
      return true;
    }
    if (!read_frames(reader) || !test_frames(reader)) return false;
  } else {
    const auto begin = block * block_rows_;
    const auto end = std::min(begin + block_rows_, table_.array->length());
    rows_ = {static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)};
  }
  counts_.rows += size_of(rows_);
  cut_pieces();
  if (!test_rows(reader)) return false;
  if (plan_.window) {
    if (!cut_windows(reader, out)) return false;
  } else {
    append_rows(mask_, out);
  }
  out.block_ends.push_back(out.rows.size());
  return true;
}

/// Reads a scene's interval and those beside it: all scenes together then hold every
/// frame exactly once.
bool BlockScanner::read_scene(store::Reader& reader, std::uint64_t block,
                              bool& passes) {
  const auto& dataset = *table_.dataset;
  const auto at = static_cast<std::int64_t>(block);
  const auto count = static_cast<std::int64_t>(dataset.scene_count());
  const auto first = std::max<std::int64_t>(at - 1, 0);
  std::vector<Interval> scenes;
  if (!dataset.read_scene_intervals(reader, {first, std::min(at + 2, count)}, scenes)) {
    return false;
  }
  const auto held = scene::check_intervals(scenes, first, dataset.frames_of_scenes());
  check_ends(
      held, first,
      static_cast<std::int64_t>(first) + static_cast<std::int64_t>(scenes.size()) ==
          count,
      dataset.frames_of_scenes());
  scene_ = static_cast<std::uint32_t>(block);
  frames_ = scenes[static_cast<std::size_t>(at - first)];
  if (!by_scene_) return true;
  const TableRow row{-1, frames_.begin, frames_.begin, scene_};
  std::array<std::uint8_t, 1> mask{};
  if (!test(reader, *by_scene_, {0, 1, {&row, 1}}, mask)) return false;
  passes = mask[0] != 0;
  return true;
}

/// Refuses rows before the first interval or after the last one.
void BlockScanner::check_ends(const Interval& held, std::int64_t first, bool has_last,
                              const scene::IntervalField& field) {
  const auto length = static_cast<std::int64_t>(field.length);
  if (first == 0 && held.begin != 0) {
    fail(Errc::unsupported, {field.target, ": rows before the first of ", field.array,
                             " (found ", held.begin, " rows)"});
  }
  if (has_last && held.end != length) {
    fail(Errc::unsupported, {field.target, ": rows after the last of ", field.array,
                             " (found ", length - held.end, " rows)"});
  }
}

bool BlockScanner::read_frames(store::Reader& reader) {
  rows_ = frames_;
  const auto count = size_of(frames_);
  if (plan_.window) {
    ArrayRead read(reader, *table_.frames);
    read.add("timestamp", timestamps_, count);
    if (!read.run(frames_.begin, count)) return false;
  }
  if (table_.view.kind == TableKind::frames) return true;
  const auto& dataset = *table_.dataset;
  const bool of_agents = table_.view.kind == TableKind::agents;
  const auto field = of_agents ? dataset.agents_of_frames() : dataset.faces_of_frames();
  const auto first = std::max<std::int64_t>(frames_.begin - 1, 0);
  const auto end =
      std::min(frames_.end + 1, static_cast<std::int64_t>(dataset.frame_count()));
  ArrayRead read(reader, *table_.frames);
  read.add(field.field, intervals_, static_cast<std::size_t>(end - first));
  if (!read.run(first, intervals_.size())) return false;
  const auto held = scene::check_intervals(intervals_, first, field);
  check_ends(held, first, end == static_cast<std::int64_t>(dataset.frame_count()),
             field);
  const auto skipped = static_cast<std::size_t>(frames_.begin - first);
  intervals_.erase(intervals_.begin(),
                   intervals_.begin() + static_cast<std::ptrdiff_t>(skipped));
  intervals_.resize(count);
  rows_ = {intervals_.front().begin, intervals_.back().end};
  return true;
}

Interval BlockScanner::rows_of(std::size_t frame) const {
  if (!intervals_.empty()) return intervals_[frame];
  const auto row = frames_.begin + static_cast<std::int64_t>(frame);
  return {row, row + 1};
}

/// Returns the frame of the block that holds a row.
std::size_t BlockScanner::frame_of(std::int64_t row) const {
  if (intervals_.empty()) return static_cast<std::size_t>(row - frames_.begin);
  const auto it = std::partition_point(
      intervals_.begin(), intervals_.end(),
      [&](const Interval& interval) { return interval.end <= row; });
  return static_cast<std::size_t>(it - intervals_.begin());
}

TableRow BlockScanner::table_row(std::int64_t row, std::size_t frame) const {
  return {row, frames_.begin + static_cast<std::int64_t>(frame), frames_.begin, scene_};
}

bool BlockScanner::test(store::Reader& reader, Filter& filter, const RowSet& rows,
                        std::span<std::uint8_t> mask) {
  const auto& columns = filter.columns();
  values_.resize(std::max(values_.size(), columns.size()));
  std::vector<std::span<std::byte>> out;
  std::vector<std::span<const std::byte>> values(table_.view.columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    values_[i].resize(
        store::result_bytes(*table_.array, rows.count, loader_.row_bytes(columns[i])));
    out.emplace_back(values_[i]);
    values[columns[i]] = values_[i];
  }
  if (!loader_.load(reader, rows, columns, out)) return false;
  filter.select(values, mask);
  return true;
}

bool BlockScanner::test_frames(store::Reader& reader) {
  if (!by_frame_) return true;
  const auto count = size_of(frames_);
  table_rows_.clear();
  for (std::size_t i = 0; i < count; ++i) table_rows_.push_back(table_row(-1, i));
  frame_mask_.resize(count);
  return test(reader, *by_frame_, {0, count, table_rows_}, frame_mask_);
}

/// Divides the block's rows by chunk, without the frames that do not pass.
void BlockScanner::cut_pieces() {
  pieces_.clear();
  const auto chunk_rows = static_cast<std::int64_t>(table_.array->meta.chunk_rows());
  for (auto begin = rows_.begin; begin < rows_.end;) {
    const auto chunk = begin / chunk_rows;
    const auto end =
        chunk >= rows_.end / chunk_rows ? rows_.end : (chunk + 1) * chunk_rows;
    add_piece(static_cast<std::uint64_t>(chunk), {begin, end});
    begin = end;
  }
}

void BlockScanner::add_piece(std::uint64_t chunk, Interval rows) {
  ++counts_.pieces;
  if (!frame_mask_.empty()) {
    auto first = frame_of(rows.begin);
    auto last = frame_of(rows.end - 1);
    while (first <= last && frame_mask_[first] == 0) ++first;
    while (last > first && frame_mask_[last] == 0) --last;
    if (first > last) {
      ++counts_.pieces_excluded_by_frame;
      return;
    }
    rows = {std::max(rows.begin, rows_of(first).begin),
            std::min(rows.end, rows_of(last).end)};
    if (rows.begin >= rows.end) {
      ++counts_.pieces_excluded_by_frame;
      return;
    }
  }
  auto match = by_row_ ? Filter::Match::some : Filter::Match::all;
  if (by_row_ && ranges_.covers(*table_.array)) {
    match = by_row_->match(
        RangesOfChunk(table_.view, Level::row, ranges_, *table_.array, chunk));
  }
  if (match == Filter::Match::none) ++counts_.pieces_excluded;
  if (by_row_ && match == Filter::Match::all) ++counts_.pieces_included;
  if (match != Filter::Match::none) pieces_.push_back({rows, match});
}

bool BlockScanner::test_rows(store::Reader& reader) {
  mask_.assign(size_of(rows_), 0);
  bool here = true;
  for (const auto& piece : pieces_) {
    if (piece.match != Filter::Match::some) continue;
    here = reader.request(
               *table_.array,
               store::RowSelection::range(table_.array->name(), table_.array->length(),
                                          piece.rows.begin, piece.rows.end)) &&
           here;
  }
  if (!here) return false;
  for (const auto& piece : pieces_) {
    if (!test_piece(reader, piece)) return false;
    const auto first = static_cast<std::uint64_t>(piece.rows.begin);
    check_chunk(reader, first / table_.array->meta.chunk_rows());
  }
  for (std::size_t i = 0; i < frame_mask_.size(); ++i) {
    if (frame_mask_[i] != 0) continue;
    const auto rows = rows_of(i);
    std::fill(mask_.begin() + static_cast<std::ptrdiff_t>(rows.begin - rows_.begin),
              mask_.begin() + static_cast<std::ptrdiff_t>(rows.end - rows_.begin),
              std::uint8_t{0});
  }
  return true;
}

Interval BlockScanner::rows_to_continue() const {
  const bool excludes =
      by_scene_ || by_frame_ || (by_row_ && ranges_.covers(*table_.array));
  return excludes ? Interval{} : rows_;
}

void BlockScanner::check_chunk(store::Reader& reader, std::uint64_t chunk) const {
  const std::array at{chunk};
  const auto bytes = reader.encoded_bytes(*table_.array, at);
  if (bytes) ranges_.check(*table_.array, chunk, *bytes);
}

void BlockScanner::check_chunks(store::Reader& reader,
                                std::span<const TableRow> rows) const {
  if (!ranges_.covers(*table_.array)) return;
  const auto chunk_rows = table_.array->meta.chunk_rows();
  std::optional<std::uint64_t> last;
  for (const auto& row : rows) {
    const auto chunk = static_cast<std::uint64_t>(row.row) / chunk_rows;
    if (chunk != last) check_chunk(reader, chunk);
    last = chunk;
  }
}

bool BlockScanner::test_piece(store::Reader& reader, const Piece& piece) {
  const auto count = size_of(piece.rows);
  const auto mask = std::span(mask_).subspan(
      static_cast<std::size_t>(piece.rows.begin - rows_.begin), count);
  if (piece.match == Filter::Match::all) {
    std::fill(mask.begin(), mask.end(), std::uint8_t{1});
    return true;
  }
  counts_.rows_tested += count;
  table_rows_.clear();
  if (loader_.needs_rows(by_row_->columns()) && table_.has_scenes()) {
    auto frame = frame_of(piece.rows.begin);
    for (auto row = piece.rows.begin; row < piece.rows.end; ++row) {
      while (rows_of(frame).end <= row) ++frame;
      table_rows_.push_back(table_row(row, frame));
    }
  }
  return test(reader, *by_row_, {piece.rows.begin, count, table_rows_}, mask);
}

/// Appends the block's rows whose mask is not 0.
void BlockScanner::append_rows(std::span<const std::uint8_t> mask, ReaderItems& out) {
  std::size_t frame = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    const auto row = rows_.begin + static_cast<std::int64_t>(i);
    if (!table_.has_scenes()) {
      out.rows.push_back({row, 0, 0, 0});
      continue;
    }
    while (rows_of(frame).end <= row) ++frame;
    out.rows.push_back(table_row(row, frame));
  }
  if (out.rows.size() >= WindowCutter::kAbsent) {
    fail(Errc::limit_exceeded,
         {"reader: too many rows at once (found ", out.rows.size(), ", limit ",
          WindowCutter::kAbsent - 1, "); use the order \"blocks\""});
  }
}

bool BlockScanner::cut_windows(store::Reader& reader, ReaderItems& out) {
  const bool any = std::any_of(mask_.begin(), mask_.end(),
                               [](std::uint8_t passes) { return passes != 0; });
  if (!any) return true;
  const bool of_tracks = table_.view.kind == TableKind::agents;
  if (of_tracks) {
    ArrayRead read(reader, *table_.array);
    read.add("track_id", track_ids_, size_of(rows_));
    if (!read.run(rows_.begin, size_of(rows_))) return false;
    tracks_.rebuild(intervals_, rows_.begin, track_ids_);
  }
  const auto& window = *plan_.window;
  const auto length = window.length();
  WindowCutter cutter(window, timestamps_);
  std::vector<std::uint32_t> found;
  std::vector<std::uint8_t> used(mask_.size());
  std::vector<std::uint32_t> rows(length);
  std::size_t frame = 0;
  for (std::size_t i = 0; i < mask_.size(); ++i) {
    if (mask_[i] == 0) continue;
    while (rows_of(frame).end <= rows_.begin + static_cast<std::int64_t>(i)) ++frame;
    const auto track = of_tracks ? track_ids_[i] : 0;
    const auto find = [&](std::size_t other) {
      if (!of_tracks) return static_cast<std::uint32_t>(other);
      const auto row = tracks_.find(other, track);
      return row == scene::TrackIndex::kNone ? WindowCutter::kAbsent
                                             : static_cast<std::uint32_t>(row);
    };
    if (!cutter.cut(frame, track, find, rows)) continue;
    rows[window.past] = static_cast<std::uint32_t>(i);
    check_window_rows(out.windows.size() + found.size() + length);
    found.insert(found.end(), rows.begin(), rows.end());
    for (const auto row : rows) {
      if (row != WindowCutter::kAbsent) used[row] = 1;
    }
  }
  append_windows(found, used, out);
  return true;
}

/// Appends the used rows, and the windows with their positions among these.
void BlockScanner::append_windows(std::span<const std::uint32_t> windows,
                                  std::span<const std::uint8_t> used,
                                  ReaderItems& out) {
  auto next = static_cast<std::uint32_t>(out.rows.size());
  append_rows(used, out);
  std::vector<std::uint32_t> position(used.size());
  for (std::size_t i = 0; i < used.size(); ++i) {
    position[i] = next;
    next += used[i];
  }
  for (const auto row : windows) {
    out.windows.push_back(row == WindowCutter::kAbsent ? row : position[row]);
  }
}

}  // namespace bev
