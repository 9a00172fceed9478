#pragma once

#include <cstddef>
#include <memory>

namespace bev::library {

/// Returns a block to the pool, or frees it.
struct ReturnBlock {
  std::size_t size = 0;  ///< as allocated
  void operator()(std::byte* block) const noexcept;
};

/// Uninitialized memory, aligned to 64 bytes.
using Block = std::unique_ptr<std::byte[], ReturnBlock>;

/// Returns a block of at least `size` bytes. Large blocks that were released are used
/// again: the first write to memory from the system costs more than a sample's copy.
///
/// Thread safety  Any thread. Never waits: a pool in use by another thread is bypassed,
///                also after a fork.
Block allocate_block(std::size_t size);

}  // namespace bev::library
