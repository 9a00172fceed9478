#include "core/scene/summary.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <vector>

namespace bev::scene {

namespace {

struct TableColumn {
  std::string_view title;
  std::string value;

  std::size_t width() const { return std::max(title.size(), value.size()); }
};

std::string two_decimals(double value) {
  std::array<char, 400> text{};  // the greatest double has 309 digits before the point
  const int length = std::snprintf(text.data(), text.size(), "%.2f", value);
  return {text.data(), static_cast<std::size_t>(std::max(length, 0))};
}

double frequency(std::span<const std::int64_t> timestamps) {
  if (timestamps.size() < 2) return 10;
  double sum = 0;
  for (std::size_t i = 1; i < timestamps.size(); ++i) {
    // As NumPy subtracts: a difference beyond 64 bits wraps around.
    const auto ticks =
        static_cast<std::int64_t>(static_cast<std::uint64_t>(timestamps[i]) -
                                  static_cast<std::uint64_t>(timestamps[i - 1]));
    sum += 1 / (static_cast<double>(ticks) * 1e-9);
  }
  return sum / static_cast<double>(timestamps.size() - 1);
}

/// Centred; where the room left is odd, the spare blank goes right of a text of odd
/// length and left of one of even length.
std::string cell(std::string_view text, std::size_t width) {
  const auto excess = width - text.size();
  const auto left = excess / 2 + (excess % 2 != 0 && text.size() % 2 == 0 ? 1 : 0);
  return "| " + std::string(left, ' ') + std::string(text) +
         std::string(excess - left, ' ') + " ";
}

std::string rule(std::span<const TableColumn> columns) {
  std::string line;
  for (const auto& column : columns) line += "+" + std::string(column.width() + 2, '-');
  return line + "+";
}

}  // namespace

std::string summary_table(const SummaryCounts& counts,
                          std::span<const std::int64_t> first_timestamps) {
  const auto scenes = static_cast<double>(counts.scenes);
  const auto frames = static_cast<double>(counts.frames);
  const auto agents = static_cast<double>(counts.agents);
  const auto hertz = frequency(first_timestamps);
  const auto frames_per_scene = frames / std::max(scenes, 1.0);
  const std::vector<TableColumn> columns{
      {"Num Scenes", std::to_string(counts.scenes)},
      {"Num Frames", std::to_string(counts.frames)},
      {"Num Agents", std::to_string(counts.agents)},
      {"Num TR lights", std::to_string(counts.faces)},
      {"Total Time (hr)", two_decimals(frames / std::max(hertz, 1.0) / 3600)},
      {"Avg Frames per Scene", two_decimals(frames_per_scene)},
      {"Avg Agents per Frame", two_decimals(agents / std::max(frames, 1.0))},
      {"Avg Scene Time (sec)", two_decimals(frames_per_scene / hertz)},
      {"Avg Frame frequency", two_decimals(hertz)}};
  std::string titles;
  std::string values;
  for (const auto& column : columns) {
    titles += cell(column.title, column.width());
    values += cell(column.value, column.width());
  }
  const auto line = rule(columns);
  return line + "\n" + titles + "|\n" + line + "\n" + values + "|\n" + line;
}

}  // namespace bev::scene
