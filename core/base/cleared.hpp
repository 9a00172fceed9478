#pragma once

#include <cstddef>
#include <vector>

namespace bev {

/// That many zeros, for whoever is going to write over them. Compiled for speed: a
/// caller that is compiled for size clears a vector byte by byte, which takes as long
/// as decoding what it is to hold.
std::vector<std::byte> cleared(std::size_t size);

}  // namespace bev
