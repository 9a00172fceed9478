#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/uninitialized.hpp"
#include "core/engine/result_array.hpp"
#include "core/store/request.hpp"

namespace bev::wasm {

/// A copy of a Uint8Array: one bulk copy from the JavaScript heap.
RawBytes bytes_from(const emscripten::val& bytes);

/// A copy of a Float64Array.
std::vector<double> numbers_from(const emscripten::val& numbers);

/// A copy of a Uint32Array.
std::vector<std::uint32_t> counts_from(const emscripten::val& counts);

/// A string, or each of an array of strings.
std::vector<std::string> texts_from(const emscripten::val& texts);

/// The arrays of a result as {name, dtype, shape, data}. `data` is a typed array over
/// wasm memory, not a copy: dead after the next call into the module.
emscripten::val to_js(std::span<const ResultArray> arrays);

/// The same, but copies, which last.
emscripten::val copies_of(std::span<const ResultArray> arrays);

/// An object of numbers by their names, which are constants.
emscripten::val numbers_to_js(std::span<const char* const> names,
                              std::span<const double> numbers);

/// A Float64Array of its own.
emscripten::val copy_of(std::span<const double> numbers);

/// A request as {key, begin, end, required}; begin and end are -1 for the whole object.
emscripten::val to_js(const std::vector<store::Request>& requests);

}  // namespace bev::wasm
