#include "native/serve/byte_range.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

namespace bev::serve {
namespace {

using Kind = RangeAnswer::Kind;

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  if (text.empty() || parsed.ec != std::errc{} || parsed.ptr != end)
    return std::nullopt;
  return value;
}

RangeAnswer part(std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return {Kind::unsatisfiable, 0, 0};
  return {Kind::part, begin, end};
}

}  // namespace

RangeAnswer answer_range(std::string_view value, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!value.starts_with(kUnit)) return {};
  value.remove_prefix(kUnit.size());
  const auto dash = value.find('-');
  if (dash == std::string_view::npos) return {};

  const auto first = number(value.substr(0, dash));
  const auto last = number(value.substr(dash + 1));
  const bool open_ended = dash + 1 == value.size();
  if (first && open_ended) return part(*first, size);
  if (first && last && *first <= *last) {
    return part(*first, *last < size ? *last + 1 : size);
  }
  if (dash == 0 && last) return part(size - std::min(*last, size), size);
  return {};
}

}  // namespace bev::serve
