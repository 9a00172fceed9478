#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Two incidental orders that determine the order of rows in a sample: NumPy's sort is
// not stable, and L5Kit lists agents in the iteration order of a Python set. Models are
// trained on rows in these orders, so samples reproduce them.

namespace bev::sample {

/// Sorts the rows of `keys` by ascending key; equal keys in the order of NumPy's
/// argsort.
///
/// @param rows  resized to the number of keys
/// Reference  NumPy, npysort/quicksort.cpp (aquicksort), without SIMD. Where NumPy
///            falls back to heapsort, on adversarial keys, this sorts stably.
void argsort(std::span<const double> keys, std::vector<std::uint32_t>& rows);

/// Integers in the order in which CPython iterates a set to which they were added one
/// by one.
///
/// Lifetime   Memory is reused after clear().
/// Reference  CPython, Objects/setobject.c: open addressing with runs of ten slots.
class PythonSet {
 public:
  PythonSet() { clear(); }

  void clear();
  void add(std::uint64_t value);  ///< no effect if present
  std::size_t size() const noexcept { return used_; }

  /// Replaces the content of `out`.
  void list(std::vector<std::uint64_t>& out) const;

 private:
  using Slot = std::optional<std::uint64_t>;

  static Slot& slot_for(std::vector<Slot>& slots, std::uint64_t value);
  void grow();

  std::vector<Slot> slots_;
  std::vector<Slot> old_;
  std::size_t used_ = 0;
};

}  // namespace bev::sample
