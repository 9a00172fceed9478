#include "core/scan/reader_blocks.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"

namespace bev {
namespace {

using reader::Filter;
using reader::Level;
using scene::Interval;

// Blocks of a table without scenes have at least this many rows, so that tiny chunks
// do not cost a batch each.
constexpr std::uint64_t kMinBlockRows = 4096;

// A filter is evaluated on whole chunks if the rows of a chunk that it reads have at most
// this size: more would be much beside the decoded blocks that the store keeps.
constexpr std::uint64_t kWholeBytes = std::uint64_t{4} << 20;

// Chunks that store::read_ahead requests at most.
constexpr std::int64_t kChunksAhead = 8;

}  // namespace

void ReaderCounts::add(const ReaderCounts& other) noexcept {
  blocks += other.blocks;
  rows += other.rows;
  rows_tested += other.rows_tested;
  pieces += other.pieces;
  pieces_excluded_by_frame += other.pieces_excluded_by_frame;
  pieces_excluded += other.pieces_excluded;
  pieces_included += other.pieces_included;
}

ReaderCounts ReaderCounts::since(const ReaderCounts& before) const noexcept {
  return {blocks - before.blocks,
          rows - before.rows,
          rows_tested - before.rows_tested,
          pieces - before.pieces,
          pieces_excluded_by_frame - before.pieces_excluded_by_frame,
          pieces_excluded - before.pieces_excluded,
          pieces_included - before.pieces_included};
}

BlockScanner::BlockScanner(const ReaderTable& table, const reader::Plan& plan,
                           const reader::Statistics* statistics,
                           reader::LearntRanges& learnt, ObjectVersion version)
    : table_(table),
      plan_(plan),
      learnt_(learnt),
      ranges_(statistics, learnt, table, std::move(version)),
      filter_(plan, table.view),
      loader_(table),
      row_loader_(table),
      stored_(store::stored_arrays(*table.array)),
      block_(table) {
  narrow();
  if (plan.window) windows_.emplace(table, *plan.window);
  if (table.has_scenes()) {
    blocks_ = table.dataset->scene_count();
  } else {
    const auto chunk = table.array->meta.chunk_rows();
    block_rows_ = chunk < kMinBlockRows ? chunk * (kMinBlockRows / chunk) : chunk;
    const auto length = table.array->length();
    blocks_ = length / block_rows_ + (length % block_rows_ > 0 ? 1 : 0);
  }
  if (nothing_passes()) blocks_ = 0;
  tests_chunks_ = can_test_chunks();
}

/// Returns whether the condition on rows can be evaluated for a whole chunk at once: all
/// its rows will be tested, in stored order, and nothing but the rows is needed. A chunk
/// that is damaged in part must not cost the other scenes in it if these are to be read.
bool BlockScanner::can_test_chunks() const {
  const auto& meta = table_.array->meta;
  if (!filter_.by_row || filter_.by_scene || filter_.by_frame ||
      meta.shape.size() != 1 || !plan_.order.keeps_blocks() ||
      plan_.shard.mode != reader::ShardMode::strided ||
      plan_.on_damage != reader::OnDamage::fail ||
      row_loader_.needs_rows(filter_.by_row->columns())) {
    return false;
  }
  std::uint64_t row_bytes = 1;
  for (const auto& slot : row_slots()) row_bytes += slot.size;
  return meta.chunk_rows() <= kWholeBytes / row_bytes;
}

/// Limits what is read for the condition on rows to the elements that it compares.
void BlockScanner::narrow() {
  // The other axes of an array without records are read together.
  if (!filter_.by_row || table_.array->meta.shape.size() != 1) return;
  std::vector<std::size_t> columns;
  for (const auto column : filter_.by_row->columns()) {
    const auto& found = table_.view.columns[column];
    if (found.level != Level::row || found.origin != reader::Origin::stored) continue;
    // A column of whole vectors is decoded fastest as it is.
    const auto& array = stored_array(*table_.array, found, 0);
    if (array.meta.dtype != found.stored.type) columns.push_back(column);
  }
  filter_.by_row->narrow(columns);
  for (const auto column : columns) {
    row_loader_.narrow(column, filter_.by_row->elements(column));
  }
}

/// Returns whether what is known of the chunks of these rows excludes all of them.
bool BlockScanner::excludes(const std::optional<Filter>& filter, Level level,
                            const store::Array* array, Interval rows) const {
  if (!filter || array == nullptr || rows.begin >= rows.end) return false;
  const auto chunk_rows = array->meta.chunk_rows();
  const auto last = static_cast<std::uint64_t>(rows.end - 1) / chunk_rows;
  for (auto at = static_cast<std::uint64_t>(rows.begin) / chunk_rows; at <= last;
       ++at) {
    const RangesOfChunk found(table_.view, level, ranges_, *array, at);
    if (filter->match(found) != Filter::Match::none) return false;
  }
  return true;
}

/// Returns whether every chunk of one of the arrays is excluded. Nothing has to be read
/// then, not even the intervals that link the arrays.
bool BlockScanner::nothing_passes() const {
  const auto all = [](const store::Array* array) {
    return array == nullptr ? Interval{}
                            : Interval{0, static_cast<std::int64_t>(array->length())};
  };
  return excludes(filter_.by_row, Level::row, table_.array, all(table_.array)) ||
         excludes(filter_.by_frame, Level::frame, table_.frames, all(table_.frames)) ||
         excludes(filter_.by_scene, Level::scene, table_.scenes, all(table_.scenes));
}

bool BlockScanner::scan(store::Reader& reader, std::uint64_t block, ReaderItems& out) {
  const auto before = counts_;
  if (scan_block(reader, block, out)) return true;
  const auto tested = counts_.rows_tested;
  counts_ = before;
  if (tests_chunks_) counts_.rows_tested = tested;  // chunks stay tested
  return false;
}

/// Finds the rows of a block that may pass the conditions on scene and frames.
BlockScanner::Found BlockScanner::find_block(store::Reader& reader,
                                             std::uint64_t block) {
  ++counts_.blocks;
  frame_mask_.clear();
  if (table_.has_scenes()) {
    bool passes = true;
    if (!read_scene(reader, block, passes)) return Found::pending;
    if (!passes) return Found::nothing;
  } else {
    const auto begin = block * block_rows_;
    const auto end = std::min(begin + block_rows_, table_.array->length());
    block_.set_rows({static_cast<std::int64_t>(begin), static_cast<std::int64_t>(end)});
  }
  counts_.rows += size_of(block_.rows());
  return Found::rows;
}

bool BlockScanner::scan_block(store::Reader& reader, std::uint64_t block,
                              ReaderItems& out) {
  const auto found = find_block(reader, block);
  if (found == Found::pending) return false;
  if (found == Found::nothing) {
    out.block_ends.push_back(out.rows.size());
    return true;
  }
  cut_pieces();
  if (!test_rows(reader)) return false;
  if (windows_) {
    if (!windows_->cut(reader, block_, mask_, out)) return false;
  } else {
    block_.append(mask_, out.rows);
  }
  out.block_ends.push_back(out.rows.size());
  return true;
}

bool BlockScanner::request(store::Reader& reader, std::uint64_t block,
                           std::span<const zarr::ColumnSlot> values) {
  const auto before = counts_;
  const auto found = find_block(reader, block);
  if (found == Found::rows) cut_pieces();
  counts_ = before;
  if (found != Found::rows) return found == Found::nothing;
  const auto slots = row_slots();
  return request_pieces(reader, filter_.by_row ? slots : values,
                        filter_.by_row ? Filter::Match::some : Filter::Match::all);
}

/// Reads the frames of a scene and tests the conditions on both. Sets `passes` to whether
/// any frame may pass.
bool BlockScanner::read_scene(store::Reader& reader, std::uint64_t scene,
                              bool& passes) {
  const auto at = static_cast<std::int64_t>(scene);
  passes = !excludes(filter_.by_scene, Level::scene, table_.scenes, {at, at + 1});
  if (!passes) return true;
  if (!block_.read_scene(reader, scene)) return false;
  const auto& frames = block_.frames();
  if (filter_.by_scene) {
    const TableRow row{-1, frames.begin, frames.begin, block_.scene()};
    std::array<std::uint8_t, 1> mask{};
    if (!test(reader, *filter_.by_scene, {0, 1, {&row, 1}}, mask)) return false;
    passes = mask[0] != 0;
  }
  passes = passes && frames.begin < frames.end &&
           !excludes(filter_.by_frame, Level::frame, table_.frames, frames);
  return !passes || (block_.read_frames(reader) && test_frames(reader));
}

bool BlockScanner::test(store::Reader& reader, Filter& filter, const RowSet& rows,
                        std::span<std::uint8_t> mask) {
  const auto& columns = filter.columns();
  const bool by_row = filter_.by_row && &filter == &*filter_.by_row;
  auto& loader = by_row ? row_loader_ : loader_;
  values_.resize(std::max(values_.size(), columns.size()));
  std::vector<std::span<std::byte>> out;
  std::vector<std::span<const std::byte>> values(table_.view.columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) {
    values_[i].resize(
        store::result_bytes(*table_.array, rows.count, loader.row_bytes(columns[i])));
    out.emplace_back(values_[i]);
    values[columns[i]] = values_[i];
  }
  if (!loader.load(reader, rows, columns, out)) return false;
  filter.select(values, mask);
  return true;
}

bool BlockScanner::test_frames(store::Reader& reader) {
  if (!filter_.by_frame) return true;
  const auto count = size_of(block_.frames());
  table_rows_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    table_rows_.push_back(block_.table_row(-1, i));
  }
  frame_mask_.resize(count);
  return test(reader, *filter_.by_frame, {0, count, table_rows_}, frame_mask_);
}

