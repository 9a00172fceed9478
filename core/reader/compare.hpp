#pragma once

#include <cstdint>
#include <optional>

#include "core/reader/expression.hpp"
#include "core/zarr/number.hpp"

namespace bev::reader {

/// The order of two numbers of any kinds, without rounding: negative, 0 or positive;
/// nullopt if one of them is NaN.
std::optional<int> compare(const zarr::Number& a, const zarr::Number& b) noexcept;

/// The order of numbers that are not NaN, for sorting and searching.
struct Ascending {
  bool operator()(const zarr::Number& a, const zarr::Number& b) const noexcept {
    return *compare(a, b) < 0;
  }
};

/// Returns whether a comparison with operator `op` holds, given the order of its sides.
/// NaN (nullopt) is unequal to everything and has no order, as in NumPy.
constexpr bool holds(Op op, std::optional<int> order) noexcept {
  if (!order) return op == Op::not_equal;
  switch (op) {
    case Op::equal: return *order == 0;
    case Op::not_equal: return *order != 0;
    case Op::less: return *order < 0;
    case Op::less_equal: return *order <= 0;
    case Op::greater: return *order > 0;
    default: return *order >= 0;
  }
}

/// Returns the operator with its sides exchanged: a < b is b > a.
constexpr Op exchanged(Op op) noexcept {
  switch (op) {
    case Op::less: return Op::greater;
    case Op::less_equal: return Op::greater_equal;
    case Op::greater: return Op::less;
    case Op::greater_equal: return Op::less_equal;
    default: return op;
  }
}

/// A comparison `x op bound` with a bound of x's own type, or its result for every x
/// that is no NaN.
template <class T>
struct Bound {
  Op op;
  T value{};
  std::optional<bool> constant = std::nullopt;
};

/// Converts a comparison with any number to one with a number of type T, without
/// rounding: an integer is below 2.5 if it is at most 2. T is std::int64_t,
/// std::uint64_t, float or double.
template <class T>
Bound<T> bound_for(Op op, const zarr::Number& number) noexcept;

}  // namespace bev::reader
