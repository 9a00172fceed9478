#include "core/scene/stored_mask.hpp"

#include <array>
#include <span>

#include "core/base/error.hpp"
#include "core/zarr/column.hpp"

namespace bev::scene {

std::optional<StoredMask> StoredMask::find(store::Reader& reader,
                                           const std::string& name,
                                           std::uint64_t agent_count) {
  const auto array = reader.array("agents_mask/" + name, false);
  if (!array) return std::nullopt;
  StoredMask mask;
  if (*array == nullptr) return mask;
  const auto& meta = (*array)->meta;
  const auto code = zarr::to_string(zarr::native_type(meta.dtype));
  const std::vector<std::uint64_t> shape{agent_count, 2};
  if (code != "<u4" || !meta.dtype.shape.empty() || meta.shape != shape) {
    std::string found = code + " of shape (";
    for (std::size_t i = 0; i < meta.shape.size(); ++i) {
      found += (i == 0 ? "" : ", ") + std::to_string(meta.shape[i]);
    }
    fail(Errc::invalid_metadata,
         {(*array)->name(), ": wrong type or shape (found ", found,
          "), expected <u4 of shape (", agent_count, ", 2))"});
  }
  mask.array_ = *array;
  return mask;
}

bool StoredMask::read(store::Reader& reader, std::uint64_t begin, std::uint64_t end,
                      std::vector<std::uint32_t>& counts) const {
  const auto rows = store::RowSelection::range(array_->name(), array_->length(),
                                               static_cast<std::int64_t>(begin),
                                               static_cast<std::int64_t>(end));
  store::result_bytes(*array_, rows.count, 2 * sizeof(std::uint32_t));
  counts.resize(2 * rows.count);
  const auto out = std::as_writable_bytes(std::span(counts));
  const std::array<zarr::ColumnSlot, 1> slots{{{0, sizeof(std::uint32_t), out}}};
  if (!reader.read(*array_, rows, slots)) return false;
  zarr::to_native(array_->meta.dtype, out);
  return true;
}

}  // namespace bev::scene