/// Divides the block's rows by chunk, without the frames that do not pass.
void BlockScanner::cut_pieces() {
  pieces_.clear();
  const auto chunk_rows = static_cast<std::int64_t>(table_.array->meta.chunk_rows());
  for (auto begin = block_.rows().begin; begin < block_.rows().end;) {
    const auto chunk = begin / chunk_rows;
    const auto end = chunk >= block_.rows().end / chunk_rows ? block_.rows().end
                                                             : (chunk + 1) * chunk_rows;
    add_piece(static_cast<std::uint64_t>(chunk), {begin, end});
    begin = end;
  }
}

void BlockScanner::add_piece(std::uint64_t chunk, Interval rows) {
  ++counts_.pieces;
  if (!frame_mask_.empty()) {
    const auto passes = [this](std::size_t frame) {
      const auto [begin, end] = block_.rows_of(frame);
      return frame_mask_[frame] != 0 && begin < end;
    };
    auto first = block_.frame_of(rows.begin);
    auto last = block_.frame_of(rows.end - 1);
    while (first <= last && !passes(first)) ++first;
    while (last > first && !passes(last)) --last;
    if (first > last) {
      ++counts_.pieces_excluded_by_frame;
      return;
    }
    rows = {std::max(rows.begin, block_.rows_of(first).begin),
            std::min(rows.end, block_.rows_of(last).end)};
    if (rows.begin >= rows.end) {
      ++counts_.pieces_excluded_by_frame;
      return;
    }
  }
  auto match = Filter::Match::all;
  if (filter_.by_row) {
    match = filter_.by_row->match(
        RangesOfChunk(table_.view, Level::row, ranges_, *table_.array, chunk));
  }
  if (match == Filter::Match::none) ++counts_.pieces_excluded;
  if (filter_.by_row && match == Filter::Match::all) ++counts_.pieces_included;
  if (match != Filter::Match::none) pieces_.push_back({rows, match});
}

