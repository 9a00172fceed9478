#include "library/block_pool.hpp"

#include <algorithm>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

namespace bev::library {
namespace {

constexpr std::align_val_t kAlignment{64};
// Below, the allocator of the C library keeps memory by itself.
constexpr std::size_t kMinPooled = std::size_t{128} << 10;
// Two batches of 32 samples with 224 x 224 float images of 25 channels.
constexpr std::size_t kMaxPooled = std::size_t{320} << 20;

struct Pool {
  std::mutex mutex;
  std::vector<std::pair<std::size_t, std::byte*>> blocks;
  std::size_t bytes = 0;
};

// Never destroyed: blocks may be released while the program ends.
Pool& pool() {
  static auto* const pool = new Pool;
  return *pool;
}

/// Takes a pooled block of `size` to 1.25 `size` bytes.
Block pooled(std::size_t size) {
  auto& shared = pool();
  const std::unique_lock lock(shared.mutex, std::try_to_lock);
  if (!lock) return {};
  const auto fits = [&](const auto& block) {
    return block.first >= size && block.first <= size + size / 4;
  };
  const auto found = std::find_if(shared.blocks.begin(), shared.blocks.end(), fits);
  if (found == shared.blocks.end()) return {};
  const auto [length, block] = *found;
  shared.blocks.erase(found);
  shared.bytes -= length;
  return Block(block, ReturnBlock{length});
}

bool keep(std::byte* block, std::size_t size) noexcept {
  if (size < kMinPooled || size > kMaxPooled) return false;
  auto& shared = pool();
  const std::unique_lock lock(shared.mutex, std::try_to_lock);
  if (!lock) return false;
  // The blocks that wait longest are of sizes that are not in use any more.
  while (shared.bytes + size > kMaxPooled) {
    const auto [length, oldest] = shared.blocks.front();
    shared.blocks.erase(shared.blocks.begin());
    shared.bytes -= length;
    ::operator delete[](oldest, kAlignment);
  }
  try {
    shared.blocks.emplace_back(size, block);
  } catch (const std::bad_alloc&) {
    return false;
  }
  shared.bytes += size;
  return true;
}

}  // namespace

void ReturnBlock::operator()(std::byte* block) const noexcept {
  if (!keep(block, size)) ::operator delete[](block, kAlignment);
}

Block allocate_block(std::size_t size) {
  if (size >= kMinPooled) {
    if (auto block = pooled(size)) return block;
  }
  auto* memory = static_cast<std::byte*>(::operator new[](size, kAlignment));
  return Block(memory, ReturnBlock{size});
}

}  // namespace bev::library
