#include "core/eval/metric_share.hpp"

namespace bev::eval {
namespace {

constexpr const char* kTruths = "ground truth";
constexpr const char* kPredictions = "predictions";

}  // namespace

MetricShare::MetricShare(AgentShare share)
    : truth_lines_(kTruths, share),
      prediction_lines_(kPredictions, share),
      predictions_(kPredictions) {}

void MetricShare::add_truths(std::string_view piece) {
  truth_lines_.add(piece, truths_);
}

void MetricShare::add_predictions(std::string_view piece) {
  lines_.clear();
  prediction_lines_.add(piece, lines_);
  predictions_.add(lines_);
}

MetricSums MetricShare::finish() {
  truth_lines_.finish(truths_);
  lines_.clear();
  prediction_lines_.finish(lines_);
  predictions_.add(lines_);
  const auto predictions = predictions_.finish();
  const auto truths = read_gt_csv(truths_, kTruths);
  return compute_sums(kMetrics, truths, predictions);
}

}  // namespace bev::eval
