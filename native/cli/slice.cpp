#include "native/cli/slice.hpp"

#include <array>
#include <charconv>
#include <cstddef>

namespace bev::cli {

std::optional<std::int64_t> integer_in(std::string_view text) {
  std::int64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) return std::nullopt;
  return value;
}

std::optional<Slice> slice_in(std::string_view text) {
  std::array<std::optional<std::int64_t>, 3> parts;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto colon = text.find(':');
    const auto part = text.substr(0, colon);
    parts[i] = integer_in(part);
    if (!part.empty() && !parts[i]) return std::nullopt;
    if (colon == std::string_view::npos && i == 0) return std::nullopt;
    if (colon == std::string_view::npos) return Slice{parts[0], parts[1], parts[2]};
    text.remove_prefix(colon + 1);
  }
  return std::nullopt;
}

}  // namespace bev::cli
