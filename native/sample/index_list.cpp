#include "native/sample/index_list.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/slice.hpp"

namespace bev::native {
namespace {

using Indices = std::vector<std::uint64_t>;

[[noreturn]] void fail_index(std::string_view text) {
  throw cli::UsageError("--index: invalid selection (found \"" + std::string(text) +
                        "\", expected 0,5,9 or A:B[:S], S not 0)");
}

std::uint64_t item(std::int64_t index, std::int64_t length) {
  const auto found = index < 0 ? index + length : index;
  if (found >= 0 && found < length) return static_cast<std::uint64_t>(found);
  throw Error(index < 0 ? Errc::invalid_argument : Errc::out_of_range,
              "--index: " + std::to_string(index) + " of a data set of " +
                  std::to_string(length) + " samples");
}

Indices list_in(std::string_view text, std::int64_t length) {
  Indices items;
  for (std::string_view rest = text;;) {
    const auto comma = rest.find(',');
    const auto index = cli::integer_in(rest.substr(0, comma));
    if (!index) fail_index(text);
    items.push_back(item(*index, length));
    if (comma == std::string_view::npos) return items;
    rest.remove_prefix(comma + 1);
  }
}

/// Clamps an end of a slice to the data set, as Python's slice.indices().
std::int64_t clamped(std::optional<std::int64_t> given, std::int64_t usual,
                     std::int64_t length, bool backwards) {
  if (!given) return usual;
  const std::int64_t shift = backwards ? 1 : 0;
  const auto counted = *given < 0 ? *given + length : *given;
  return std::clamp(counted, -shift, length - shift);
}

Indices slice_of(const cli::Slice& slice, std::int64_t length) {
  const auto step = slice.step.value_or(1);
  const bool backwards = step < 0;
  const auto first =
      clamped(slice.begin, backwards ? length - 1 : 0, length, backwards);
  const auto last = clamped(slice.end, backwards ? -1 : length, length, backwards);
  const auto distance = backwards ? first - last : last - first;
  if (distance <= 0) return {};
  const auto stride = backwards ? std::uint64_t{0} - static_cast<std::uint64_t>(step)
                                : static_cast<std::uint64_t>(step);
  const auto count = (static_cast<std::uint64_t>(distance) - 1) / stride + 1;
  Indices items;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto far = static_cast<std::int64_t>(i * stride);
    items.push_back(static_cast<std::uint64_t>(backwards ? first - far : first + far));
  }
  return items;
}

}  // namespace

Indices parse_indices(std::string_view text, std::uint64_t length) {
  constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
  const auto bounded =
      static_cast<std::int64_t>(std::min(length, static_cast<std::uint64_t>(kMax)));
  if (text.find(':') == text.npos) return list_in(text, bounded);
  const auto slice = cli::slice_in(text);
  if (!slice || slice->step == 0) fail_index(text);
  return slice_of(*slice, bounded);
}

}  // namespace bev::native
