#include "core/scan/reader_columns.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/base/owned_bytes.hpp"
#include "core/geom/affine.hpp"
#include "core/reader/derived.hpp"
#include "core/store/fields.hpp"
#include "core/zarr/column.hpp"

namespace bev {
namespace {

using reader::Level;
using reader::Origin;
using reader::ViewColumn;

// Rows of a list are read as one run if at least this share of the run is wanted.
constexpr std::int64_t kDense = 4;

template <class T>
void put(std::span<std::byte> out, std::size_t i, T value) {
  std::memcpy(out.data() + i * sizeof(T), &value, sizeof(T));
}

template <class T>
T get(std::span<const std::byte> bytes, std::size_t i) {
  T value;
  std::memcpy(&value, bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

/// Copies element `of_row[i]` of `values` to row i.
void spread(std::span<const std::byte> values, std::size_t value_bytes,
            std::span<const std::uint32_t> of_row, std::span<std::byte> out) {
  for (std::size_t i = 0; i < of_row.size(); ++i) {
    std::memcpy(out.data() + i * value_bytes, values.data() + of_row[i] * value_bytes,
                value_bytes);
  }
}

double seconds(std::int64_t from, std::int64_t to) {
  const auto a = static_cast<std::uint64_t>(from);
  const auto b = static_cast<std::uint64_t>(to);
  return from <= to ? static_cast<double>(b - a) * 1e-9
                    : static_cast<double>(a - b) * -1e-9;
}

std::vector<zarr::Column> fields_of(const store::Array& array) {
  return zarr::columns_of(array.meta.dtype, {});
}

/// Columns of an array that has no scenes. Axes after the first become part of the
/// column's shape.
std::vector<zarr::Column> plain_fields(const store::Array& array) {
  auto columns = fields_of(array);
  const auto& shape = array.meta.shape;
  if (shape.size() < 2) return columns;
  if (columns.size() != 1 || !columns[0].path.empty()) {
    fail_at(Errc::unsupported, array.name(),
            {"records with ", shape.size(), " axes cannot be read by row"});
  }
  std::vector<std::size_t> inner(shape.begin() + 1, shape.end());
  auto& own = columns[0].type.shape;
  own.insert(own.begin(), inner.begin(), inner.end());
  return columns;
}

/// Marks the columns that are intervals, may be null, or say which rows are not.
void mark_fields(ReaderTable& table) {
  if (table.array->fields == nullptr) return;
  for (std::size_t i = 0; i < table.view.columns.size(); ++i) {
    auto& column = table.view.schema.columns[i];
    if (table.view.columns[i].origin != Origin::stored) continue;
    table.view.columns[i].is_validity = table.array->fields->is_validity(column.name);
    const auto* field = table.array->fields->find(column.name);
    if (field == nullptr) continue;
    column.is_ragged = field->is_ragged();
    if (field->nullable) column.valid = joined({column.name, store::kValidSuffix});
  }
}

}  // namespace

void ArrayRead::add(const zarr::Column& column, std::span<std::byte> out) {
  columns_.push_back(&column);
  // The other axes of an array without records belong to the column.
  const bool has_axes = array_.meta.shape.size() > 1;
  slots_.push_back(
      {column.offset, has_axes ? array_.meta.dtype.size() : column.type.size(), out});
}

void ArrayRead::add_named(std::string_view field, std::span<std::byte> out) {
  for (auto& column : zarr::columns_of(array_.meta.dtype, {})) {
    if (column.path != field) continue;
    own_.push_back(std::make_unique<zarr::Column>(std::move(column)));
    add(*own_.back(), out);
  }
}

store::RowSelection ArrayRead::run_of(std::int64_t first, std::size_t count) const {
  return store::RowSelection::range(array_.name(), array_.length(), first,
                                    first + static_cast<std::int64_t>(count));
}

bool ArrayRead::run(std::int64_t first, std::size_t count) {
  if (count == 0 || slots_.empty()) return true;
  return read(run_of(first, count));
}

bool ArrayRead::run(std::span<const std::int64_t> rows) {
  if (rows.empty() || slots_.empty()) return true;
  const bool ascending = std::is_sorted(rows.begin(), rows.end());
  const auto span = rows.back() - rows.front() + 1;
  const auto count = static_cast<std::int64_t>(rows.size());
  if (ascending && span == count) return run(rows.front(), rows.size());
  if (ascending && span / kDense < count && in_consecutive_chunks(rows)) {
    return run_dense(rows, static_cast<std::size_t>(span));
  }
  return read(store::RowSelection::list(array_.name(), array_.length(), rows));
}

/// Returns whether each chunk from the first row to the last holds one of the rows.
bool ArrayRead::in_consecutive_chunks(std::span<const std::int64_t> rows) const {
  const auto chunk_rows = static_cast<std::int64_t>(array_.meta.chunk_rows());
  auto end = (rows.front() / chunk_rows + 1) * chunk_rows;
  for (const auto row : rows) {
    if (row < end) continue;
    if (row >= end + chunk_rows) return false;
    end += chunk_rows;
  }
  return true;
}

bool ArrayRead::read(const store::RowSelection& rows) {
  if (!reader_.read(array_, rows, slots_)) return false;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    zarr::to_native(columns_[i]->type, slots_[i].out);
  }
  return true;
}

/// Reads the whole run that holds the rows, and keeps the rows.
bool ArrayRead::run_dense(std::span<const std::int64_t> rows, std::size_t span) {
  const auto selection = run_of(rows.front(), span);
  std::vector<RawBytes> whole;
  auto slots = slots_;
  for (auto& slot : slots) {
    const auto row_bytes = slot.out.size() / rows.size();
    whole.emplace_back(store::result_bytes(array_, span, row_bytes));
    slot.out = whole.back();
  }
  if (!reader_.read(array_, selection, slots)) return false;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    const auto row_bytes = slots_[i].out.size() / rows.size();
    auto* to = slots_[i].out.data();
    for (const auto row : rows) {
      const auto at = static_cast<std::size_t>(row - rows.front());
      std::memcpy(to, whole[i].data() + at * row_bytes, row_bytes);
      to += row_bytes;
    }
    zarr::to_native(columns_[i]->type, slots_[i].out);
  }
  return true;
}

std::optional<ReaderTable> open_table(EngineState& state, store::Reader& reader,
                                      const std::string& path) {
  const auto kind = reader::table_kind(path);
  const bool by_scene = kind == reader::TableKind::frames ||
                        kind == reader::TableKind::agents ||
                        kind == reader::TableKind::faces;
  ReaderTable out;
  if (by_scene) {
    out.dataset = state.dataset(reader);
    if (out.dataset == nullptr) return std::nullopt;
  }
  const auto find = [&](std::string_view name) { return reader.array(name); };
  const auto array = find(path);
  if (!array) return std::nullopt;
  if (*array == nullptr) fail(Errc::not_found, {"unknown array \"", path, "\""});
  out.array = *array;
  reader::ViewFields fields{{}, {}, plain_fields(*out.array)};
  if (by_scene) {
    const auto scenes = find(scene::kScenes);
    const auto frames = find(scene::kFrames);
    if (!scenes || !frames) return std::nullopt;
    out.scenes = *scenes;
    out.frames = *frames;
    fields.scenes = fields_of(*out.scenes);
    fields.frames = fields_of(*out.frames);
  }
  out.view = reader::make_view(kind, fields);
  mark_fields(out);
  return out;
}

void ColumnLoader::narrow(std::size_t column, reader::ElementRange elements) {
  const auto& found = table_.view.columns[column];
  if (found.origin != Origin::stored) return;
  auto& stored = (narrowed_[column] = found).stored;
  stored.offset += elements.first * stored.type.item_size;
  stored.type.shape.clear();
  if (elements.count > 1) stored.type.shape.push_back(elements.count);
}

const ViewColumn& ColumnLoader::at(std::size_t column) const {
  const auto found = narrowed_.find(column);
  return found == narrowed_.end() ? table_.view.columns[column] : found->second;
}

std::size_t ColumnLoader::row_bytes(std::size_t column) const {
  const auto narrowed = narrowed_.find(column);
  if (narrowed != narrowed_.end()) return narrowed->second.stored.type.size();
  const auto& found = table_.view.schema.columns[column];
  return found.type.item_size * found.width;
}

bool ColumnLoader::needs_rows(std::span<const std::size_t> columns) const {
  return std::any_of(columns.begin(), columns.end(), [&](std::size_t i) {
    const auto& column = table_.view.columns[i];
    const bool of_row =
        column.level == Level::row &&
        (column.origin == Origin::stored ||
         (!column.inputs.empty() && column.origin != Origin::distance_to_ego));
    return !of_row && column.origin != Origin::row;
  });
}

std::vector<zarr::ColumnSlot> ColumnLoader::slots_of(
    std::span<const std::size_t> columns) const {
  std::vector<zarr::ColumnSlot> out;
  for (const auto i : columns) {
    const auto& column = at(i);
    if (column.level != Level::row) continue;
    if (column.origin == Origin::stored) {
      out.push_back({column.stored.offset, column.stored.type.size(), {}});
    } else if (!column.inputs.empty()) {
      out.push_back({column.inputs[0].offset, column.inputs[0].type.size(), {}});
    }
  }
  return out;
}

bool ColumnLoader::wants(std::initializer_list<Origin> origins) const {
  return std::any_of(wanted_.begin(), wanted_.end(), [&](const Wanted& wanted) {
    return std::find(origins.begin(), origins.end(), wanted.column->origin) !=
           origins.end();
  });
}

bool ColumnLoader::load(store::Reader& reader, const RowSet& rows,
                        std::span<const std::size_t> columns,
                        std::span<const std::span<std::byte>> out) {
  wanted_.clear();
  for (std::size_t i = 0; i < columns.size(); ++i) {
    wanted_.push_back({&at(columns[i]), out[i]});
  }
  // All parts run in every pass, so that one round requests everything.
  const bool in_frames = load_frames(reader, rows);
  const bool in_scenes = load_scenes(reader, rows);
  return load_rows(reader, rows) && in_frames && in_scenes;
}

bool ColumnLoader::load_rows(store::Reader& reader, const RowSet& rows) {
  ArrayRead read(reader, *table_.array);
  std::vector<RawBytes> inputs(wanted_.size());
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    const auto& [column, out] = wanted_[i];
    if (column->level != Level::row) continue;
    if (column->origin == Origin::stored) read.add(column->stored, out);
    if (column->inputs.empty()) continue;
    inputs[i].resize(
        store::result_bytes(*table_.array, rows.count, column->inputs[0].type.size()));
    read.add(column->inputs[0], inputs[i]);
  }
  std::vector<std::int64_t> list;
  if (!rows.rows.empty()) {
    for (const auto& row : rows.rows) list.push_back(row.row);
    if (!read.run(list)) return false;
  } else if (!read.run(rows.first, rows.count)) {
    return false;
  }
  for (std::size_t i = 0; i < wanted_.size(); ++i) {
    derive_from_row(wanted_[i], rows, inputs[i]);
  }
  return true;
}

