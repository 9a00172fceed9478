#include "library/stack.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"

namespace bev::library {

/// An array of all results.
struct Stack::Slot {
  std::string name, dtype;
  std::vector<std::size_t> shape;
  std::size_t offset;  ///< of the array in the block
  std::size_t bytes;   ///< of one result
  std::byte* outside;  ///< the caller's memory; null: in the block
};

struct Stack::Layout {
  std::size_t axes;  ///< added in front: 0 or 1
  std::size_t count;
  std::size_t size;  ///< of the block
  std::vector<Slot> slots;

  bool fits(const Slot& slot, const ArrayView& array) const noexcept;
};

namespace {

/// Rounds up to a cache line.
std::size_t aligned(std::size_t size) {
  return (size + 63) / 64 * 64;
}

/// Returns the size of an element: 4 for "<f4".
std::size_t size_of(std::string_view dtype) {
  return dtype.size() == 3 ? static_cast<std::size_t>(dtype[2] - '0') : 1;
}

const BatchOutput* output_of(std::span<const BatchOutput> outputs,
                             std::string_view name) {
  for (const auto& output : outputs) {
    if (output.name == name) return &output;
  }
  return nullptr;
}

void check_output(const BatchOutput& output, std::string_view dtype,
                  const std::vector<std::size_t>& shape, std::size_t bytes) {
  if (output.dtype == dtype && output.shape == shape && output.bytes.size() == bytes) {
    return;
  }
  fail(
      Errc::invalid_argument,
      {"batch: output \"", output.name, "\": wrong type or shape (found ", output.dtype,
       ", ", output.bytes.size(), " bytes, expected ", dtype, ", ", bytes, " bytes)"});
}

void check_names(std::span<const BatchOutput> outputs, const Arrays& first) {
  for (const auto& output : outputs) {
    if (!first.contains(output.name)) {
      fail(Errc::invalid_argument,
           {"batch: output \"", output.name, "\" is not an array of the samples"});
    }
  }
}

}  // namespace

Stack::Stack(std::shared_ptr<const Layout> layout)
    : layout_(std::move(layout)), block_(allocate_block(layout_->size)) {}

Stack::Stack(const Arrays& first, std::optional<std::size_t> count,
             std::span<const BatchOutput> outputs) {
  check_names(outputs, first);
  Layout layout{count ? std::size_t{1} : 0, count.value_or(1), 0, {}};
  layout.slots.reserve(first.all().size());
  for (const auto& array : first.all()) {
    Slot slot{std::string(array.name()),
              std::string(array.dtype()),
              {},
              layout.size,
              array.bytes().size(),
              nullptr};
    if (count) slot.shape.push_back(*count);
    slot.shape.insert(slot.shape.end(), array.shape().begin(), array.shape().end());
    if (const auto* output = output_of(outputs, slot.name)) {
      check_output(*output, slot.dtype, slot.shape, slot.bytes * layout.count);
      slot.outside = output->bytes.data();
    }
    if (slot.outside == nullptr) {
      layout.size = aligned(layout.size + slot.bytes * layout.count);
    }
    layout.slots.push_back(std::move(slot));
  }
  layout_ = std::make_shared<const Layout>(std::move(layout));
  block_ = allocate_block(layout_->size);
}

bool Stack::Layout::fits(const Slot& slot, const ArrayView& array) const noexcept {
  const auto shape = array.shape();
  return slot.name == array.name() && slot.dtype == array.dtype() &&
         slot.bytes == array.bytes().size() &&
         std::equal(shape.begin(), shape.end(),
                    slot.shape.begin() + static_cast<std::ptrdiff_t>(axes),
                    slot.shape.end());
}

bool Stack::accepts(const Arrays& result) const noexcept {
  const auto arrays = result.all();
  const auto& slots = layout_->slots;
  return std::equal(
      slots.begin(), slots.end(), arrays.begin(), arrays.end(),
      [&](const auto& slot, const auto& array) { return layout_->fits(slot, array); });
}

std::byte* Stack::data(const Slot& slot) const noexcept {
  return slot.outside != nullptr ? slot.outside : block_.get() + slot.offset;
}

std::span<std::byte> Stack::place(std::size_t i, std::string_view name) const noexcept {
  for (const auto& slot : layout_->slots) {
    if (slot.name != name) continue;
    auto* const at = data(slot) + i * slot.bytes;
    if (reinterpret_cast<std::uintptr_t>(at) % size_of(slot.dtype) != 0) return {};
    return {at, slot.bytes};
  }
  return {};
}

void Stack::check(const Arrays& result) const {
  const auto arrays = result.all();
  const auto& slots = layout_->slots;
  if (arrays.size() != slots.size()) {
    fail(Errc::invalid_argument, {"batch: number of arrays differs between samples"});
  }
  for (std::size_t k = 0; k < slots.size(); ++k) {
    if (layout_->fits(slots[k], arrays[k])) continue;
    fail(Errc::invalid_argument,
         {"batch: array ", arrays[k].name(), " differs between samples"});
  }
}

void Stack::put(std::size_t i, const Arrays& result) {
  check(result);
  put_accepted(i, result);
}

void Stack::put_accepted(std::size_t i, const Arrays& result) {
  const auto arrays = result.all();
  const auto& slots = layout_->slots;
  for (std::size_t k = 0; k < slots.size(); ++k) {
    const auto& slot = slots[k];
    auto* const at = data(slot) + i * slot.bytes;
    const auto bytes = arrays[k].bytes();
    if (bytes.empty() || bytes.data() == at) continue;
    std::memcpy(at, bytes.data(), bytes.size());
  }
}

Arrays Stack::arrays(const std::shared_ptr<Stack>& self) {
  const auto& layout = *self->layout_;
  std::vector<ArrayView> views;
  views.reserve(layout.slots.size());
  for (const auto& slot : layout.slots) {
    const std::span<const std::byte> bytes(self->data(slot), slot.bytes * layout.count);
    views.emplace_back(slot.name, slot.dtype, slot.shape, bytes);
  }
  return {std::move(views), self};
}

}  // namespace bev::library
