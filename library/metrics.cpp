#include <bevscope/metrics.hpp>
#include <limits>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/eval/metric_share.hpp"
#include "core/zarr/json_view.hpp"

namespace bev {
namespace {

using nlohmann::json;

constexpr std::string_view kWhere = "metrics: share";

/// Reads the result of MetricShare::finish().
eval::MetricSums sums_of(const std::string& text) {
  const auto root = zarr::parse_json(text, kWhere);
  const zarr::JsonView view(root);
  const auto agents = view["agents"].count();
  const auto sums = view["sums"];
  if (!agents || !sums.is_list()) {
    fail_at(Errc::invalid_metadata, kWhere, {"not sums of metrics"});
  }
  eval::MetricSums out;
  out.agents = *agents;
  for (std::size_t m = 0; m < sums.size(); ++m) {
    auto& values = out.sums.emplace_back();
    for (std::size_t i = 0; i < sums.at(m).size(); ++i) {
      // JSON has no NaN.
      values.push_back(
          sums.at(m).at(i).number().value_or(std::numeric_limits<double>::quiet_NaN()));
    }
  }
  if (out.sums.size() != (out.agents == 0 ? 0 : eval::kMetrics.size())) {
    fail_at(Errc::invalid_metadata, kWhere, {"not sums of metrics"});
  }
  return out;
}

}  // namespace

struct MetricShare::Impl {
  eval::MetricShare share;
};

MetricShare::MetricShare(std::uint64_t share, std::uint64_t shares)
    : impl_(std::make_unique<Impl>(
          Impl{eval::MetricShare(eval::AgentShare{share, shares})})) {}
MetricShare::~MetricShare() = default;
MetricShare::MetricShare(MetricShare&&) noexcept = default;
MetricShare& MetricShare::operator=(MetricShare&&) noexcept = default;

void MetricShare::add_truths(std::string_view piece) {
  impl_->share.add_truths(piece);
}

void MetricShare::add_predictions(std::string_view piece) {
  impl_->share.add_predictions(piece);
}

std::string MetricShare::finish() {
  const auto found = impl_->share.finish();
  return json{{"agents", found.agents}, {"sums", found.sums}}.dump();
}

std::string join_metrics(const std::vector<std::string>& shares) {
  eval::MetricSums all;
  for (const auto& share : shares) all.add(sums_of(share));
  if (all.agents == 0) fail(Errc::invalid_argument, {"metrics: no agents"});
  json metrics = json::object();
  const auto means = all.means();
  for (std::size_t m = 0; m < means.size(); ++m) {
    const auto name = std::string(eval::to_string(eval::kMetrics[m]));
    const bool is_list = eval::has_several_values(eval::kMetrics[m]);
    metrics[name] = is_list ? json(means[m]) : json(means[m].at(0));
  }
  return json{{"agents", all.agents}, {"metrics", metrics}}.dump();
}

}  // namespace bev
