#include "native/cat/row_slice.hpp"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "native/cli/arguments.hpp"

namespace bev::native {
namespace {

using Part = std::optional<std::int64_t>;

[[noreturn]] void fail(std::string_view text) {
  throw cli::UsageError("--rows: \"" + std::string(text) +
                        "\", expected A:B or A:B:S with whole numbers, S above 0");
}

Part parse_part(std::string_view part, std::string_view text) {
  if (part.empty()) return std::nullopt;
  std::int64_t value = 0;
  const auto end = part.data() + part.size();
  const auto parsed = std::from_chars(part.data(), end, value);
  if (parsed.ec != std::errc{} || parsed.ptr != end) fail(text);
  return value;
}

std::vector<Part> parse_parts(std::string_view text) {
  std::vector<Part> parts;
  for (std::string_view rest = text;;) {
    const auto colon = rest.find(':');
    parts.push_back(parse_part(rest.substr(0, colon), text));
    if (colon == std::string_view::npos) return parts;
    rest.remove_prefix(colon + 1);
  }
}

std::uint64_t clamped(std::int64_t row, std::uint64_t length) {
  if (row >= 0) return std::min(static_cast<std::uint64_t>(row), length);
  const auto from_end = std::uint64_t{0} - static_cast<std::uint64_t>(row);
  return from_end < length ? length - from_end : 0;
}

}  // namespace

RowSlice parse_row_slice(std::string_view text, std::uint64_t length) {
  auto parts = parse_parts(text);
  if (parts.size() < 2 || parts.size() > 3) fail(text);
  parts.resize(3);
  const auto step = parts[2].value_or(1);
  if (step < 1) fail(text);
  RowSlice slice;
  slice.begin = clamped(parts[0].value_or(0), length);
  slice.end = parts[1] ? clamped(*parts[1], length) : length;
  slice.end = std::max(slice.begin, slice.end);
  slice.step = static_cast<std::uint64_t>(step);
  return slice;
}

}  // namespace bev::native
