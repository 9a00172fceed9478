#pragma once

#include <emscripten/val.h>

#include <cstddef>
#include <span>
#include <vector>

#include "core/engine/result_array.hpp"

namespace bev::wasm {

/// Views of results that lie in the same memory time and again: crossing to JavaScript
/// for each of thirty arrays takes longer than making a sample of them.
class Views {
 public:
  /// As to_js; the very same objects where nothing but the values has changed.
  emscripten::val of(std::span<const ResultArray> arrays);

 private:
  bool are_of(std::span<const ResultArray> arrays) const;

  std::vector<ResultArray> arrays_;
  std::size_t memory_size_ = 0;  // when it grows, all views of it are dead
  emscripten::val views_ = emscripten::val::undefined();
};

}  // namespace bev::wasm
