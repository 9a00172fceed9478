#pragma once

#include <cstddef>
#include <vector>

#include "core/scene/overlay.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::scene {

/// Returns rows in memory as records of a stored type, in its byte order.
///
/// @throws Error  out_of_range as Overlay::rows; unsupported for a field that rows in
///                memory lack, and for strings of another length
std::vector<std::byte> virtual_records(const Overlay& overlay, VirtualArray array,
                                       Interval rows, const zarr::DType& record);

}  // namespace bev::scene
