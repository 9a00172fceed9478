#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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

/// Returns a NumPy array of a vector's values, which it keeps.
template <class T>
nanobind::object kept_array(std::string_view dtype, std::vector<T> values,
                            std::initializer_list<std::size_t> shape) {
  auto* const kept = new std::vector<T>(std::move(values));
  const nanobind::capsule owner(
      kept, [](void* held) noexcept { delete static_cast<std::vector<T>*>(held); });
  return numpy_array(dtype, {shape.begin(), shape.size()},
                     std::as_bytes(std::span(*kept)), owner);
}

/// Returns a NumPy scalar: np.int64(3).
nanobind::object numpy_scalar(std::string_view dtype, std::span<const std::byte> bytes);

}  // namespace bev::python
