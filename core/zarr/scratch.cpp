#include "core/zarr/scratch.hpp"

namespace bev::zarr {
namespace {

// Whole decoded chunks of common datasets fit (L5Kit's largest is 2.3 MB).
constexpr std::size_t kKept = std::size_t{16} << 20;

}  // namespace

Scratch::Scratch(std::size_t size) {
  if (bytes().size() < size) bytes().resize(size);
}

Scratch::~Scratch() {
  if (bytes().size() > kKept) std::vector<std::byte>().swap(bytes());
}

std::byte* Scratch::data() noexcept {
  return bytes().data();
}

std::vector<std::byte>& Scratch::bytes() noexcept {
  thread_local std::vector<std::byte> memory;
  return memory;
}

}  // namespace bev::zarr
