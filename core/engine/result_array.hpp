#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace bev {

/// One array of a result, as both doors hand it out.
///
/// Shapes    C order. Strings are two arrays: `name` with dtype "utf8", shape (n) and
///           all their bytes, and `name.offsets` with n + 1 places in them.
/// Lifetime  `bytes` belongs to whoever built the result, and says until when.
struct ResultArray {
  std::string name;
  std::string dtype;  ///< NumPy's little-endian code, e.g. "<f8", "|b1"; or "utf8"
  std::vector<std::size_t> shape;
  std::span<const std::byte> bytes;
};

}  // namespace bev
