#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/ops/operation.hpp"
#include "core/ops/recorded_columns.hpp"
#include "core/ops/tables.hpp"
#include "core/series/scene_series.hpp"

// Quantities of a scene's tracks over time.

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<series::SceneSeries> = "SceneSeries";

template <>
struct Members<series::SceneRows> {
  static void visit(const auto& visitor, auto& rows) {
    Members<scene::RecordedColumns>::visit(visitor, rows);
    visitor("yaws", rows.yaws);
    visitor("extents", rows.extents);
    visitor("label_probabilities", rows.label_probabilities);
    visitor("absent", rows.absent);
    visitor("ego_is_virtual", rows.ego_is_virtual);
  }
};

namespace {

using series::SceneSeries;

std::unique_ptr<SceneSeries> scene_series(series::SceneRows rows) {
  return std::make_unique<SceneSeries>(std::move(rows));
}

void set_series_lanes(SceneSeries& series, std::vector<double> left,
                      std::vector<std::uint32_t> left_offsets,
                      std::vector<double> right,
                      std::vector<std::uint32_t> right_offsets) {
  series.set_lanes({{std::move(left), std::move(left_offsets)},
                    {std::move(right), std::move(right_offsets)}});
}

void set_series_threshold(SceneSeries& series, float threshold) {
  series.set_threshold(threshold);
}

auto series_values(SceneSeries& series, series::Subject track,
                   const std::string& quantity) {
  const auto values = series.values(track, series::quantity_from(quantity));
  return std::vector<double>(values.begin(), values.end());
}

std::vector<double> series_rows(SceneSeries& series, series::Subject track) {
  const auto rows = series.rows_of(track);
  return {rows.begin(), rows.end()};
}

constexpr std::array kSeriesOperations{
    operation<&scene_series>("scene_series", "", "quantities of a scene's tracks"),
    operation<&set_series_lanes, "series", "left", "left_offsets", "right",
              "right_offsets">("set_series_lanes", "",
                               "sets the lanes' sides, for lane_offset"),
    operation<&set_series_threshold, "series", "threshold">(
        "set_series_threshold", "", "sets the threshold of agents that may be ahead"),
    operation<&series_values, "series", "track", "quantity">(
        "series_values", "", "one value per frame, NaN if unknown; no track: the ego"),
    operation<&series_rows, "series", "track">(
        "series_rows", "", "the row of each frame's agent, -1 in frames without it"),
};

}  // namespace

std::span<const Operation> series_operations() {
  return kSeriesOperations;
}

}  // namespace bev::ops
