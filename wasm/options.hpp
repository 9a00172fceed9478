#pragma once

#include <emscripten/val.h>

#include <utility>

#include "core/engine/numbers.hpp"

namespace bev::wasm {

/// A property of an options object, or the fallback where it is not given.
template <class T, class Convert>
T option(const emscripten::val& options, const char* name, T fallback,
         const Convert& convert) {
  const emscripten::val value = options[name];
  return value.isUndefined() ? std::move(fallback) : convert(value);
}

/// One that is of a type Embind converts by itself: bool, double, std::string.
template <class T>
T option(const emscripten::val& options, const char* name, T fallback) {
  return option(options, name, std::move(fallback),
                [](const emscripten::val& value) { return value.as<T>(); });
}

inline auto as_integer(const char* name) {
  return [name](const emscripten::val& value) {
    return integer_from(value.as<double>(), name);
  };
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
