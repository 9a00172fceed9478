#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace bev::cli {

/// A slice as Python writes it, A:B or A:B:S; parts left out are absent.
struct Slice {
  std::optional<std::int64_t> begin = std::nullopt;
  std::optional<std::int64_t> end = std::nullopt;
  std::optional<std::int64_t> step = std::nullopt;
  bool operator==(const Slice&) const = default;
};

/// A whole number with an optional minus and nothing around it, or nothing.
std::optional<std::int64_t> integer_in(std::string_view text);

/// Takes a slice apart; nullopt for a text that is none.
std::optional<Slice> slice_in(std::string_view text);

}  // namespace bev::cli
