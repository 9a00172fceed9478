#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

// Two orders that are nobody's intention and still decide which row of a sample is
// whose: NumPy's sort is not stable, and L5Kit lists agents as a Python set iterates.

namespace bev::sample {

/// Rows of `keys` in ascending order of them; equal keys as NumPy's argsort leaves
/// them.
///
/// @param rows   resized to the keys
/// Source  NumPy, npysort/quicksort.cpp (aquicksort), before any vector instructions.
///         Where it would turn to heapsort, against keys made to be slow, this sorts
///         stably.
void argsort(std::span<const double> keys, std::vector<std::uint32_t>& rows);

/// Whole numbers in the order in which CPython iterates a set of them that were added
/// one by one.
///
/// Lifetime  Its memory is used again after clear().
/// Source    CPython, Objects/setobject.c: open addressing with runs of ten slots.
class PythonSet {
 public:
  PythonSet() { clear(); }

  void clear();
  void add(std::uint64_t value);  ///< nothing where it is in already
  std::size_t size() const noexcept { return used_; }

  /// Replaces what `out` holds.
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
