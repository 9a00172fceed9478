#include <bevscope/array.hpp>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/save/array_spec.hpp"
#include "core/save/writable_array.hpp"
#include "core/store/selection.hpp"
#include "core/store/target_selection.hpp"
#include "core/zarr/column.hpp"
#include "library/array_info.hpp"
#include "native/save/array_stores.hpp"

namespace bev {
namespace {

using Selected = store::TargetSelection;

std::string name_of(const save::WritableArray& array) {
  return array.path().empty() ? "the root array" : array.path();
}

Selected box_of(const save::WritableArray& array,
                std::span<const store::AxisSlice> slices) {
  return Selected::box(name_of(array), array.meta().shape, slices);
}

Selected rows_of(const save::WritableArray& array, std::span<const std::int64_t> rows) {
  return Selected::list(name_of(array), array.meta().shape, rows);
}

/// As a slice; but rows outside the array are an error, as of Dataset::rows().
Selected range_of(const save::WritableArray& array, const RowRange& range) {
  auto out = box_of(array, {});
  if (out.shape.empty()) {
    if (range.begin || range.end || range.step != 1) {
      fail_at(Errc::invalid_argument, name_of(array),
              {"rows of an array without axes"});
    }
    return out;
  }
  const auto begin = range.begin.value_or(range.step < 0 ? store::kToEnd : 0);
  const auto rows =
      store::RowSelection::range(name_of(array), array.meta().shape.front(), begin,
                                 range.end.value_or(store::kToEnd), range.step);
  out.target.box.front() = {rows.first, rows.count, rows.step, rows.falling};
  out.shape.front() = rows.count;
  return out;
}

Selected selected(const save::WritableArray& array, const Selection& selection) {
  if (const auto* list = std::get_if<RowList>(&selection)) {
    return rows_of(array, list->rows);
  }
  if (const auto* mask = std::get_if<RowMask>(&selection)) {
    const auto length = array.meta().shape.empty() ? 1 : array.meta().shape.front();
    return rows_of(array, store::rows_where(name_of(array), length, mask->mask));
  }
  if (const auto* box = std::get_if<Box>(&selection)) {
    return box_of(array, library::slices_of(*box));
  }
  return range_of(array, std::get<RowRange>(selection));
}

/// Returns the part of an element that a field is.
zarr::ElementPart part_of(const save::WritableArray& array, const std::string& field) {
  const auto& type = array.meta().dtype;
  if (field.empty()) return {0, type.size()};
  const auto columns = zarr::columns_of(type, std::span(&field, 1));
  return {columns.front().offset, columns.front().type.size()};
}

/// What was read, which owns what the views of it point to.
struct Read {
  std::string dtype;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;
};

}  // namespace

struct Array::Impl {
  explicit Impl(native::ArrayPlace at)
      : store(std::move(at.store)), array(*store, std::move(at.array)) {
    describe();
  }

  const ArrayInfo& describe() {
    const auto& meta = array.meta();
    info = {array.path(), meta.shape, meta.chunks,
            library::fields_of(zarr::to_json(meta.dtype))};
    return info;
  }

  std::unique_ptr<save::ArrayStore> store;
  save::WritableArray array;
  ArrayInfo info;
};

Array::Array(const std::string& path, const std::string& array)
    : impl_(new Impl(native::array_place(path, array))) {}

Array::~Array() = default;
Array::Array(Array&&) noexcept = default;
Array& Array::operator=(Array&&) noexcept = default;

const ArrayInfo& Array::info() const noexcept {
  return impl_->info;
}

std::string Array::metadata() const {
  return impl_->array.meta().json;
}

const ArrayInfo& Array::refresh() {
  impl_->array.refresh();
  return impl_->describe();
}

Arrays Array::read(const Selection& selection) const {
  auto& array = impl_->array;
  array.refresh();
  auto [target, shape] = selected(array, selection);
  const auto read = std::make_shared<Read>();
  read->dtype = zarr::to_string(array.meta().dtype);
  read->shape = std::move(shape);
  const auto& inner = array.meta().dtype.shape;
  read->shape.insert(read->shape.end(), inner.begin(), inner.end());
  read->bytes = array.read(target);
  return {{ArrayView("", read->dtype, read->shape, read->bytes)}, read};
}

void Array::assign(const Selection& selection, std::span<const AssignedField> fields,
                   std::span<const std::uint8_t> where) {
  auto& array = impl_->array;
  array.refresh();
  auto target = selected(array, selection).target;
  std::vector<zarr::BoxValues> values;
  for (const auto& field : fields) {
    values.push_back({part_of(array, field.name), field.bytes, where});
  }
  array.assign({std::move(target), std::move(values)});
  impl_->describe();
}

void Array::append(std::span<const std::byte> rows) {
  impl_->array.append(rows);
  impl_->describe();
}

void Array::resize(std::vector<std::uint64_t> shape) {
  impl_->array.resize(std::move(shape));
  impl_->describe();
}

ArrayUse Array::use() const {
  const auto use = impl_->array.use();
  return {use.chunks, use.stored, use.stored_bytes};
}

void Array::check_type(std::string_view found) const {
  const auto expected = zarr::to_string(impl_->array.meta().dtype);
  if (found == expected) return;
  fail_at(Errc::invalid_argument, name_of(impl_->array),
          {"wrong type of values (found ", found, ", expected ", expected, ")"});
}

Array create_array(const std::string& path, const ArraySpec& spec,
                   ExistingArray existing, const std::string& array) {
  const auto meta =
      save::array_spec(spec.shape, spec.dtype, spec.chunks, spec.codec, spec.level,
                       spec.fill_value, spec.order, spec.zarr_format);
  const auto place = native::array_place(path, array);
  const bool is_new = save::WritableArray::create(
      *place.store, place.array, meta,
      existing == ExistingArray::replace ? save::WritableArray::Existing::replace
                                         : save::WritableArray::Existing::keep);
  if (!is_new && existing == ExistingArray::refuse) {
    fail_at(Errc::invalid_argument, path + (array.empty() ? "" : "/" + array),
            {"already exists"});
  }
  return Array(path, array);
}

}  // namespace bev
