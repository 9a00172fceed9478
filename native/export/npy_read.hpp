#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// The header of an .npy file.
struct NpyHead {
  zarr::DType type;                  ///< of an element; not a record
  std::vector<std::uint64_t> shape;  ///< C order
  std::size_t data_offset = 0;       ///< from the start of the file
};

/// Maximum header size of a plain array.
inline constexpr std::size_t kLongestNpyHead = 4096;

/// Parses the header of an .npy file.
///
/// @param bytes   the file's first kLongestNpyHead bytes, or all if shorter
/// @param name    the file's name in messages
/// Throws     invalid_argument if the bytes are not .npy; unsupported for records,
///            objects and Fortran order
/// Reference  NumPy's documentation of the format, "numpy.lib.format".
NpyHead read_npy_head(std::span<const std::byte> bytes, const std::string& name);

}  // namespace bev::native
