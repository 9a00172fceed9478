#pragma once

#include <string>

#include "native/export/row_writer.hpp"

namespace bev::native {

/// Returns the header of an .npy file, up to the first element; a multiple of 64 bytes.
///
/// Example: b"\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape':
/// (3, 2), }" and spaces, up to a line feed.
///
/// Reference  NumPy's documentation of the format, "numpy.lib.format".
std::string npy_head(const RowLayout& layout);

}  // namespace bev::native
