#pragma once

#include <cstddef>

namespace bev::map {

/// Maximum contents of a semantic map, so that a small hostile file cannot allocate
/// much memory. The map of L5Kit's data set takes about 10 MB with 17,000 elements;
/// each limit is more than ten times higher.
struct Limits {
  std::size_t bytes = std::size_t{256} << 20;  ///< size of the encoded map
  std::size_t elements = 1'000'000;    ///< an empty element takes 2 bytes in the file
  std::size_t numbers = 32'000'000;    ///< coordinates of all lines, three per point
  std::size_t references = 4'000'000;  ///< ids of other elements
};

}  // namespace bev::map
