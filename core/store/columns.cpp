#include "core/store/columns.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/base/owned_bytes.hpp"
#include "core/store/column_table.hpp"
#include "core/store/read_ahead.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/text.hpp"

namespace bev::store {
namespace {

using nlohmann::json;
using zarr::DType;

constexpr std::size_t kCodePoint = 4;  // bytes of one in a <U

std::string spell(const DType& type) {
  std::string out = zarr::to_string(type);
  for (std::size_t i = 0; i < type.shape.size(); ++i) {
    out += (i == 0 ? " of shape " : " x ") + std::to_string(type.shape[i]);
  }
  return out;
}

/// Returns the mark's member "tables"; none without a mark.
zarr::JsonView tables_of(const zarr::Group& group) {
  if (!group.attrs) return {};
  const auto mark = zarr::JsonView(*group.attrs)[kColumnsAttribute];
  if (!mark) return {};
  const auto version = mark["version"];
  if (!version.is(kColumnsVersion)) {
    fail_at(Errc::unsupported, kColumnsAttribute,
            {"unknown version (found ", version.dump(), ", expected ", kColumnsVersion,
             ")"});
  }
  const auto tables = mark["tables"];
  if (!tables.is_object()) {
    fail_at(Errc::invalid_metadata, kColumnsAttribute, {"\"tables\" is missing"});
  }
  return tables;
}

/// Returns the type of the array that holds a field.
DType stored_type(const DType& field) {
  auto out = field;
  if (field.kind == zarr::Kind::unicode && field.shape.empty()) {
    out.kind = zarr::Kind::bytes;
    out.order = zarr::ByteOrder::none;
  }
  return out;
}

void check_like(const Array& column, const Array& first) {
  check_same_length(column, first);
  const auto rows = column.meta.chunk_rows();
  if (rows != first.meta.chunk_rows()) {
    fail_at(Errc::unsupported, column.path,
            {"chunk length differs from that of ", first.path, " (found ", rows,
             ", expected ", first.meta.chunk_rows(), ")"});
  }
}

/// Converts UTF-8, zero-padded, to code points.
void to_code_points(const StoredColumn& column, std::span<std::byte> values) {
  const auto most = column.size / kCodePoint;
  for (; !values.empty(); values = values.subspan(column.size)) {
    auto length = column.size;
    while (length > 0 && values[length - 1] == std::byte{0}) --length;
    const std::string_view text(reinterpret_cast<const char*>(values.data()), length);
    if (zarr::valid_utf8(text) != length) {
      fail_at(Errc::corrupt_chunk, column.array.path, {"a string is not UTF-8"});
    }
    const auto points = zarr::code_points(text);
    if (points.size() > most) {
      fail_at(Errc::corrupt_chunk, column.array.path,
              {"a string is too long (found ", points.size(),
               " characters, expected at most ", most, ")"});
    }
    std::memset(values.data(), 0, column.size);
    for (std::size_t i = 0; i < points.size(); ++i) {
      store_le(values.data() + i * kCodePoint, points[i]);
    }
  }
}

bool overlaps(const StoredColumn& column, const zarr::ColumnSlot& slot) {
  return column.size > 0 && slot.offset < column.offset + column.size &&
         column.offset < slot.offset + slot.size;
}

/// Copies a column's bytes to the slots that hold some of them among others.
void spread(const StoredColumn& column, std::span<const std::byte> values,
            const zarr::ColumnSlot& slot) {
  const auto begin = std::max(column.offset, slot.offset);
  const auto end = std::min(column.offset + column.size, slot.offset + slot.size);
  const auto* from = values.data() + (begin - column.offset);
  auto* to = slot.out.data() + (begin - slot.offset);
  const auto count = values.size() / column.size;
  const auto copy = [&](auto size) {  // a copy of constant size is one instruction
    for (std::size_t i = 0; i < count; ++i) {
      std::memcpy(to + i * slot.size, from + i * column.size, size);
    }
  };
  switch (end - begin) {
    case 4: return copy(std::integral_constant<std::size_t, 4>());
    case 8: return copy(std::integral_constant<std::size_t, 8>());
    default: return copy(end - begin);
  }
}

/// What is read of one column: slots of the caller, or all of it into memory of its own.
class ColumnRead {
 public:
  ColumnRead(const StoredColumn& column, std::span<const zarr::ColumnSlot> slots,
             std::size_t rows)
      : column_(column) {
    for (const auto& slot : slots) {
      if (!overlaps(column, slot)) continue;
      const bool inside = slot.offset >= column.offset &&
                          slot.offset + slot.size <= column.offset + column.size;
      if (inside && !column.is_text) {
        slots_.push_back({slot.offset - column.offset, slot.size, slot.out});
      } else {
        shared_.push_back(&slot);
      }
    }
    if (shared_.empty()) return;
    values_.resize(result_bytes(column.array, rows, column.size));
    slots_.push_back({0, column.size, values_});
  }

