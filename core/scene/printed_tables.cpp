#include "core/scene/printed_tables.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <string_view>
#include <utility>

#include "core/base/number_text.hpp"

namespace bev::scene {
namespace {

using Row = std::vector<std::string>;

/// Centres a text. An odd spare blank goes right of a text of odd length and left of
/// one of even length.
std::string cell(std::string_view text, std::size_t width) {
  const auto excess = width - text.size();
  const auto left = excess / 2 + (excess % 2 != 0 && text.size() % 2 == 0 ? 1 : 0);
  return "| " + std::string(left, ' ') + std::string(text) +
         std::string(excess - left, ' ') + " ";
}

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  return widths;
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) line += cell(row[i], widths[i]);
  return line + "|\n";
}

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

using Entries = std::vector<std::pair<std::string, std::string>>;

std::string aligned(const Entries& entries) {
  std::size_t width = 0;
  for (const auto& entry : entries) width = std::max(width, entry.first.size());
  std::string text;
  for (const auto& [name, value] : entries) {
    text += name + std::string(width - name.size() + 2, ' ') + value + "\n";
  }
  return text;
}

std::string past_future(const PastFutureTable& table) {
  constexpr auto kSteps = PastFutureTable::kSteps;
  std::vector<std::vector<std::string>> rows{{"past/future"}};
  for (const auto step : kSteps) rows.front().push_back(std::to_string(step));
  for (std::size_t past = 0; past < kSteps.size(); ++past) {
    rows.push_back({std::to_string(kSteps[past])});
    for (std::size_t future = 0; future < kSteps.size(); ++future) {
      rows.back().push_back(std::to_string(table.count(past, future)));
    }
  }
  return text_table(rows) + "\n";
}

}  // namespace

std::string text_table(const std::vector<Row>& rows) {
  const auto widths = widths_of(rows);
  std::string rule;
  for (const auto width : widths) rule += "+" + std::string(width + 2, '-');
  rule += "+";
  std::string text = rule + "\n" + line_of(rows.front(), widths) + rule + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) text += line_of(rows[i], widths);
  return text + rule;
}

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

std::string selection_text(const SelectionRules& rules, const SelectionReport& report,
                           const PastFutureTable& table) {
  const auto count = [](std::uint64_t value) { return std::to_string(value); };
  return aligned({
             {"th_agent_filter_probability_threshold",
              python_repr(rules.label_threshold)},
             {"th_yaw_degree", python_repr(rules.max_yaw_step_deg)},
             {"th_extent_ratio", python_repr(rules.max_extent_ratio)},
             {"th_distance_av", python_repr(rules.max_distance_to_ego)},
             {"reject_th_agent_filter_probability_threshold",
              count(report.agent_filter_probability_threshold)},
             {"reject_th_AV_distance", count(report.av_distance)},
             {"reject_th_hole", count(report.hole)},
             {"reject_th_yaw", count(report.yaw)},
             {"reject_th_extent", count(report.extent)},
             {"total_reject", count(report.total_reject)},
             {"total_agent_frames", count(report.total_agent_frames)},
         }) +
         past_future(table);
}

}  // namespace bev::scene
