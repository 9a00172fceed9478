#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "native/source/source.hpp"

namespace bev::native {

/// Implements Source::read for a source that only implements read_all.
inline std::optional<std::vector<std::byte>> read_one(
    Source& source, const std::string& key,
    const std::optional<store::ByteRange>& range) {
  const store::Request request{key, range};
  std::optional<std::vector<std::byte>> found;
  source.read_all(std::span(&request, 1),
                  [&](const auto&, auto bytes) { found = std::move(bytes); });
  return found;
}

}  // namespace bev::native
