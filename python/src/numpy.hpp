#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <span>
#include <string_view>

namespace bev::python {

/// Returns a NumPy array that shares memory with `owner`, which it keeps.
///
/// Calls NumPy's C interface through its table of functions, which has the same layout
/// in all versions from 1.7 to 2.x: creating an array through the buffer protocol takes
/// ten times as long, and a sample has 25 arrays.
///
/// @param dtype  code of a number of 1 to 8 bytes, in native byte order: "<f4", "|b1"
nanobind::object numpy_array(std::string_view dtype, std::span<const std::size_t> shape,
                             std::span<const std::byte> bytes, nanobind::handle owner);

/// Returns a NumPy scalar: np.int64(3).
nanobind::object numpy_scalar(std::string_view dtype, std::span<const std::byte> bytes);

}  // namespace bev::python