void ColumnLoader::derive_from_row(const Wanted& wanted, const RowSet& rows,
                                   std::span<const std::byte> input) const {
  const auto& [column, out] = wanted;
  if (column->origin == Origin::row) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      put(out, i,
          rows.rows.empty() ? rows.first + static_cast<std::int64_t>(i)
                            : rows.rows[i].row);
    }
  } else if (column->origin == Origin::distance_to_ego && !ego_.empty()) {
    for (std::size_t i = 0; i < rows.count; ++i) {
      const auto at = get<std::array<double, 2>>(input, i);
      const auto& ego = ego_[frame_of_row_[i]];
      const bool has_ego = table_.dataset->has_ego(rows.rows[i].scene);
      const auto metres =
          static_cast<float>(geom::hypot(at[0] - ego[0], at[1] - ego[1]));
      put(out, i, has_ego ? metres : std::numeric_limits<float>::quiet_NaN());
    }
  } else if (reader::derives_from_field(column->origin)) {
    reader::derive_from_field(column->origin, input, out);
  }
}

void ColumnLoader::list_frames(const RowSet& rows) {
  frames_.clear();
  first_frames_.clear();
  frame_of_row_.clear();
  first_frame_of_row_.clear();
  for (const auto& row : rows.rows) {
    if (frames_.empty() || frames_.back() != row.frame) frames_.push_back(row.frame);
    if (first_frames_.empty() || first_frames_.back() != row.first_frame) {
      first_frames_.push_back(row.first_frame);
    }
    frame_of_row_.push_back(static_cast<std::uint32_t>(frames_.size() - 1));
    first_frame_of_row_.push_back(static_cast<std::uint32_t>(first_frames_.size() - 1));
  }
}

