#pragma once

#include <emscripten/val.h>

#include <span>
#include <string_view>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/store/request.hpp"

namespace bev::wasm {

/// Returns the name of the typed array of a dtype: "Float64Array".
const char* view_of(std::string_view dtype);

/// Converts result arrays to {name, dtype, shape, data}. `data` is a typed array over
/// wasm memory, invalid after the next call into the module.
emscripten::val to_js(std::span<const ResultArray> arrays);

/// Converts requests to {key, begin, end, required, tail}; begin and end are -1 for a
/// whole object.
emscripten::val to_js(const std::vector<store::Request>& requests);

}  // namespace bev::wasm
