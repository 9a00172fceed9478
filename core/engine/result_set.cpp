#include "core/engine/result_set.hpp"

namespace bev {

void ResultSet::add(std::string_view name, std::string_view dtype,
                    std::span<const std::size_t> shape,
                    std::span<const std::byte> bytes) {
  if (used_ == arrays_.size()) arrays_.push_back({});
  auto& array = arrays_[used_++];
  array.name = name;
  array.dtype = dtype;
  array.shape.assign(shape.begin(), shape.end());
  array.bytes = bytes;
}

void ResultSet::add_text(std::string_view name, std::span<const std::size_t> shape,
                         const zarr::Text& text) {
  add(name, "utf8", shape, std::as_bytes(std::span(text.utf8)));
  add(std::string(name) + ".offsets", "<u4", text.offsets);
}

void ResultSet::add_text(std::string_view name, const zarr::Text& text) {
  const auto count = text.size();
  add_text(name, std::span(&count, 1), text);
}

}  // namespace bev