bool ColumnLoader::load_frames(store::Reader& reader, const RowSet& rows) {
  ego_.clear();
  if (table_.frames == nullptr || rows.rows.empty()) return true;
  list_frames(rows);
  const auto& array = *table_.frames;
  ArrayRead read(reader, array);
  std::vector<std::pair<const Wanted*, RawBytes>> stored;
  stored.reserve(wanted_.size());
  for (const auto& wanted : wanted_) {
    if (wanted.column->level != Level::frame ||
        wanted.column->origin != Origin::stored) {
      continue;
    }
    const auto size = wanted.column->stored.type.size();
    stored.emplace_back(&wanted,
                        RawBytes(store::result_bytes(array, frames_.size(), size)));
    read.add(wanted.column->stored, stored.back().second);
  }
  const auto count = frames_.size();
  if (wants({Origin::time})) read.add("timestamp", times_, count);
  if (wants({Origin::agent_count})) read.add("agent_index_interval", agents_, count);
  if (wants({Origin::face_count})) {
    faces_.assign(count, {});  // stay empty in the three-array layout
    read.add("traffic_light_faces_index_interval", faces_, count);
  }
  std::vector<std::array<double, 3>> ego;
  if (wants({Origin::distance_to_ego})) read.add("ego_translation", ego, count);
  bool complete = read.run(frames_);
  if (wants({Origin::time})) {
    ArrayRead first(reader, array);
    first.add("timestamp", first_times_, first_frames_.size());
    complete = first.run(first_frames_) && complete;
  }
  if (!complete) return false;
  ego_ = std::move(ego);
  for (const auto& [wanted, values] : stored) {
    spread(values, wanted->column->stored.type.size(), frame_of_row_, wanted->out);
  }
  for (const auto& wanted : wanted_) derive_from_frame(wanted, rows);
  return true;
}

