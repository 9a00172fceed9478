#include "core/convert/nearest_steps.hpp"

namespace bev::convert {

std::vector<std::size_t> nearest_steps(std::span<const std::size_t> known,
                                       std::size_t frames) {
  std::vector<std::size_t> out;
  out.reserve(frames);
  std::size_t nearest = 0;
  const auto distance = [&](std::size_t i, std::size_t step) {
    return known[i] > step ? known[i] - step : step - known[i];
  };
  for (std::size_t step = 0; step < frames; ++step) {
    while (nearest + 1 < known.size() &&
           distance(nearest + 1, step) < distance(nearest, step)) {
      ++nearest;
    }
    out.push_back(nearest);
  }
  return out;
}

}  // namespace bev::convert
