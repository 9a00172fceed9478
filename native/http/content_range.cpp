#include "native/http/content_range.hpp"

#include <charconv>
#include <limits>

namespace bev::native {
namespace {

/// Parses a number at the front of `text` and removes it.
std::optional<std::uint64_t> take_number(std::string_view& text) {
  std::uint64_t value = 0;
  const auto* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(at - text.data()));
  return value;
}

bool take(std::string_view& text, std::string_view expected) {
  if (!text.starts_with(expected)) return false;
  text.remove_prefix(expected.size());
  return true;
}

}  // namespace

std::optional<ContentRange> parse_content_range(std::string_view text) {
  if (!take(text, "bytes ")) return std::nullopt;
  const auto begin = take_number(text);
  if (!begin || !take(text, "-")) return std::nullopt;
  const auto last = take_number(text);
  if (!last || *last < *begin || *last == std::numeric_limits<std::uint64_t>::max()) {
    return std::nullopt;
  }
  ContentRange found{*begin, *last + 1, std::nullopt};
  if (!take(text, "/")) return std::nullopt;
  if (text == "*") return found;
  found.size = take_number(text);
  if (!found.size || !text.empty() || *found.size < found.end) return std::nullopt;
  return found;
}

}  // namespace bev::native
