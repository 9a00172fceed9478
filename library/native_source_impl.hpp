#pragma once

#include <bevscope/native.hpp>
#include <memory>

#include "native/source/source.hpp"

namespace bev {

struct NativeSource::Impl {
  explicit Impl(std::unique_ptr<native::Source> opened) : source(std::move(opened)) {}

  std::unique_ptr<native::Source> source;
};

/// Returns the options of native/ for a source.
native::ReadOptions read_options_of(const HttpOptions& options);

}  // namespace bev
