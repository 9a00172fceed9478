// Replaces box_selection.cpp and box_reader.cpp in the wasm module that pages load
// first: L5Kit data is read by rows. `unsupported` makes the page load the full module.

#include "core/base/error.hpp"
#include "core/store/reader.hpp"

namespace bev::store {

namespace {

[[noreturn]] void refuse_box(const Array& array) {
  fail(Errc::unsupported,
       {array.name(), ": a box is not read by this module, but by the one for all"});
}

}  // namespace

BoxSelection BoxSelection::of(const Array& array, std::span<const AxisSlice>) {
  refuse_box(array);
}

bool Reader::read(const Array& array, const BoxSelection&,
                  std::span<const zarr::ColumnSlot>) {
  refuse_box(array);
}

}  // namespace bev::store