void ColumnLoader::derive_from_frame(const Wanted& wanted, const RowSet& rows) const {
  const auto& out = wanted.out;
  for (std::size_t i = 0; i < rows.rows.size(); ++i) {
    const auto& row = rows.rows[i];
    const auto frame = frame_of_row_[i];
    switch (wanted.column->origin) {
      case Origin::scene: put(out, i, row.scene); break;
      case Origin::frame:
        put(out, i, static_cast<std::uint32_t>(row.frame - row.first_frame));
        break;
      case Origin::frame_index: put(out, i, row.frame); break;
      case Origin::time:
        put(out, i, seconds(first_times_[first_frame_of_row_[i]], times_[frame]));
        break;
      case Origin::agent_count:
        put(out, i, agents_[frame].end - agents_[frame].begin);
        break;
      case Origin::face_count:
        put(out, i, faces_[frame].end - faces_[frame].begin);
        break;
      default: return;
    }
  }
}

bool ColumnLoader::load_scenes(store::Reader& reader, const RowSet& rows) {
  if (table_.scenes == nullptr || rows.rows.empty()) return true;
  std::vector<std::int64_t> scenes;
  std::vector<std::uint32_t> of_row;
  for (const auto& row : rows.rows) {
    if (scenes.empty() || scenes.back() != row.scene) scenes.push_back(row.scene);
    of_row.push_back(static_cast<std::uint32_t>(scenes.size() - 1));
  }
  const auto& array = *table_.scenes;
  ArrayRead read(reader, array);
  std::vector<std::pair<const Wanted*, RawBytes>> stored;
  std::vector<scene::Interval> intervals;
  for (const auto& wanted : wanted_) {
    if (wanted.column->level != Level::scene ||
        wanted.column->origin != Origin::stored) {
      continue;
    }
    const auto size = wanted.column->stored.type.size();
    stored.emplace_back(&wanted,
                        RawBytes(store::result_bytes(array, scenes.size(), size)));
  }
  for (auto& [wanted, bytes] : stored) read.add(wanted->column->stored, bytes);
  if (wants({Origin::frame_count})) {
    read.add("frame_index_interval", intervals, scenes.size());
  }
  if (!read.run(scenes)) return false;
  for (const auto& [wanted, values] : stored) {
    spread(values, wanted->column->stored.type.size(), of_row, wanted->out);
  }
  for (const auto& wanted : wanted_) {
    if (wanted.column->origin != Origin::frame_count) continue;
    for (std::size_t i = 0; i < of_row.size(); ++i) {
      const auto& interval = intervals[of_row[i]];
      put(wanted.out, i, interval.end - interval.begin);
    }
  }
  return true;
}

}  // namespace bev
