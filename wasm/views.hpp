#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/engine/result_array.hpp"

namespace bev::wasm {

/// Caches views of results that reuse the same memory: crossing to JavaScript for
/// thirty arrays takes longer than building a sample.
class Views {
 public:
  /// As to_js(); returns the same objects if only the values have changed.
  emscripten::val of(std::span<const ResultArray> arrays);

 private:
  bool are_of(std::span<const ResultArray> arrays) const;

  std::vector<ResultArray> arrays_;
  std::size_t memory_size_ = 0;  // views become invalid when memory grows
  emscripten::val views_ = emscripten::val::undefined();
};

}  // namespace bev::wasm
