#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/owned_bytes.hpp"
#include "core/engine/result_array.hpp"
#include "core/store/request.hpp"

namespace bev::wasm {

/// Copies a Uint8Array in one bulk copy from the JavaScript heap.
RawBytes bytes_from(const emscripten::val& bytes);

/// Copies a Float64Array.
std::vector<double> numbers_from(const emscripten::val& numbers);

/// Copies a Uint32Array.
std::vector<std::uint32_t> counts_from(const emscripten::val& counts);

/// Copies a string or an array of strings.
std::vector<std::string> texts_from(const emscripten::val& texts);

/// Returns the name of the typed array of a dtype: "Float64Array".
const char* view_of(std::string_view dtype);

/// Converts result arrays to {name, dtype, shape, data}. `data` is a typed array over
/// wasm memory, invalid after the next call into the module.
emscripten::val to_js(std::span<const ResultArray> arrays);

/// As to_js(), but with copies of the data, which remain valid.
emscripten::val copies_of(std::span<const ResultArray> arrays);

/// Returns an object of numbers. The names must be constants.
emscripten::val numbers_to_js(std::span<const char* const> names,
                              std::span<const double> numbers);

/// Copies numbers to a new Float64Array.
emscripten::val copy_of(std::span<const double> numbers);

/// Converts requests to {key, begin, end, required, tail}; begin and end are -1 for a
/// whole object.
emscripten::val to_js(const std::vector<store::Request>& requests);

}  // namespace bev::wasm
