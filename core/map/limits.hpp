#pragma once

#include <cstddef>

namespace bev::map {

/// What a semantic map may hold before it is refused, so that a small hostile file
/// cannot ask for a large memory. The real map of L5Kit's data set is some 10 MB with
/// 17,000 elements; each limit leaves more than a factor of ten above it.
struct Limits {
  std::size_t bytes = std::size_t{256} << 20;  ///< of the encoded map
  std::size_t elements = 1'000'000;    ///< an empty one takes 2 bytes in the file
  std::size_t numbers = 32'000'000;    ///< of all lines, three a point
  std::size_t references = 4'000'000;  ///< ids that elements hold of others
};

}  // namespace bev::map
