#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/error.hpp"

namespace bev {

/// Integer arithmetic with overflow checks: nullopt if the result does not fit.
template <std::integral T>
std::optional<T> checked_add(T a, T b) noexcept {
  T out{};
  if (__builtin_add_overflow(a, b, &out)) return std::nullopt;
  return out;
}

template <std::integral T>
std::optional<T> checked_sub(T a, T b) noexcept {
  T out{};
  if (__builtin_sub_overflow(a, b, &out)) return std::nullopt;
  return out;
}

template <std::integral T>
std::optional<T> checked_mul(T a, T b) noexcept {
  T out{};
  if (__builtin_mul_overflow(a, b, &out)) return std::nullopt;
  return out;
}

/// Do the same for numbers read from a file; overflow means that the file is invalid.
///
/// @param thing   what is computed, the prefix of the message: "agents: chunk size"
/// @throws Error  `code` with "agents: chunk size: 5 * 7 does not fit in 64 bits"
template <std::integral T>
T add_or_throw(T a, T b, std::string_view thing, Errc code = Errc::invalid_metadata);

template <std::integral T>
T sub_or_throw(T a, T b, std::string_view thing, Errc code = Errc::invalid_metadata);

template <std::integral T>
T mul_or_throw(T a, T b, std::string_view thing, Errc code = Errc::invalid_metadata);

namespace detail {

template <std::integral T>
T value_or_throw(std::optional<T> value, T a, const char* sign, T b,
                 std::string_view thing, Errc code) {
  if (value) return *value;
  fail(code, {thing, ": ", a, sign, b, " does not fit in ", sizeof(T) * 8, " bits"});
}

}  // namespace detail

template <std::integral T>
T add_or_throw(T a, T b, std::string_view thing, Errc code) {
  return detail::value_or_throw(checked_add(a, b), a, " + ", b, thing, code);
}

template <std::integral T>
T sub_or_throw(T a, T b, std::string_view thing, Errc code) {
  return detail::value_or_throw(checked_sub(a, b), a, " - ", b, thing, code);
}

template <std::integral T>
T mul_or_throw(T a, T b, std::string_view thing, Errc code) {
  return detail::value_or_throw(checked_mul(a, b), a, " * ", b, thing, code);
}

}  // namespace bev