/// Requests the pieces that match like this; returns whether all are in memory.
bool BlockScanner::request_pieces(store::Reader& reader,
                                  std::span<const zarr::ColumnSlot> slots,
                                  Filter::Match match) const {
  bool here = true;
  // A condition on the number of the row reads no column.
  const bool reads = !slots.empty() || table_.array->columns == nullptr;
  for (const auto& piece : pieces_) {
    if (piece.match != match || !reads) continue;
    here = reader.request(
               *table_.array,
               store::RowSelection::range(table_.array->name(), table_.array->length(),
                                          piece.rows.begin, piece.rows.end),
               slots) &&
           here;
  }
  return here;
}

bool BlockScanner::test_rows(store::Reader& reader) {
  mask_.assign(size_of(block_.rows()), 0);
  if (!request_pieces(reader, row_slots(), Filter::Match::some)) return false;
  for (const auto& piece : pieces_) {
    if (!test_piece(reader, piece)) return false;
  }
  for (std::size_t i = 0; i < frame_mask_.size(); ++i) {
    if (frame_mask_[i] != 0) continue;
    const auto rows = block_.rows_of(i);
    std::fill(
        mask_.begin() + static_cast<std::ptrdiff_t>(rows.begin - block_.rows().begin),
        mask_.begin() + static_cast<std::ptrdiff_t>(rows.end - block_.rows().begin),
        std::uint8_t{0});
  }
  return true;
}

Interval BlockScanner::rows_to_continue() const {
  if (filter_.by_scene || filter_.by_frame) return {};
  // The chunks that are read ahead.
  const auto rows = static_cast<std::int64_t>(table_.array->meta.chunk_rows());
  const auto begin = block_.rows().end / rows * rows;
  const auto length = static_cast<std::int64_t>(table_.array->length());
  for (std::int64_t i = 0; filter_.by_row && i < kChunksAhead; ++i) {
    const auto first = begin + i * rows;
    if (first >= length) break;
    if (excludes(filter_.by_row, Level::row, table_.array, {first, first + 1})) {
      return {};
    }
  }
  return block_.rows();
}

void BlockScanner::check_chunk(store::Reader& reader, std::uint64_t chunk) const {
  if (table_.array->meta.shape.size() != 1) return;
  for (const auto* array : stored_) {
    const auto chunks = column_chunks(*table_.array, *array, chunk);
    for (auto at = chunks.first; at <= chunks.last; ++at) {
      const auto bytes = reader.encoded_bytes(*array, std::array{at});
      if (bytes) ranges_.check(*array, at, *bytes);
    }
  }
}

