#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev {

/// One array of a result, as passed to hosts.
///
/// Shapes    C order. Strings take two arrays: `name`, dtype "utf8", shape (n), with
///           all bytes, and `name.offsets` with n + 1 byte offsets.
/// Lifetime  `bytes` belongs to the query or object that built the result; see there.
struct ResultArray {
  std::string name;
  std::string dtype;  ///< NumPy's little-endian code, e.g. "<f8", "|b1"; or "utf8"
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;
};

}  // namespace bev
