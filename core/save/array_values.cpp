#include "core/save/array_values.hpp"

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"
#include "core/zarr/column.hpp"
#include "core/zarr/fill_value.hpp"

namespace bev::save {
namespace {

zarr::Column column_of(const zarr::DType& type, const std::string& field) {
  if (field.empty()) return {"", 0, type};
  return zarr::columns_of(type, std::span(&field, 1)).front();
}

zarr::DType without_shape(zarr::DType type) {
  type.shape.clear();
  return type;
}

}  // namespace

void ArrayValues::add(const Place& place, const std::string& dtype,
                      std::span<const std::byte> bytes) {
  type_ = place.type;
  const auto [path, offset, type] = column_of(type_, place.field);
  std::vector<std::byte> own(bytes.begin(), bytes.end());
  if (!dtype.empty()) {
    const auto expected = zarr::to_string(without_shape(zarr::native_type(type)));
    if (dtype != expected) {
      fail_at(Errc::invalid_argument,
              place.name + (place.field.empty() ? "" : "." + place.field),
              {"wrong type of values (found ", dtype, ", expected ", expected, ")"});
    }
    zarr::to_native(type, own);  // the same exchange of bytes in both directions
  }
  values_.push_back({{offset, type.size()}, std::move(own), false});
}

void ArrayValues::add_one(const Place& place, const std::string& value) {
  type_ = place.type;
  const auto [path, offset, type] = column_of(type_, place.field);
  try {
    const auto one = zarr::parse_fill_value(zarr::parse_json(value, "value"),
                                            without_shape(type), "value");
    std::vector<std::byte> whole(type.size());
    for (std::size_t i = 0; i < whole.size(); ++i) whole[i] = one[i % one.size()];
    values_.push_back({{offset, type.size()}, std::move(whole), true});
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_metadata) throw;
    throw Error(Errc::invalid_argument, error.what());
  }
}

void ArrayValues::check_type(const zarr::DType& type, const std::string& name) const {
  if (type == type_) return;
  fail_at(Errc::changed, name, {"replaced by an array of another dtype"});
}

zarr::Assignment ArrayValues::assignment(const zarr::DType& type,
                                         const std::string& name, zarr::Target target,
                                         std::span<const std::uint8_t> where) {
  check_type(type, name);
  const auto count = static_cast<std::size_t>(zarr::count_of(target));
  std::vector<zarr::BoxValues> out;
  for (auto& [part, bytes, is_one] : values_) {
    if (std::exchange(is_one, false)) {
      std::vector<std::byte> all(
          mul_or_throw(count, part.size, name, Errc::limit_exceeded));
      for (std::size_t at = 0; at < all.size(); at += part.size)
        std::memcpy(all.data() + at, bytes.data(), part.size);
      bytes = std::move(all);
    }
    out.push_back({part, bytes, where});
  }
  return {std::move(target), std::move(out)};
}

std::vector<std::byte> ArrayValues::rows(const zarr::DType& type,
                                         const std::string& name) const {
  check_type(type, name);
  const auto size = type.size();
  std::size_t covered = 0;
  bool fits = !values_.empty();
  for (const auto& values : values_) {
    covered += values.part.size;
    fits = fits && !values.is_one && values.count() == values_[0].count() &&
           values.count() * values.part.size == values.bytes.size();
  }
  if (!fits || covered != size) {
    fail_at(Errc::invalid_argument, name,
            {"append: needs values of all fields, of equally many rows (found ",
             covered, " bytes of a row, expected ", size, ")"});
  }
  if (values_.size() == 1) return values_[0].bytes;
  std::vector<std::byte> out(values_[0].count() * size);
  for (const auto& [part, bytes, is_one] : values_) {
    for (std::size_t i = 0; i < bytes.size() / part.size; ++i) {
      std::memcpy(out.data() + i * size + part.offset, bytes.data() + i * part.size,
                  part.size);
    }
  }
  return out;
}

ArrayColumns::ArrayColumns(const zarr::DType& type, const std::string& field,
                           std::vector<std::byte> elements) {
  const auto size = std::max<std::size_t>(type.size(), 1);
  const auto names = field.empty() ? std::vector<std::string>() : std::vector{field};
  for (const auto& [path, offset, column] : zarr::columns_of(type, names)) {
    const auto width = column.size();
    std::vector<std::byte> bytes;
    if (width == size) {
      bytes = std::move(elements);
    } else {
      bytes.resize(elements.size() / size * width);
      for (std::size_t i = 0; i < elements.size() / size; ++i) {
        std::memcpy(bytes.data() + i * width, elements.data() + i * size + offset,
                    width);
      }
    }
    zarr::to_native(column, bytes);
    columns_.push_back({path, zarr::to_string(zarr::native_type(column)), column.shape,
                        std::move(bytes)});
  }
}

}  // namespace bev::save
