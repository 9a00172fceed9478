#include "wasm/views.hpp"

#include <algorithm>

#include "wasm/values.hpp"

namespace bev::wasm {

namespace {

bool same_place(const ResultArray& a, const ResultArray& b) {
  return a.bytes.data() == b.bytes.data() && a.bytes.size() == b.bytes.size() &&
         a.shape == b.shape && a.dtype == b.dtype && a.name == b.name;
}

}  // namespace

bool Views::are_of(std::span<const ResultArray> arrays) const {
  return memory_size_ == __builtin_wasm_memory_size(0) &&
         std::equal(arrays.begin(), arrays.end(), arrays_.begin(), arrays_.end(),
                    same_place);
}

emscripten::val Views::of(std::span<const ResultArray> arrays) {
  if (!are_of(arrays)) {
    arrays_.assign(arrays.begin(), arrays.end());
    views_ = to_js(arrays);
    memory_size_ = __builtin_wasm_memory_size(0);
  }
  return views_;
}

}  // namespace bev::wasm
