#pragma once

#include <emscripten/val.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "core/engine/numbers.hpp"

namespace bev::wasm {

// Defined in arrays.js.
extern "C" std::uint32_t bev_given(emscripten::EM_VAL options, const char* const* names,
                                   std::size_t count, double* numbers);

/// Tells which of N properties an options object has, and holds the numeric ones. Takes
/// one call out of the module instead of four per property.
///
/// Lifetime  The names must be constants.
template <std::size_t N>
class Given {
 public:
  Given(const emscripten::val& options, const std::array<const char*, N>& names)
      : names_(names),
        bits_(bev_given(options.as_handle(), names.data(), N, numbers_.data())) {}

  bool has(std::size_t i) const { return (bits_ >> i & 1) != 0; }

  /// Returns number i converted by `convert(value, name)`, or the fallback if not
  /// given.
  template <class T, class Convert>
  T number(std::size_t i, T fallback, const Convert& convert) const {
    return has(i) ? T(convert(numbers_[i], names_[i])) : std::move(fallback);
  }

 private:
  std::array<double, N> numbers_;
  const std::array<const char*, N>& names_;
  std::uint32_t bits_;
};

/// Returns a converted property of an options object, or the fallback if not given.
template <class T, class Convert>
T option(const emscripten::val& options, const char* name, T fallback,
         const Convert& convert) {
  const emscripten::val value = options[name];
  return value.isUndefined() ? std::move(fallback) : convert(value);
}

/// As option(), for types that Embind converts: bool, double, std::string.
template <class T>
T option(const emscripten::val& options, const char* name, T fallback) {
  return option(options, name, std::move(fallback),
                [](const emscripten::val& value) { return value.as<T>(); });
}

inline auto as_index(const char* name) {
  return [name](const emscripten::val& value) {
    return index_from(value.as<double>(), name);
  };
}

inline auto as_count(const char* name) {
  return [name](const emscripten::val& value) {
    return count_from(value.as<double>(), name);
  };
}

}  // namespace bev::wasm
