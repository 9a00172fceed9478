#include <cstdint>

#include "tests/fuzz/convert/target.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  bev::test::opendrive_target(std::as_bytes(std::span(data, size)));
  return 0;
}
