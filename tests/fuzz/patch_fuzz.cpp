#include <cstddef>
#include <cstdint>

#include "tests/fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bev::test::patch_target(std::as_bytes(std::span(data, size)));
  return 0;
}
