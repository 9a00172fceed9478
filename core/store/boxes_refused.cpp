// What the module that pages load first has in the place of box_selection.cpp and
// box_reader.cpp: what L5Kit writes is read by rows. `unsupported` tells the page to
// ask the module that reads everything.

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
