// Replaces box_selection.cpp in the wasm module that pages load first: L5Kit data is
// read by rows. `unsupported` makes the page load the full module.

#include "core/base/error.hpp"
#include "core/store/box_selection.hpp"

namespace bev::store {

zarr::AxisRange range_of(const AxisSlice&, std::uint64_t, std::string_view array) {
  fail_at(Errc::unsupported, array, {"boxes require the full module"});
}

BoxSelection BoxSelection::of(const Array& array, std::span<const AxisSlice>) {
  fail_at(Errc::unsupported, array.name(), {"boxes require the full module"});
}

}  // namespace bev::store
