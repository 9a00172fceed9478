// Replaces columns.cpp in the wasm module that pages load first. `unsupported` makes the
// page load the full module.

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/store/columns.hpp"
#include "core/store/fields.hpp"
#include "core/store/read_ahead.hpp"
#include "core/store/reader.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::store {

std::vector<std::string> Catalogue::table_paths() {
  for (const auto attribute : {kColumnsAttribute, kFieldsAttribute}) {
    if (!group_->attrs || !zarr::JsonView(*group_->attrs)[attribute]) continue;
    fail_at(Errc::unsupported, attribute, {"tables require the full module"});
  }
  return {};
}

const Array* Catalogue::table(std::string_view) {
  return nullptr;
}

// No array has columns.
bool Reader::read_fields(const Array&, const RowSelection&,
                         std::span<const zarr::ColumnSlot>, Access) {
  return false;
}

bool Reader::request_fields(const Array&, const RowSelection&,
                            std::span<const zarr::ColumnSlot>) {
  return false;
}

std::vector<Request> read_ahead_fields(Store&, const Array&, const RowSelection&,
                                       std::span<const zarr::ColumnSlot>) {
  return {};
}

// Unused in that module, but referred to by sources of its batches.
std::vector<zarr::Field> stored_fields(const std::vector<zarr::Field>&, bool) {
  return {};
}

const Array& stored_at(const Array& array, std::size_t) noexcept {
  return array;
}

std::vector<const Array*> stored_arrays(const Array&) {
  return {};
}

std::vector<const Array*> stored_arrays(const Array&,
                                        std::span<const zarr::ColumnSlot>) {
  return {};
}

std::vector<std::uint64_t> Reader::absent_fields(const Array&, const RowSelection&) {
  return {};
}

}  // namespace bev::store
