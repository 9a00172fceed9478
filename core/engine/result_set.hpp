#pragma once

#include <cstddef>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/engine/result_array.hpp"
#include "core/zarr/text.hpp"

namespace bev {

/// Collects the arrays of a result; reuses its memory for the next result.
class ResultSet {
 public:
  void clear() noexcept { used_ = 0; }

  void add(std::string_view name, std::string_view dtype,
           std::span<const std::size_t> shape, std::span<const std::byte> bytes);

  /// Adds a contiguous container of plain values; `inner` is the shape of each value.
  template <class Values>
  void add(std::string_view name, std::string_view dtype, const Values& values,
           std::initializer_list<std::size_t> inner = {}) {
    shape_.assign(1, std::size(values));
    shape_.insert(shape_.end(), inner);
    add(name, dtype, std::span<const std::size_t>(shape_),
        std::as_bytes(std::span(values)));
  }

  /// Adds one value, of shape (1).
  template <class Value>
  void add_value(std::string_view name, std::string_view dtype, const Value& value) {
    add(name, dtype, std::span(&value, 1));
  }

  /// Adds strings: UTF-8 bytes as `name`, with the given shape, and `name.offsets`.
  void add_text(std::string_view name, std::span<const std::size_t> shape,
                const zarr::Text& text);
  void add_text(std::string_view name, const zarr::Text& text);

  std::span<const ResultArray> arrays() const noexcept {
    return std::span(arrays_).first(used_);
  }

 private:
  std::size_t used_ = 0;
  std::vector<ResultArray> arrays_;
  std::vector<std::size_t> shape_;
};

}  // namespace bev
