#include "library/stack.hpp"

#include <algorithm>
#include <cstring>

#include "core/base/error.hpp"

namespace bev::library {
namespace {

/// Rounds up to a cache line.
std::size_t aligned(std::size_t size) {
  return (size + 63) / 64 * 64;
}

}  // namespace

Stack::Stack(const Arrays& first, std::optional<std::size_t> count)
    : axes_(count ? 1 : 0), count_(count.value_or(1)) {
  std::size_t size = 0;
  for (const auto& array : first.all()) {
    Slot slot{std::string(array.name()),
              std::string(array.dtype()),
              {},
              size,
              array.bytes().size()};
    if (count) slot.shape.push_back(*count);
    slot.shape.insert(slot.shape.end(), array.shape().begin(), array.shape().end());
    size = aligned(size + slot.bytes * count_);
    slots_.push_back(std::move(slot));
  }
  block_ = allocate_block(size);
}

void Stack::check(const Slot& slot, const ArrayView& array) const {
  const auto shape = array.shape();
  if (slot.name == array.name() && slot.dtype == array.dtype() &&
      slot.bytes == array.bytes().size() &&
      std::equal(shape.begin(), shape.end(),
                 slot.shape.begin() + static_cast<std::ptrdiff_t>(axes_),
                 slot.shape.end())) {
    return;
  }
  fail(Errc::invalid_argument,
       {"batch: array ", array.name(), " differs between samples"});
}

void Stack::put(std::size_t i, const Arrays& result) {
  const auto arrays = result.all();
  if (arrays.size() != slots_.size()) {
    fail(Errc::invalid_argument, {"batch: number of arrays differs between samples"});
  }
  for (std::size_t k = 0; k < slots_.size(); ++k) {
    const auto& slot = slots_[k];
    check(slot, arrays[k]);
    if (slot.bytes == 0) continue;
    std::memcpy(block_.get() + slot.offset + i * slot.bytes, arrays[k].bytes().data(),
                slot.bytes);
  }
}

Arrays Stack::arrays(const std::shared_ptr<Stack>& self) {
  std::vector<ArrayView> views;
  views.reserve(self->slots_.size());
  for (const auto& slot : self->slots_) {
    const std::span<const std::byte> bytes(self->block_.get() + slot.offset,
                                           slot.bytes * self->count_);
    views.emplace_back(slot.name, slot.dtype, slot.shape, bytes);
  }
  return {std::move(views), self};
}

}  // namespace bev::library
