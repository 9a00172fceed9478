#include "core/sample/frame_slice.hpp"

#include <algorithm>
#include <string>

#include "core/base/error.hpp"

namespace bev::sample {
namespace {

void check(std::int64_t state, std::uint32_t step) {
  if (step == 0) fail(Errc::out_of_range, {"slice: step 0, expected at least 1"});
  if (state < 0) {
    fail(Errc::invalid_argument,
         {"slice: state ", state, ", expected a frame of the scene"});
  }
}

}  // namespace

FrameSlice history_slice(std::int64_t state, std::uint32_t num_frames,
                         std::uint32_t step, bool with_current) {
  check(state, step);
  const std::int64_t stride = step;
  const auto latest = with_current ? state : state - stride;
  if (latest < 0) return {0, 0, -stride};
  // 32 x 32 bits: no overflow. A stop before the scene must be open, so that frame 0 is
  // included; if the stride skips frame 0, the slice must stop before it.
  const auto stop = state - std::int64_t{num_frames} * stride - 1;
  if (stop >= 0) return {latest, stop, -stride};
  if (latest % stride == 0) return {latest, std::nullopt, -stride};
  return {latest, 0, -stride};
}

FrameSlice future_slice(std::int64_t state, std::uint32_t num_frames,
                        std::uint32_t step) {
  check(state, step);
  const std::int64_t stride = step;
  const auto first = state + stride;
  return {first, first + std::int64_t{num_frames} * stride - (stride - 1), stride};
}

std::vector<std::int64_t> indices(const FrameSlice& slice, std::int64_t count) {
  std::vector<std::int64_t> out;
  if (slice.step > 0) {
    const auto end = std::min(slice.stop.value_or(count), count);
    for (auto i = slice.start; i < end; i += slice.step) out.push_back(i);
    return out;
  }
  const auto end = slice.stop.value_or(-1);
  for (auto i = std::min(slice.start, count - 1); i > end; i += slice.step) {
    out.push_back(i);
  }
  return out;
}

}  // namespace bev::sample
