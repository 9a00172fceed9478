#include <algorithm>
#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/base/large_pages.hpp"
#include "core/base/owned_bytes.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/store/read_ahead.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/half.hpp"

namespace bev {

namespace {

using zarr::Kind;

constexpr std::size_t kLargeBytes = std::size_t{256} << 10;

/// A result column, first as read, then as returned.
struct OutColumn {
  zarr::Column column;
  std::string dtype;
  std::vector<std::size_t> shape;  ///< of the whole column, rows first
  std::size_t size = 0;            ///< bytes, as read
  RawBytes bytes;
  zarr::Text text;  ///< for U and S columns, instead of bytes
};

bool is_text(const zarr::DType& type) {
  return type.kind == Kind::unicode || type.kind == Kind::bytes;
}

/// Converts a column from its stored form to its returned form.
void finish(OutColumn& column) {
  const auto& type = column.column.type;
  if (is_text(type)) {
    column.text = zarr::decode_text(type, column.bytes);
    column.bytes = {};
    return;
  }
  zarr::to_native(type, column.bytes);
  if (zarr::is_half(type)) column.bytes = zarr::widened(column.bytes);
}

std::string dtype_of(const zarr::DType& type) {
  return zarr::is_half(type) ? "<f4" : zarr::to_string(zarr::native_type(type));
}

/// Size of a read: `count` rows or box elements, `values` values each.
struct Extent {
  std::vector<std::size_t> shape;
  std::size_t count = 0;
  std::size_t values = 1;
};

class RowsQuery final : public Query {
 public:
  RowsQuery(std::shared_ptr<EngineState> state, Rows rows)
      : Query(std::move(state), "rows of " + rows.array), rows_(std::move(rows)) {}

  std::vector<store::Request> ahead() override {
    if (array_ == nullptr) return {};
    return store::read_ahead(state().store, *array_, selection_, slots());
  }

 private:
  bool gather(store::Reader& reader) override {
    const auto found = reader.array(rows_.array);
    if (!found) return false;
    if (*found == nullptr) {
      fail(Errc::not_found, {"unknown array \"", rows_.array, "\""});
    }
    const auto& array = **found;
    if (!(rows_.axes ? read_box(reader, array) : read_rows(reader, array)))
      return false;
    laid_out_ = false;  // finish() changes the columns in place
    if (rows_.layout == Rows::Layout::columns) {
      for (auto& out : columns_) finish(out);
    }
    return true;
  }

  void derive(ResultSet& results) override {
    for (const auto& out : columns_) {
      if (rows_.layout == Rows::Layout::columns && is_text(out.column.type)) {
        results.add_text(out.column.path, out.shape, out.text);
      } else {
        results.add(out.column.path, out.dtype, out.shape, out.bytes);
      }
    }
  }

  bool read_rows(store::Reader& reader, const store::Array& array) {
    const auto selection = select(array);
    array_ = &array;
    selection_ = selection;
    if (!laid_out_) {
      Extent extent{inner_shape(array), selection.count};
      for (const auto length : extent.shape) {
        extent.values = store::result_bytes(array, extent.values, length);
      }
      extent.shape.insert(extent.shape.begin(), selection.count);
      lay_out(array, extent);
    }
    // Queries that wait for chunks hold no memory: the next query reuses the still warm
    // pages of the previous one. Not worth a second lookup for small reads.
    const bool find_first = !is_allocated_ && size_ >= kLargeBytes;
    if (find_first && !reader.request(array, selection, slots())) return false;
    allocate();
    return reader.read(array, selection, slots());
  }

  bool read_box(store::Reader& reader, const store::Array& array) {
    const auto axes = std::span<const store::AxisSlice>(*rows_.axes);
    const auto& lengths = array.meta.shape;
    const auto own = std::min(axes.size(), lengths.size());
    // A record has one value per field, whose shape is the axes after the array's.
    const auto column = chosen(array).front();
    const std::vector<std::uint64_t> inner(column.type.shape.begin(),
                                           column.type.shape.end());
    const auto name = array.name();
    const auto selection = store::BoxSelection::of(name, lengths, axes.first(own));
    const auto elements =
        store::BoxSelection::of(name, inner, axes.subspan(own), lengths.size());
    if (!laid_out_) lay_out(array, {selection.shape, selection.count});
    allocate();
    if (!reader.read(array, selection, slots())) return false;
    if (axes.size() > own) keep(elements, selection);
    return true;
  }