void BlockScanner::check_chunks(store::Reader& reader,
                                std::span<const TableRow> rows) const {
  if (!plan_.where) return;
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
      static_cast<std::size_t>(piece.rows.begin - block_.rows().begin), count);
  if (piece.match == Filter::Match::all) {
    std::fill(mask.begin(), mask.end(), std::uint8_t{1});
    return true;
  }
  if (tests_chunks_) {
    if (!test_chunk(reader, piece.rows)) return false;
    const auto first = static_cast<std::size_t>(piece.rows.begin - chunk_rows_.begin);
    std::memcpy(mask.data(), chunk_mask_.data() + first, count);
    return true;
  }
  table_rows_.clear();
  if (loader_.needs_rows(filter_.by_row->columns()) && table_.has_scenes()) {
    auto frame = block_.frame_of(piece.rows.begin);
    for (auto row = piece.rows.begin; row < piece.rows.end; ++row) {
      while (block_.rows_of(frame).end <= row) ++frame;
      table_rows_.push_back(block_.table_row(row, frame));
    }
  }
  return test_run(reader, piece.rows, mask);
}

/// Tests the chunk that holds these rows, unless it was the last one.
bool BlockScanner::test_chunk(store::Reader& reader, Interval rows) {
  if (chunk_rows_.begin <= rows.begin && rows.end <= chunk_rows_.end) return true;
  const auto length = static_cast<std::int64_t>(table_.array->length());
  const auto size = static_cast<std::int64_t>(table_.array->meta.chunk_rows());
  const auto begin = rows.begin / size * size;
  const Interval all{begin, std::min(begin + size, length)};
  chunk_rows_ = {};
  table_rows_.clear();
  chunk_mask_.resize(size_of(all));
  if (!test_run(reader, all, chunk_mask_)) return false;
  chunk_rows_ = all;
  return true;
}

/// Tests rows of one chunk, and learns their limits.
bool BlockScanner::test_run(store::Reader& reader, Interval rows,
                            std::span<std::uint8_t> mask) {
  const RowSet set{rows.begin, size_of(rows), table_rows_};
  if (!test(reader, *filter_.by_row, set, mask)) return false;
  counts_.rows_tested += set.count;
  check_chunk(reader,
              static_cast<std::uint64_t>(rows.begin) / table_.array->meta.chunk_rows());
  learn(reader, *filter_.by_row, rows);
  return true;
}

/// Learns the limits of what a filter has just read, in rows of one chunk.
void BlockScanner::learn(store::Reader& reader, const Filter& filter,
                         Interval rows) const {
  if (table_.array->meta.shape.size() != 1) return;
  for (std::size_t i = 0; i < filter.columns().size(); ++i) {
    const auto position = filter.columns()[i];
    const auto& origin = table_.view.columns[position];
    const auto elements = filter.elements(position);
    if (origin.level != Level::row || origin.origin == reader::Origin::row ||
        elements.count > reader::Statistics::kMaxElements) {
      continue;
    }
    const auto size = size_of(rows) * row_loader_.row_bytes(position);
    learn_column(reader, position, elements, rows, std::span(values_[i]).first(size));
  }
}

/// Learns the limits of elements of a column that are in one array.
void BlockScanner::learn_column(store::Reader& reader, std::size_t column,
                                reader::ElementRange elements, Interval rows,
                                std::span<const std::byte> values) const {
  const auto& table = *table_.array;
  const auto& origin = table_.view.columns[column];
  const auto& array = stored_array(table, origin, elements.first);
  // Several elements of split vectors are in several arrays.
  if (&array != &stored_array(table, origin, elements.first + elements.count - 1)) {
    return;
  }
  const auto begin = static_cast<std::uint64_t>(rows.begin);
  const auto in_table = begin / table.meta.chunk_rows();
  const auto chunks = column_chunks(table, array, in_table);
  if (!chunks.is_one() || ranges_.knows(table, in_table, column, elements.first)) {
    return;
  }
  const auto number = chunks.first;
  const auto bytes = reader.encoded_bytes(array, std::array{number});
  if (!bytes) return;
  const auto chunk_rows = array.meta.chunk_rows();
  const auto first = number * chunk_rows;
  const reader::LearntRanges::Part part{static_cast<std::uint64_t>(rows.begin) - first,
                                        static_cast<std::uint64_t>(rows.end) - first,
                                        std::min(chunk_rows, table.length() - first),
                                        *bytes, elements.first};
  const auto& found = table_.view.schema.columns[column];
  learnt_.add({array.path, number}, found.name, part,
              {found.type, elements.count, values});
}

}  // namespace bev
