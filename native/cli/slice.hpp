#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bev::cli {

/// A Python slice, A:B or A:B:S; omitted parts are absent.
struct Slice {
  std::optional<std::int64_t> begin = std::nullopt;
  std::optional<std::int64_t> end = std::nullopt;
  std::optional<std::int64_t> step = std::nullopt;
  bool operator==(const Slice&) const = default;
};

/// Parses an integer with optional minus sign; nullopt for anything else.
std::optional<std::int64_t> integer_in(std::string_view text);

/// Parses a slice; nullopt for invalid syntax.
std::optional<Slice> slice_in(std::string_view text);

}  // namespace bev::cli
