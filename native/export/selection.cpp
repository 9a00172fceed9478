#include "native/export/selection.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"

namespace bev::native {
namespace {

using zarr::DType;
using zarr::Field;
using zarr::Kind;

std::string names_of(const DType& record) {
  std::string names;
  for (const auto& field : record.fields)
    names += (names.empty() ? "" : ", ") + field.name;
  return names;
}

const Field* field_named(const DType& record, std::string_view name) {
  const auto hit = std::find_if(record.fields.begin(), record.fields.end(),
                                [&](const Field& field) { return field.name == name; });
  return hit == record.fields.end() ? nullptr : &*hit;
}

/// Finds the field at a dotted path; its offset is relative to the outermost record. A
/// field whose name contains dots takes precedence over a path.
Field find_field(const DType& record, const std::string& path) {
  const DType* within = &record;
  std::size_t offset = 0;
  for (std::size_t from = 0; from <= path.size();) {
    const auto rest = path.substr(from);
    const auto head = rest.substr(0, rest.find('.'));
    const auto* whole = field_named(*within, rest);
    const auto* field = whole != nullptr ? whole : field_named(*within, head);
    if (field == nullptr) break;
    offset += field->offset;
    if (whole != nullptr || head == rest) return {path, offset, field->type};
    if (!field->type.shape.empty()) break;  // the elements' parts are not contiguous
    within = &field->type;
    from += head.size() + 1;
  }
  throw Error(Errc::not_found, "unknown field \"" + path + "\" (expected one of " +
                                   names_of(*within) + ")");
}

void check_distinct(std::span<const std::string> names) {
  for (auto name = names.begin(); name != names.end(); ++name) {
    if (std::find(names.begin(), name, *name) != name) {
      throw Error(Errc::invalid_argument, "duplicate field \"" + *name + "\"");
    }
  }
}

}  // namespace

Selection select_fields(const DType& stored, std::span<const std::string> fields) {
  if (fields.empty()) return {"", stored, {{0, stored.size()}}};
  if (stored.kind != Kind::record) {
    throw Error(Errc::invalid_argument,
                "field \"" + fields.front() +
                    "\": the array has no fields (found dtype " +
                    zarr::to_string(stored) + ")");
  }
  check_distinct(fields);
  if (fields.size() == 1) {
    const auto field = find_field(stored, fields.front());
    return {field.name, field.type, {{field.offset, field.type.size()}}};
  }
  Selection selection;
  selection.type.kind = Kind::record;
  for (const auto& name : fields) {
    auto field = find_field(stored, name);
    selection.pieces.push_back({field.offset, field.type.size()});
    field.offset = selection.type.item_size;
    selection.type.item_size += field.type.size();
    selection.type.fields.push_back(std::move(field));
  }
  return selection;
}

void gather(const Selection& selection, std::size_t stored_size,
            std::span<const std::byte> stored, std::vector<std::byte>& out) {
  const std::size_t count = stored_size == 0 ? 0 : stored.size() / stored_size;
  out.resize(count * selection.type.size());
  auto* to = out.data();
  for (std::size_t i = 0; i < count; ++i) {
    const auto* from = stored.data() + i * stored_size;
    for (const auto& piece : selection.pieces) {
      std::memcpy(to, from + piece.offset, piece.size);
      to += piece.size;
    }
  }
}

}  // namespace bev::native
