#include <algorithm>
#include <bevscope/arrays.hpp>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "library/result_arrays.hpp"
#include "library/stack.hpp"

namespace bev {
namespace {

std::string text_of(std::span<const std::size_t> shape) {
  std::string text = "(n";
  for (const auto length : shape) text += ", " + std::to_string(length);
  return text + ")";
}

}  // namespace

void ArrayView::check_type(std::string_view expected) const {
  const bool is_byte_of_bool = dtype_ == "|b1" && expected == "|u1";
  if (dtype_ == expected || is_byte_of_bool) return;
  fail(Errc::invalid_argument, {"array ", name_, ": wrong element type (found ", dtype_,
                                ", expected ", expected, ")"});
}

void ArrayView::check_inner_shape(std::span<const std::size_t> expected) const {
  const auto inner = shape_.empty() ? shape_ : shape_.subspan(1);
  if (std::equal(inner.begin(), inner.end(), expected.begin(), expected.end())) return;
  fail(Errc::invalid_argument, {"array ", name_, ": wrong shape (found ",
                                text_of(inner), ", expected ", text_of(expected), ")"});
}

void ArrayView::throw_not_scalar() const {
  fail(Errc::invalid_argument,
       {"array ", name_, ": not a single value (found ", bytes_.size(), " bytes)"});
}

Arrays::Arrays(std::vector<ArrayView> views, std::shared_ptr<const void> owner)
    : views_(std::move(views)), owner_(std::move(owner)) {}

bool Arrays::contains(std::string_view name) const noexcept {
  return std::any_of(views_.begin(), views_.end(),
                     [&](const ArrayView& view) { return view.name() == name; });
}

const ArrayView& Arrays::operator[](std::string_view name) const& {
  for (const auto& view : views_) {
    if (view.name() == name) return view;
  }
  fail(Errc::not_found, {"array ", name, ": not in the result"});
}

Arrays Arrays::copy() const {
  const auto stack = std::make_shared<library::Stack>(*this);
  stack->put(0, *this);
  return library::Stack::arrays(stack);
}

TextView Arrays::text(std::string_view name) const& {
  const auto& view = (*this)[name];
  if (view.dtype() != "utf8") {
    fail(Errc::invalid_argument, {"array ", name, ": wrong element type (found ",
                                  view.dtype(), ", expected utf8)"});
  }
  const auto bytes = view.bytes();
  return {{reinterpret_cast<const char*>(bytes.data()), bytes.size()},
          offsets_of(name)};
}

std::span<const std::uint32_t> Arrays::offsets_of(std::string_view name) const {
  return array<std::uint32_t>(std::string(name) + ".offsets");
}

std::size_t Arrays::inner_size(const ArrayView& view) noexcept {
  std::size_t out = 1;
  for (std::size_t i = 1; i < view.shape().size(); ++i) out *= view.shape()[i];
  return out;
}

bool Arrays::is_valid(std::string_view name, std::size_t i) const {
  const auto valid = std::string(name) + ".valid";
  if (!contains(valid)) {
    static_cast<void>((*this)[name]);  // throws for an unknown name
    return true;
  }
  const auto all = array<bool>(valid);
  if (i >= all.size()) {
    fail(Errc::out_of_range,
         {"array ", valid, ": index ", i, " (found ", all.size(), ")"});
  }
  return all[i];
}

Arrays library::arrays_of(std::span<const ResultArray> results,
                          std::shared_ptr<const void> owner) {
  std::vector<ArrayView> views;
  views.reserve(results.size());
  for (const auto& array : results) {
    views.emplace_back(array.name, array.dtype, array.shape, array.bytes);
  }
  return {std::move(views), std::move(owner)};
}

}  // namespace bev
