#pragma once

#include <bevscope/arrays.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "library/block_pool.hpp"

namespace bev::library {

/// Copies of results with equal arrays, in one block of memory.
///
/// Throws  put() throws invalid_argument if an array's name, type or shape differs from
///         that of the first result
class Stack {
 public:
  /// @param first  a result, for names, types and shapes
  /// @param count  number of results, which becomes the first axis; without it, one
  ///               result without a further axis
  explicit Stack(const Arrays& first, std::optional<std::size_t> count = std::nullopt);

  /// Copies result `i`, which must be less than the count.
  void put(std::size_t i, const Arrays& result);

  /// Returns views of the block; `self` owns it.
  static Arrays arrays(const std::shared_ptr<Stack>& self);

 private:
  /// An array of all results.
  struct Slot {
    std::string name, dtype;
    std::vector<std::size_t> shape;
    std::size_t offset;  ///< of the array in the block
    std::size_t bytes;   ///< of one result
  };
  void check(const Slot& slot, const ArrayView& array) const;

  std::size_t axes_;  ///< added in front: 0 or 1
  std::size_t count_;
  std::vector<Slot> slots_;
  Block block_;
};

}  // namespace bev::library