  /// Keeps the selected elements of the only column's values.
  void keep(const store::BoxSelection& elements, const store::BoxSelection& values) {
    auto& [column, dtype, shape, size, bytes, text] = columns_.front();
    auto& type = column.type;
    const auto all = std::exchange(bytes, {});
    size = values.count * elements.count * type.item_size;
    bytes.resize(size);
    elements.copy_elements(type, all, bytes);
    type.shape = elements.shape;
    shape = values.shape;
    shape.insert(shape.end(), elements.shape.begin(), elements.shape.end());
  }

  std::vector<zarr::ColumnSlot> slots() {
    std::vector<zarr::ColumnSlot> slots;
    for (auto& out : columns_) {
      slots.push_back({out.column.offset, out.column.type.size(), out.bytes});
    }
    return slots;
  }

  store::RowSelection select(const store::Array& array) {
    const auto name = array.name();
    const auto length = array.length();
    if (rows_.mask) {
      rows_.indices = store::rows_where(name, length, *rows_.mask);
      rows_.mask.reset();
    }
    if (rows_.indices) {
      return store::RowSelection::list(name, length, *rows_.indices);
    }
    const auto begin = rows_.begin.value_or(rows_.step < 0 ? store::kToEnd : 0);
    return store::RowSelection::range(name, length, begin, rows_.end, rows_.step);
  }

  /// Determines the result's columns. Refuses results above the size limit.
  void lay_out(const store::Array& array, const Extent& extent) {
    auto columns = chosen(array);
    columns_.clear();
    columns_.reserve(columns.size());
    std::size_t row_bytes = 0;
    for (auto& column : columns) {
      const auto bytes = store::result_bytes(array, extent.values, column.type.size());
      row_bytes = add_or_throw(row_bytes, bytes, array.name(), Errc::limit_exceeded);
      OutColumn out{std::move(column), {}, extent.shape, bytes * extent.count, {}, {}};
      const auto& inner = out.column.type.shape;
      out.shape.insert(out.shape.end(), inner.begin(), inner.end());
      out.dtype = rows_.layout == Rows::Layout::records
                      ? "|V" + std::to_string(out.column.type.size())
                      : dtype_of(out.column.type);
      columns_.push_back(std::move(out));
    }
    size_ = store::result_bytes(array, extent.count, row_bytes);
    laid_out_ = true;
    is_allocated_ = false;
  }

  void allocate() {
    if (is_allocated_) return;
    for (auto& out : columns_) {
      out.bytes.reserve(out.size);
      advise_huge_pages(out.bytes.data(), out.size);
      out.bytes.resize(out.size);
    }
    is_allocated_ = true;
  }

  std::vector<zarr::Column> chosen(const store::Array& array) const {
    const auto& type = array.meta.dtype;
    if (rows_.layout == Rows::Layout::columns) {
      auto columns = zarr::columns_of(type, rows_.fields);
      if (!rows_.axes || columns.size() == 1) return columns;
      fail_at(Errc::invalid_argument, array.name(),
              {"box requires one field (found ", columns.size(), ")"});
    }
    if (!rows_.fields.empty()) {
      fail_at(Errc::invalid_argument, array.name(),
              {"fields cannot be selected with layout records"});
    }
    zarr::DType record;
    record.kind = Kind::raw;
    record.item_size = type.size();
    return {{"records", 0, record}};
  }

  static std::vector<std::size_t> inner_shape(const store::Array& array) {
    std::vector<std::size_t> shape;
    for (std::size_t axis = 1; axis < array.meta.shape.size(); ++axis) {
      const auto length = array.meta.shape[axis];
      shape.push_back(static_cast<std::size_t>(length));
      if (std::uint64_t{shape.back()} != length) {
        fail_at(Errc::limit_exceeded, array.name(),
                {"axis ", axis, " too long (found ", length, ")"});
      }
    }
    return shape;
  }

  Rows rows_;
  const store::Array* array_ = nullptr;  ///< array of the last gathered rows
  store::RowSelection selection_;
  std::vector<OutColumn> columns_;
  std::size_t size_ = 0;       ///< of all columns
  bool laid_out_ = false;      ///< columns_ describe the next pass
  bool is_allocated_ = false;  ///< columns_ have their memory allocated
};

}  // namespace

std::unique_ptr<Query> Engine::rows(Rows rows) {
  state_->require_stored(rows.array);
  return std::make_unique<RowsQuery>(state_, std::move(rows));
}

}  // namespace bev
