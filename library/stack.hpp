#pragma once

#include <bevscope/arrays.hpp>
#include <bevscope/samples.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "library/block_pool.hpp"

namespace bev::library {

/// Copies of results with equal arrays, in one block of memory.
///
/// Throws         put() throws invalid_argument if an array's name, type or shape
///                differs from that of the first result
/// Thread safety  Different results may be put by different threads.
class Stack {
 public:
  /// @param first    a result, for names, types and shapes
  /// @param count    number of results, which becomes the first axis; without it, one
  ///                 result without a further axis
  /// @param outputs  arrays that are written to memory of the caller
  /// @throws Error   invalid_argument if an output is not an array of the stack
  explicit Stack(const Arrays& first, std::optional<std::size_t> count = std::nullopt,
                 std::span<const BatchOutput> outputs = {});

  struct Layout;  ///< names, types, shapes and offsets of arrays

  /// Creates a stack for results like those of the stack that has this layout.
  explicit Stack(std::shared_ptr<const Layout> layout);

  const std::shared_ptr<const Layout>& layout() const noexcept { return layout_; }

  /// Copies result `i`, which must be less than the count. Arrays that are in place
  /// already are not copied.
  void put(std::size_t i, const Arrays& result);

  /// As put(), for a result that accepts() returned true for.
  void put_accepted(std::size_t i, const Arrays& result);

  /// Whether put() accepts the result.
  bool accepts(const Arrays& result) const noexcept;

  /// Returns where put(i) places an array, to write it there; empty if there is no such
  /// array, or its memory is not aligned for its type.
  std::span<std::byte> place(std::size_t i, std::string_view name) const noexcept;

  /// Returns views of the block; `self` owns it.
  static Arrays arrays(const std::shared_ptr<Stack>& self);

 private:
  struct Slot;
  void check(const Arrays& result) const;
  std::byte* data(const Slot& slot) const noexcept;

  std::shared_ptr<const Layout> layout_;
  Block block_;
};

}  // namespace bev::library