  std::span<const zarr::ColumnSlot> slots() const noexcept { return slots_; }

  void finish() {
    if (column_.is_text) to_code_points(column_, values_);
    for (const auto* slot : shared_) spread(column_, values_, *slot);
  }

 private:
  const StoredColumn& column_;
  std::vector<zarr::ColumnSlot> slots_;
  std::vector<const zarr::ColumnSlot*> shared_;
  RawBytes values_;
};

}  // namespace

StoredColumn stored_column(const zarr::Field& field, const Array& stored,
                           const DType& expected) {
  auto meta = zarr::by_row(stored.meta);
  if (!meta) {
    fail_at(Errc::unsupported, stored.path,
            {"chunks of a column must span all axes but the first"});
  }
  const bool is_text = expected != field.type;
  if (meta->dtype != expected ||
      (is_text && field.type.order == zarr::ByteOrder::big)) {
    fail_at(Errc::invalid_metadata, stored.path,
            {"wrong type of a column (found ", spell(meta->dtype), ", expected ",
             spell(expected), ")"});
  }
  StoredColumn out;
  out.offset = field.offset;
  out.size = field.type.size();
  out.is_text = is_text;
  out.array.path = stored.path;
  out.array.inner_axes = stored.meta.shape.size() - 1;
  out.array.meta = *std::move(meta);
  return out;
}

void check_same_length(const Array& column, const Array& first) {
  if (column.length() == first.length()) return;
  fail_at(Errc::invalid_metadata, column.path,
          {"length differs from that of ", first.path, " (found ", column.length(),
           ", expected ", first.length(), ")"});
}

zarr::ArrayMeta record_meta(const json& record, const Array& first,
                            std::uint64_t chunk_rows, const std::string& path) {
  const auto meta = zarr::parse_json(first.meta.json, first.path);
  const json document = {
      {"zarr_format", 2},
      {"shape", {first.length()}},
      {"chunks", {chunk_rows}},
      {"dtype", record},
      {"compressor", meta.contains("compressor") ? meta.at("compressor") : json()},
      {"fill_value", nullptr},
      {"order", "C"},
      {"filters", nullptr}};
  return zarr::array_meta_from_json(document, path);
}

std::vector<zarr::Field> stored_fields(const std::vector<zarr::Field>& fields,
                                       bool split_vectors) {
  std::vector<zarr::Field> out;
  for (const auto& field : fields) {
    if (!split_vectors || field.type.shape.empty()) {
      out.push_back(field);
      continue;
    }
    auto element = field.type;
    element.shape.clear();
    const auto size = element.size();
    for (std::size_t i = 0; i * size < field.type.size(); ++i) {
      out.push_back(
          {field.name + "/" + std::to_string(i), field.offset + i * size, element});
    }
  }
  return out;
}

const Array& stored_at(const Array& array, std::size_t offset) noexcept {
  if (array.columns == nullptr) return array;
  for (const auto& column : array.columns->all) {
    if (offset >= column.offset && offset < column.offset + column.size) {
      return column.array;
    }
  }
  return array;
}

std::vector<const Array*> stored_arrays(const Array& array) {
  if (array.columns == nullptr) return {&array};
  std::vector<const Array*> out;
  for (const auto& column : array.columns->all) out.push_back(&column.array);
  return out;
}

std::vector<const Array*> stored_arrays(const Array& array,
                                        std::span<const zarr::ColumnSlot> slots) {
  if (array.columns == nullptr) return {&array};
  std::vector<const Array*> out;
  for (const auto& column : array.columns->all) {
    const bool is_read = std::any_of(
        slots.begin(), slots.end(),
        [&](const zarr::ColumnSlot& slot) { return overlaps(column, slot); });
    if (is_read) out.push_back(&column.array);
  }
  return out;
}

std::vector<std::string> Catalogue::table_paths() {
  std::vector<std::string> out;
  add_field_tables(out);
  const auto tables = tables_of(*group_);
  if (!tables) return out;
  for (const auto& entry : tables.json().items()) out.push_back(entry.key());
  return out;
}

// Called if no document describes an array at the path.
const Array* Catalogue::table(std::string_view path) {
  if (const auto* found = field_table(path)) return found;
  const auto tables = tables_of(*group_);
  const auto record = tables[path];
  // Columns are no tables: their paths have a slash.
  if (!record || path.find('/') != std::string_view::npos) return nullptr;
  const auto where = joined({kColumnsAttribute, ": ", path});
  const auto type = zarr::parse_dtype(record, where);
  if (type.kind != zarr::Kind::record || type.fields.empty()) {
    fail_at(Errc::invalid_metadata, where, {"not a list of fields"});
  }
  const auto columns = std::make_shared<Columns>();
  const bool is_split =
      zarr::JsonView(*group_->attrs)[kColumnsAttribute][kSplitVectors].boolean() ==
      true;
  for (const auto& field : stored_fields(type.fields, is_split)) {
    const auto name = joined({path, "/", field.name});
    const auto* stored = parsed(name);
    if (stored == nullptr) {
      fail_at(Errc::missing_key, name + "/.zarray",
              {"not found (expected a column of ", path, ")"});
    }
    auto column = stored_column(field, *stored, stored_type(field.type));
    column.array.id = next_id_++;
    column.array.missing = missing_.of(path);
    columns->all.push_back(std::move(column));
    check_like(columns->all.back().array, columns->all.front().array);
  }
  const auto& first = columns->all.front().array;
  auto array = std::make_unique<Array>();
  array->path = path;
  array->id = next_id_++;
  array->meta = record_meta(record.json(), first, first.meta.chunk_rows(), where);
  array->missing = missing_.of(path);
  array->columns = columns.get();
  columns_.push_back(columns);
  return arrays_.emplace(std::string(path), std::move(array)).first->second.get();
}

bool Reader::read_fields(const Array& table, const RowSelection& rows,
                         std::span<const zarr::ColumnSlot> slots, Access access) {
  bool here = true;
  for (const auto& column : table.columns->all) {
    ColumnRead part(column, slots, here ? rows.count : 0);
    if (part.slots().empty()) continue;
    // Nothing is decoded in vain: once a chunk is missing, the others are requested.
    here = here ? read(column.array, rows, part.slots(), access)
                : find_chunks(column.array, rows, access) && here;
    if (here) part.finish();
  }
  return here;
}

bool Reader::request_fields(const Array& table, const RowSelection& rows,
                            std::span<const zarr::ColumnSlot> slots) {
  const auto arrays =
      slots.empty() ? stored_arrays(table) : stored_arrays(table, slots);
  bool here = true;
  for (const auto* array : arrays) {
    here = request(*array, rows) && here;
  }
  return here;
}

std::vector<std::uint64_t> Reader::absent_fields(const Array& table,
                                                 const RowSelection& rows) {
  std::vector<std::uint64_t> out;
  for (const auto* array : stored_arrays(table)) {
    const auto absent = absent_chunks(*array, rows);
    out.insert(out.end(), absent.begin(), absent.end());
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

std::vector<Request> read_ahead_fields(Store& store, const Array& table,
                                       const RowSelection& rows,
                                       std::span<const zarr::ColumnSlot> slots) {
  std::vector<Request> out;
  for (const auto* array : stored_arrays(table, slots)) {
    const auto requests = read_ahead(store, *array, rows, {});
    out.insert(out.end(), requests.begin(), requests.end());
  }
  return out;
}

}  // namespace bev::store
