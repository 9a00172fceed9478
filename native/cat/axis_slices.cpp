#include "native/cat/axis_slices.hpp"

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
    throw cli::UsageError("--select: \"" + std::string(text) +
                          "\", expected N, A:B or A:B:S for each axis, S not 0");
  }
  axis.begin = slice->begin;
  axis.end = slice->end;
  axis.step = slice->step.value_or(1);
  return axis;
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

}  // namespace bev::native
