#include "core/zarr/column.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"

namespace bev::zarr {
namespace {

bool is_group(const DType& type) {
  return type.kind == Kind::record && type.shape.empty();
}

void append_leaves(const DType& type, const std::string& path, std::size_t offset,
                   std::vector<Column>& out) {
  if (!is_group(type)) {
    out.push_back({path, offset, type});
    return;
  }
  const std::string prefix = path.empty() ? "" : path + ".";
  for (const Field& field : type.fields) {
    append_leaves(field.type, prefix + field.name, offset + field.offset, out);
  }
}

// Names may contain dots, so every split of the path is tried, the whole name first.
bool append_path(const DType& type, std::string_view rest, const Column& so_far,
                 std::vector<Column>& out) {
  for (const Field& field : type.fields) {
    if (!rest.starts_with(field.name)) continue;
    Column here = so_far;
    here.offset += field.offset;
    if (rest.size() == field.name.size()) {
      append_leaves(field.type, here.path, here.offset, out);
      return true;
    }
    const bool deeper = rest[field.name.size()] == '.' && is_group(field.type);
    if (deeper &&
        append_path(field.type, rest.substr(field.name.size() + 1), here, out)) {
      return true;
    }
  }
  return false;
}

[[noreturn]] void refuse_name(const DType& type, const std::string& path) {
  std::vector<Column> all;
  append_leaves(type, "", 0, all);
  std::string names;
  for (const Column& column : all) names += (names.empty() ? "" : ", ") + column.path;
  fail(Errc::not_found,
       {"unknown field \"", path, "\" (",
        is_group(type) ? "expected one of " + names : "the array has no fields", ")"});
}

void reverse_items(std::span<std::byte> data, std::size_t size) {
  for (std::size_t at = 0; at < data.size(); at += size) {
    const auto item = data.subspan(at, size);
    std::reverse(item.begin(), item.end());
  }
}

// Returns the size of a byte-swapped unit: a code unit, half a complex number, a
// scalar.
std::size_t unit_size(const DType& type) {
  if (type.kind == Kind::unicode) return 4;
  return type.kind == Kind::complex ? type.item_size / 2 : type.item_size;
}

bool has_big(const DType& type) {
  return type.order == ByteOrder::big ||
         std::any_of(type.fields.begin(), type.fields.end(),
                     [](const Field& field) { return has_big(field.type); });
}

void swap_items(const DType& type, std::span<std::byte> data) {
  if (!has_big(type)) return;
  if (type.kind != Kind::record) {
    reverse_items(data, unit_size(type));
    return;
  }
  for (std::size_t at = 0; at < data.size(); at += type.item_size) {
    for (const Field& field : type.fields) {
      swap_items(field.type, data.subspan(at + field.offset, field.type.size()));
    }
  }
}

}  // namespace

std::vector<Column> columns_of(const DType& type, std::span<const std::string> paths) {
  std::vector<Column> columns;
  if (paths.empty()) {
    append_leaves(type, "", 0, columns);
    return columns;
  }
  for (const std::string& path : paths) {
    const Column start{path, 0, {}};
    if (!append_path(type, path, start, columns)) refuse_name(type, path);
  }
  return columns;
}

DType native_type(DType type) {
  if (type.order == ByteOrder::big) type.order = ByteOrder::little;
  for (Field& field : type.fields) field.type = native_type(std::move(field.type));
  return type;
}

void to_native(const DType& type, std::span<std::byte> data) {
  const std::size_t size = type.size();
  if (size == 0 ? !data.empty() : data.size() % size != 0) {
    fail(Errc::invalid_argument, {"to_native: wrong length (found ", data.size(),
                                  " bytes, expected a multiple of ", size, ")"});
  }
  swap_items(type, data);
}

}  // namespace bev::zarr
