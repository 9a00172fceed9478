#include "native/cat/selection.hpp"

#include <algorithm>
#include <string>

#include "native/cli/arguments.hpp"
#include "native/cli/slice.hpp"

namespace bev::native {
namespace {

store::AxisSlice parse_axis(std::string_view part, std::string_view text) {
  store::AxisSlice axis;
  axis.index = cli::integer_in(part);
  if (axis.index) return axis;
  const auto slice = cli::slice_in(part);
  if (!slice || slice->step == 0) {
    throw cli::UsageError("--select: invalid selection (found \"" + std::string(text) +
                          "\", expected N, A:B or A:B:S per axis, S not 0)");
  }
  axis.begin = slice->begin;
  axis.end = slice->end;
  axis.step = slice->step.value_or(1);
  return axis;
}

[[noreturn]] void fail(std::string_view text) {
  throw cli::UsageError("--rows: invalid slice (found \"" + std::string(text) +
                        "\", expected A:B or A:B:S, S above 0)");
}

std::uint64_t clamped(std::int64_t row, std::uint64_t length) {
  if (row >= 0) return std::min(static_cast<std::uint64_t>(row), length);
  const auto from_end = std::uint64_t{0} - static_cast<std::uint64_t>(row);
  return from_end < length ? length - from_end : 0;
}

}  // namespace

std::vector<store::AxisSlice> parse_axis_slices(std::string_view text) {
  std::vector<store::AxisSlice> axes;
  for (auto rest = text;;) {
    const auto comma = rest.find(',');
    axes.push_back(parse_axis(rest.substr(0, comma), text));
    if (comma == std::string_view::npos) return axes;
    rest.remove_prefix(comma + 1);
  }
}

RowSlice parse_row_slice(std::string_view text, std::uint64_t length) {
  const auto parts = cli::slice_in(text);
  if (!parts) fail(text);
  const auto step = parts->step.value_or(1);
  if (step < 1) fail(text);
  RowSlice slice;
  slice.begin = clamped(parts->begin.value_or(0), length);
  slice.end = parts->end ? clamped(*parts->end, length) : length;
  slice.end = std::max(slice.begin, slice.end);
  slice.step = static_cast<std::uint64_t>(step);
  return slice;
}

}  // namespace bev::native
