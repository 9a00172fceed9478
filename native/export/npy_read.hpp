#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// What stands before the first element of an .npy file.
struct NpyHead {
  zarr::DType type;                  ///< of an element; not a record
  std::vector<std::uint64_t> shape;  ///< C order
  std::size_t data_offset = 0;       ///< from the start of the file
};

/// As many bytes as any head of a plain array takes.
inline constexpr std::size_t kLongestNpyHead = 4096;

/// Reads the head of an .npy file.
///
/// @param bytes   the file's first kLongestNpyHead bytes, or all it has
/// @param name    what messages call it
/// @throws Error  invalid_argument for bytes that are no .npy; unsupported for records,
///                objects and Fortran order
/// Source: NumPy's documentation of the format, "numpy.lib.format".
NpyHead read_npy_head(std::span<const std::byte> bytes, const std::string& name);

}  // namespace bev::native
