// Replaces box_selection.cpp in the wasm module that pages load first: L5Kit data is
// read by rows. `unsupported` makes the page load the full module.

#include "core/base/error.hpp"
#include "core/store/box_selection.hpp"

namespace bev::store {

zarr::AxisRange range_of(const AxisSlice&, std::uint64_t, std::string_view array) {
  fail_at(Errc::unsupported, array, {"boxes require the full module"});
}

BoxSelection BoxSelection::of(std::string_view array, std::span<const std::uint64_t>,
                              std::span<const AxisSlice>, std::size_t) {
  fail_at(Errc::unsupported, array, {"boxes require the full module"});
}

void BoxSelection::copy_elements(const zarr::DType&, std::span<const std::byte>,
                                 std::span<std::byte>) const {}

}  // namespace bev::store
