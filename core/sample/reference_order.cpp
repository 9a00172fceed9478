#include "core/sample/reference_order.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace bev::sample {
namespace {

/// Rows [first, last] that remain to be sorted.
struct Part {
  std::uint32_t* first;
  std::uint32_t* last;
  int depth;  ///< number of splits left
};

class Argsort {
 public:
  explicit Argsort(std::span<const double> keys) : keys_(keys) {}

  /// If `part` is too small, or has been split too often, sorts it and returns true.
  bool settle(const Part& part) const {
    if (part.last - part.first <= kSmall) {
      insert(part);
      return true;
    }
    if (part.depth >= 0) return false;
    std::stable_sort(part.first, part.last + 1,
                     [this](auto a, auto b) { return keys_[a] < keys_[b]; });
    return true;
  }

  /// Partitions and returns the pivot's position: no key before it is greater, none
  /// after it smaller.
  std::uint32_t* split(const Part& part) const {
    std::uint32_t* const first = part.first;
    std::uint32_t* const last = part.last;
    std::uint32_t* const middle = first + ((last - first) >> 1);
    order(*first, *middle);
    order(*middle, *last);
    order(*first, *middle);
    const double pivot = keys_[*middle];
    std::uint32_t* up = first;
    std::uint32_t* down = last - 1;
    std::swap(*middle, *down);
    for (;;) {
      do ++up;
      while (keys_[*up] < pivot);
      do --down;
      while (pivot < keys_[*down]);
      if (up >= down) break;
      std::swap(*up, *down);
    }
    std::swap(*up, *(last - 1));
    return up;
  }

 private:
  static constexpr std::ptrdiff_t kSmall = 15;

  void order(std::uint32_t& a, std::uint32_t& b) const {
    if (keys_[b] < keys_[a]) std::swap(a, b);
  }

  void insert(const Part& part) const {
    for (auto* at = part.first + 1; at <= part.last; ++at) {
      const std::uint32_t row = *at;
      auto* to = at;
      for (; to > part.first && keys_[row] < keys_[*(to - 1)]; --to) *to = *(to - 1);
      *to = row;
    }
  }

  std::span<const double> keys_;
};

int bit_width(std::size_t n) {
  int bits = 0;
  for (; n > 1; n >>= 1) ++bits;
  return bits;
}

/// Returns CPython's hash of an integer: its remainder by the prime 2^61 - 1.
std::uint64_t hash_of(std::uint64_t value) {
  return value % ((std::uint64_t{1} << 61) - 1);
}

constexpr std::size_t kMinSlots = 8;
constexpr std::size_t kRun = 9;  // slots probed after the first

}  // namespace

void argsort(std::span<const double> keys, std::vector<std::uint32_t>& rows) {
  rows.resize(keys.size());
  std::iota(rows.begin(), rows.end(), 0U);
  if (rows.empty()) return;
  const Argsort sorter(keys);
  // The larger part is pushed first, so the stack holds at most as many parts as the
  // row count has bits.
  std::array<Part, 64> waiting{};
  std::size_t count = 0;
  waiting[count++] = {rows.data(), rows.data() + rows.size() - 1,
                      2 * bit_width(keys.size())};
  while (count > 0) {
    const Part part = waiting[--count];
    if (sorter.settle(part)) continue;
    std::uint32_t* const pivot = sorter.split(part);
    const Part before{part.first, pivot - 1, part.depth - 1};
    const Part behind{pivot + 1, part.last, part.depth - 1};
    const bool behind_is_larger = pivot - part.first < part.last - pivot;
    waiting[count++] = behind_is_larger ? behind : before;
    waiting[count++] = behind_is_larger ? before : behind;
  }
}

void PythonSet::clear() {
  slots_.assign(kMinSlots, std::nullopt);
  used_ = 0;
}

PythonSet::Slot& PythonSet::slot_for(std::vector<Slot>& slots, std::uint64_t value) {
  const std::size_t mask = slots.size() - 1;
  std::uint64_t perturb = hash_of(value);
  std::uint64_t at = perturb & mask;
  for (;;) {
    const std::size_t run = at + kRun <= mask ? kRun : 0;
    for (std::size_t i = 0; i <= run; ++i) {
      Slot& slot = slots[static_cast<std::size_t>(at) + i];
      if (!slot || *slot == value) return slot;
    }
    perturb >>= 5;
    at = (at * 5 + 1 + perturb) & mask;
  }
}

void PythonSet::add(std::uint64_t value) {
  Slot& slot = slot_for(slots_, value);
  if (slot) return;
  slot = value;
  ++used_;
  if (used_ * 5 >= (slots_.size() - 1) * 3) grow();
}

void PythonSet::grow() {
  constexpr std::size_t kMany = 50'000;
  const std::size_t above = used_ > kMany ? used_ * 2 : used_ * 4;
  std::size_t size = kMinSlots;
  while (size <= above) size <<= 1;
  old_.assign(size, std::nullopt);
  std::swap(old_, slots_);
  for (const Slot& slot : old_) {
    if (slot) slot_for(slots_, *slot) = slot;
  }
}

void PythonSet::list(std::vector<std::uint64_t>& out) const {
  out.clear();
  for (const Slot& slot : slots_) {
    if (slot) out.push_back(*slot);
  }
}

}  // namespace bev::sample
