#include "core/scene/summary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>

#include "core/scene/text_table.hpp"

namespace bev::scene {

namespace {

std::string two_decimals(double value) {
  std::array<char, 400> text{};  // the greatest double has 309 digits before the point
  const int length = std::snprintf(text.data(), text.size(), "%.2f", value);
  return {text.data(), static_cast<std::size_t>(std::max(length, 0))};
}

double frequency(std::span<const std::int64_t> timestamps) {
  if (timestamps.size() < 2) return 10;
  double sum = 0;
  for (std::size_t i = 1; i < timestamps.size(); ++i) {
    // Wraps around on 64-bit overflow, as NumPy does.
    const auto ticks =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(timestamps[i]) -
                                  static_cast<std::uint64_t>(timestamps[i - 1]));
    sum += 1 / (static_cast<double>(ticks) * 1e-9);
  }
  return sum / static_cast<double>(timestamps.size() - 1);
}

}  // namespace

std::string summary_table(const SummaryCounts& counts,
                          std::span<const std::int64_t> first_timestamps) {
  const auto scenes = static_cast<double>(counts.scenes);
  const auto frames = static_cast<double>(counts.frames);
  const auto agents = static_cast<double>(counts.agents);
  const auto hertz = frequency(first_timestamps);
  const auto frames_per_scene = frames / std::max(scenes, 1.0);
  return text_table(
      {{"Num Scenes", "Num Frames", "Num Agents", "Num TR lights", "Total Time (hr)",
        "Avg Frames per Scene", "Avg Agents per Frame", "Avg Scene Time (sec)",
        "Avg Frame frequency"},
       {std::to_string(counts.scenes), std::to_string(counts.frames),
        std::to_string(counts.agents), std::to_string(counts.faces),
        two_decimals(frames / std::max(hertz, 1.0) / 3600),
        two_decimals(frames_per_scene), two_decimals(agents / std::max(frames, 1.0)),
        two_decimals(frames_per_scene / hertz), two_decimals(hertz)}});
}

}  // namespace bev::scene
