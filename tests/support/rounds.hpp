#pragma once

#include <concepts>

namespace bev::test {

/// How often a long random test repeats: `wanted` times, or a tenth with sanitizers, which
/// make each round ten times as slow, and with --quick. WebAssembly and --only release run
/// all.
template <std::integral Int>
constexpr Int rounds(Int wanted) {
#ifdef BEV_FEW_ROUNDS
  return wanted / 10;
#else
  return wanted;
#endif
}

}  // namespace bev::test
