#pragma once

#include <exception>
#include <new>
#include <type_traits>
#include <utility>
#include <variant>

#include "error.hpp"

namespace bev {

/// A value, or the error in its place; as std::expected of C++23.
template <typename T>
class [[nodiscard]] Result {
 public:
  /// Holds a value.
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  /// Holds an error.
  Result(Error error) : held_(std::in_place_index<1>, std::move(error)) {}

  /// Whether there is a value.
  explicit operator bool() const noexcept { return held_.index() == 0; }
  /// Returns the value. There must be one.
  T& operator*() noexcept { return *std::get_if<0>(&held_); }
  /// Returns the value. There must be one.
  const T& operator*() const noexcept { return *std::get_if<0>(&held_); }
  /// Returns the value. There must be one.
  T* operator->() noexcept { return std::get_if<0>(&held_); }
  /// Returns the error. There must be no value.
  const Error& error() const noexcept { return *std::get_if<1>(&held_); }

 private:
  std::variant<T, Error> held_;
};

/// Calls `function`; returns its result, or the error that it threw. std::bad_alloc
/// becomes `out_of_memory`, and another std::exception `internal`. The result of a
/// function that returns nothing has a std::monostate.
template <typename Function>
auto attempt(Function&& function) {
  using Returned = std::decay_t<std::invoke_result_t<Function>>;
  constexpr bool kReturns = !std::is_void_v<Returned>;
  using Made = Result<std::conditional_t<kReturns, Returned, std::monostate>>;
  try {
    if constexpr (kReturns) {
      return Made(std::forward<Function>(function)());
    } else {
      std::forward<Function>(function)();
      return Made(std::monostate{});
    }
  } catch (const Error& error) {
    return Made(error);
  } catch (const std::bad_alloc&) {
    return Made(Error(Errc::out_of_memory, "out of memory"));
  } catch (const std::exception& error) {
    return Made(Error(Errc::internal, error.what()));
  }
}

}  // namespace bev
