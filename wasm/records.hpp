#pragma once

#include <emscripten/val.h>

#include <cstring>
#include <span>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/eval/records.hpp"
#include "wasm/values.hpp"

namespace bev::wasm {

/// Copies values passed as raw bytes, such as 64-bit integers.
template <class T>
std::vector<T> integers_of(const emscripten::val& bytes) {
  const auto raw = bytes_from(bytes);
  std::vector<T> out(raw.size() / sizeof(T));
  if (!out.empty()) std::memcpy(out.data(), raw.data(), out.size() * sizeof(T));
  return out;
}

/// Returns a one-dimensional array over the values.
template <class T>
ResultArray array_of(const char* name, const char* dtype,
                     const std::vector<T>& values) {
  return {name, dtype, {values.size()}, std::as_bytes(std::span(values))};
}

/// Converts a `CoreEvaluationTable`.
inline eval::Columns columns_from(const emscripten::val& table) {
  return {integers_of<std::int64_t>(table["timestamps"]),
          integers_of<std::int64_t>(table["track_ids"]), numbers_from(table["weights"]),
          numbers_from(table["coords"])};
}

}  // namespace bev::wasm
