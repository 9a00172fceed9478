#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "native/export/row_writer.hpp"

namespace bev::native {

/// Returns the header of an .npy file, up to the first element; a multiple of 64 bytes.
///
/// Example: b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape':
/// (3, 2), }" and spaces, up to a line feed.
///
/// Reference  NumPy's documentation of the format, "numpy.lib.format".
std::string npy_head(const RowLayout& layout);

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

/// Returns the bytes of an uncompressed .npz file with one array, as np.savez writes
/// it.
///
/// @param npy     the array as an .npy file
/// Throws  unsupported for 4 GiB or more
std::vector<std::byte> npz_of(std::span<const std::byte> npy,
                              std::string_view name = "arr_0");

}  // namespace bev::native
