#include "core/eval/kept.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>

#include "core/base/error.hpp"
#include "core/eval/prediction_rows.hpp"

namespace bev::eval {

namespace {

void check_model(std::uint32_t model) {
  if (model < kMaxModels) return;
  fail(Errc::invalid_argument, {"distribution: model ", model,
                                ": not found (expected 0 to ", kMaxModels - 1, ")"});
}

/// Reads predictions from the columns of a table.
class TableRows {
 public:
  explicit TableRows(const distribution::Table& table)
      : table_(table),
        model_(table.values(table.find("model"))),
        ade_(table.values(table.find("ade"))),
        fde_(table.values(table.find("fde"))),
        nll_(table.values(table.find("nll"))),
        steps_(table.values(table.find("steps"))) {}

  /// Returns the rows of a model in the order of scenes, frames and tracks.
  std::vector<std::size_t> of(const KeptOf& of) const {
    check_model(of.model);
    std::vector<std::size_t> out;
    const auto& ids = table_.ids();
    for (std::size_t row = 0; row < table_.rows(); ++row) {
      if (model_[row] == of.model && (!of.scene || ids.scenes[row] == *of.scene))
        out.push_back(row);
    }
    const auto before = [&](std::size_t a, std::size_t b) { return id(a) < id(b); };
    if (!std::is_sorted(out.begin(), out.end(), before))
      std::stable_sort(out.begin(), out.end(), before);
    return out;
  }

  bool passes(std::size_t row) const { return table_.passes(row); }

  std::tuple<std::uint32_t, std::uint32_t, std::int64_t> id(std::size_t row) const {
    const auto& ids = table_.ids();
    return {ids.scenes[row], ids.frames[row], ids.tracks[row]};
  }

  Ranked at(std::size_t row) const {
    Ranked out;
    std::tie(out.scene, out.row.frame, out.row.track_id) = id(row);
    // Any table may have a column of this name.
    const bool is_count = steps_[row] >= 0 && steps_[row] <= kMaxSteps;
    out.row.seen = is_count ? static_cast<std::uint32_t>(steps_[row]) : 0;
    out.row.score = {ade_[row], fde_[row], nll_[row]};
    return out;
  }

 private:
  static constexpr double kMaxSteps = std::numeric_limits<std::uint32_t>::max();

  const distribution::Table& table_;
  const std::vector<double>& model_;
  const std::vector<double>& ade_;
  const std::vector<double>& fde_;
  const std::vector<double>& nll_;
  const std::vector<double>& steps_;
};

}  // namespace

KeptScores kept_scores(const distribution::Table& table, const KeptOf& of) {
  const TableRows rows(table);
  KeptScores out;
  for (const auto row : rows.of(of)) {
    ++out.all;
    if (!rows.passes(row)) continue;
    const auto one = rows.at(row);
    out.begun += one.row.seen > 0 ? 1 : 0;
    out.missed += one.row.score.fde > kMissMetres ? 1 : 0;
    out.mean.add(one.row.score);
    out.rows.push_back(one);
  }
  return out;
}

std::vector<ReviewedFrame> frames_of(const std::vector<Ranked>& rows) {
  std::vector<ReviewedFrame> out;
  for (auto at = rows.begin(); at != rows.end();) {
    const auto frame = at->row.frame;
    MeanScore mean;
    std::uint32_t count = 0;
    for (; at != rows.end() && at->row.frame == frame; ++at, ++count)
      mean.add(at->row.score);
    out.push_back({frame, count, mean.value()});
  }
  return out;
}

PredictedLines kept_lines(const distribution::Table& table, const Review& review,
                          std::uint32_t frame, const KeptOf& of) {
  check_model(of.model);
  if (!of.scene) fail(Errc::invalid_argument, {"lines: scene is required"});
  const auto& model = table.values(table.find("model"));
  const auto& ids = table.ids();
  std::set<std::int64_t> kept;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    if (ids.frames[row] == frame && ids.scenes[row] == *of.scene &&
        model[row] == of.model && table.passes(row))
      kept.insert(ids.tracks[row]);
  }
  return review.lines(
      frame, [&](const Reviewed& row) { return kept.count(row.track_id) > 0; });
}

Comparison kept_pairs(const distribution::Table& table, const KeptOf& a,
                      std::uint32_t b) {
  const TableRows rows(table);
  std::vector<Ranked> left, right;
  const auto ours = rows.of(a), theirs = rows.of({b, a.scene});
  auto one = ours.begin(), other = theirs.begin();
  // A row that does not pass is compared if its counterpart does.
  const auto add = [&](std::vector<Ranked>& to, auto& at, bool kept) {
    if (kept) to.push_back(rows.at(*at));
    ++at;
  };
  while (one != ours.end() || other != theirs.end()) {
    const bool first =
        other == theirs.end() || (one != ours.end() && rows.id(*one) < rows.id(*other));
    const bool last = one == ours.end() || (!first && rows.id(*other) < rows.id(*one));
    const bool kept = (!last && rows.passes(*one)) || (!first && rows.passes(*other));
    if (!last) add(left, one, kept);
    if (!first) add(right, other, kept);
  }
  Comparison out;
  out.add(left, right);
  return out;
}

}  // namespace bev::eval
