#include "core/scene/selection_text.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/base/number_text.hpp"
#include "core/scene/text_table.hpp"

namespace bev::scene {

namespace {

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
