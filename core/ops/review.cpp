#include "core/eval/review.hpp"

#include <array>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/eval/comparison.hpp"
#include "core/eval/csv.hpp"
#include "core/eval/kept.hpp"
#include "core/eval/memory_budget.hpp"
#include "core/eval/ranking.hpp"
#include "core/ops/evaluation_table.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/review_objects.hpp"
#include "core/ops/tables.hpp"

// Predictions compared with scenes.

namespace bev::ops {

namespace {

/// A scene for several reviews and rankings.
struct ReviewScene {
  eval::SharedScene scene;
};

}  // namespace

template <>
inline constexpr const char* kObjectName<eval::Review> = "Review";
template <>
inline constexpr const char* kObjectName<eval::Comparison> = "Comparison";
template <>
inline constexpr const char* kObjectName<eval::PredictionReader> = "PredictionReader";
template <>
inline constexpr const char* kObjectName<ReviewScene> = "ReviewScene";

template <>
struct Members<eval::SceneTracks> {
  static void visit(const auto& visitor, auto& tracks) {
    visitor("timestamps", tracks.timestamps);
    visitor("ego_translation", tracks.ego_translation);
    visitor("agent_index_interval", tracks.frames);
    visitor("track_ids", tracks.track_ids);
    visitor("centroids", tracks.centroids);
    visitor("label_probabilities", tracks.label_probabilities);
  }
};

namespace {

using eval::Comparison;
using eval::Measure;
using eval::PredictionReader;
using eval::Ranking;
using eval::Review;

/// Returns a share of the memory of all predictions in this program.
eval::MemoryShare new_share() {
  static const auto budget = std::make_shared<eval::MemoryBudget>();
  return eval::MemoryShare(budget);
}

/// Names an array of a group: "rows.ade".
std::string named(std::string_view group, std::string_view name) {
  return std::string(group).append(".").append(name);
}

/// Adds a column of `rows`: `value(row)` for each.
template <class Rows, class Value>
void add_column(Outcome& out, std::string name, const Rows& rows, const Value& value) {
  std::vector<std::remove_cvref_t<decltype(value(*rows.begin()))>> column;
  column.reserve(rows.size());
  for (const auto& row : rows) column.push_back(value(row));
  out.add(std::move(name), std::move(column));
}

void add_score(Outcome& out, std::string_view group, const eval::Score& score) {
  out.add(named(group, "ade"), score.ade);
  out.add(named(group, "fde"), score.fde);
  out.add(named(group, "nll"), score.nll);
}

/// Adds the columns ade, fde and nll of `score(row)`.
template <class Rows, class ScoreOf>
void add_scores(Outcome& out, std::string_view group, const Rows& rows,
                const ScoreOf& score) {
  const auto add = [&](const char* name, double eval::Score::*value) {
    add_column(out, named(group, name), rows,
               [&](const auto& row) { return score(row).*value; });
  };
  add("ade", &eval::Score::ade);
  add("fde", &eval::Score::fde);
  add("nll", &eval::Score::nll);
}

/// Adds the order of `rows` by each measure; at most `most` of them.
template <class Rank>
void add_orders(Outcome& out, std::string_view group, std::size_t most,
                const Rank& rank) {
  const auto add = [&](const char* name, Measure measure) {
    std::vector<std::uint32_t> order = rank(measure);
    if (order.size() > most) order.resize(most);
    out.add(named(group, name), std::move(order));
  };
  add("by_ade", Measure::ade);
  add("by_fde", Measure::fde);
  add("by_nll", Measure::nll);
}

void add_reviewed(Outcome& out, std::string_view group,
                  const std::vector<eval::Reviewed>& rows) {
  using eval::Reviewed;
  add_column(out, named(group, "frame"), rows,
             [](const Reviewed& row) { return row.frame; });
  add_column(out, named(group, "track"), rows,
             [](const Reviewed& row) { return row.track_id; });
  add_column(out, named(group, "seen"), rows,
             [](const Reviewed& row) { return row.seen; });
  add_scores(out, group, rows, [](const Reviewed& row) { return row.score; });
}

void add_breakdown(Outcome& out, const eval::Breakdown& breakdown) {
  const auto count = [](std::size_t value) { return static_cast<double>(value); };
  const auto subjects = breakdown.subjects();
  add_column(out, "subjects.subject", subjects,
             [](const auto& one) { return static_cast<std::uint8_t>(one.subject); });
  const auto modes = breakdown.modes();
  add_column(out, "modes.confidence", modes,
             [](const auto& one) { return one.confidence; });
  add_column(out, "modes.ade", modes, [](const auto& one) { return one.ade; });
  add_column(out, "modes.fde", modes, [](const auto& one) { return one.fde; });
  add_column(out, "modes.best", modes,
             [&](const auto& one) { return count(one.best); });
  const auto horizons = breakdown.horizons();
  add_column(out, "horizons.steps", horizons,
             [&](const auto& one) { return count(one.steps); });
  const auto add_counted = [&](const char* group, const auto& rows) {
    add_column(out, named(group, "compared"), rows,
               [&](const auto& one) { return count(one.compared); });
    add_column(out, named(group, "missed"), rows,
               [&](const auto& one) { return count(one.missed); });
    add_scores(out, group, rows, [](const auto& one) { return one.mean; });
  };
  add_column(out, "subjects.count", subjects,
             [&](const auto& one) { return count(one.count); });
  add_counted("subjects", subjects);
  add_counted("horizons", horizons);
  out.add("horizon", breakdown.horizon());
  out.add("compared", count(breakdown.compared()));
  out.add("missed", count(breakdown.missed()));
  out.add("begun", count(breakdown.begun()));
}

std::unique_ptr<Review> read_review(const std::string& csv, const std::string& name) {
  return std::make_unique<Review>(eval::read_review(csv, name, new_share()));
}

std::unique_ptr<Review> review_of(eval::Columns table) {
  return std::make_unique<Review>(eval::review_of(table, new_share()));
}

std::unique_ptr<PredictionReader> prediction_reader(const std::string& name) {
  return std::make_unique<PredictionReader>(name, eval::PredictionLimits(),
                                            new_share());
}

void add_predictions(PredictionReader& reader, const RawBytes& piece) {
  reader.add({reinterpret_cast<const char*>(piece.data()), piece.size()});
}

std::unique_ptr<Review> finish_predictions(PredictionReader& reader) {
  auto predictions = reader.finish();
  return std::make_unique<Review>(std::move(predictions), reader.take_share());
}

std::unique_ptr<ReviewScene> review_scene(eval::SceneTracks tracks) {
  return std::make_unique<ReviewScene>(
      ReviewScene{eval::index_scene(std::move(tracks))});
}

Outcome review_shape(Review& review) {
  return Outcome()
      .add("size", static_cast<double>(review.size()))
      .add("modes", static_cast<double>(review.modes()))
      .add("steps", static_cast<double>(review.steps()));
}

void set_counting(Review& review, const std::string& counting) {
  if (counting == "recorded") return review.set_counting(eval::Counting::recorded);
  if (counting == "l5kit") return review.set_counting(eval::Counting::l5kit);
  fail(Errc::invalid_argument,
       {"counting: unknown (found ", counting, ", expected recorded or l5kit)"});
}

Outcome review(Review& review, ReviewScene& scene, std::uint32_t most) {
  review.set_scene(scene.scene);
  const auto& rows = review.rows();
  const auto& frames = review.frames();
  Outcome out;
  add_reviewed(out, "rows", rows);
  add_column(out, "frames.frame", frames, [](const auto& one) { return one.frame; });
  add_column(out, "frames.count", frames, [](const auto& one) { return one.count; });
  add_scores(out, "frames", frames, [](const auto& one) { return one.mean; });
  add_orders(out, "rows", most, [&](Measure by) { return eval::ranked(rows, by); });
  add_orders(out, "tracks", most,
             [&](Measure by) { return eval::ranked_tracks(rows, by); });
  add_orders(out, "frames", frames.size(),
             [&](Measure by) { return eval::ranked(frames, by); });
  add_score(out, "mean", review.mean());
  add_breakdown(out, review.breakdown());
  out.add("unknown", static_cast<double>(review.unknown()));
  return out;
}

std::unique_ptr<Ranking> ranking(Review& review, std::uint32_t most) {
  return std::make_unique<Ranking>(review, most);
}

bool ranking_wants(Ranking& ranking, std::span<const std::int64_t> timestamps) {
  return ranking.has_predictions_at(timestamps);
}

void rank_scene(Ranking& ranking, std::uint32_t scene, ReviewScene& tracks) {
  ranking.add(scene, tracks.scene);
}

void add_ranked(Outcome& out, std::string_view group,
                const std::vector<eval::Ranked>& rows) {
  std::vector<eval::Reviewed> reviewed;
  reviewed.reserve(rows.size());
  for (const auto& one : rows) reviewed.push_back(one.row);
  add_column(out, named(group, "scene"), rows,
             [](const auto& one) { return one.scene; });
  add_reviewed(out, group, reviewed);
}

Outcome ranking_report(Ranking& ranking) {
  Outcome out;
  const auto add_worst = [&](const char* group, const std::vector<eval::Ranked>& rows) {
    add_ranked(out, group, rows);
  };
  add_worst("worst_ade", ranking.worst(Measure::ade));
  add_worst("worst_fde", ranking.worst(Measure::fde));
  add_worst("worst_nll", ranking.worst(Measure::nll));
  add_worst("worst_tracks_ade", ranking.worst_tracks(Measure::ade));
  add_worst("worst_tracks_fde", ranking.worst_tracks(Measure::fde));
  add_worst("worst_tracks_nll", ranking.worst_tracks(Measure::nll));
  add_score(out, "mean", ranking.mean());
  add_breakdown(out, ranking.breakdown());
  out.add("found", static_cast<double>(ranking.found()));
  return out;
}

std::unique_ptr<Comparison> comparison() {
  return std::make_unique<Comparison>();
}

void compare_reviews(Comparison& comparison, std::uint32_t scene, Review& a,
                     Review& b) {
  comparison.add(scene, a, b);
}

void compare_rankings(Comparison& comparison, std::uint32_t scene, Ranking& a,
                      Ranking& b) {
  comparison.add(scene, a.review(), b.review());
}

/// Adds the pairs, or the frames with pairs.
template <class Rows>
void add_compared(Outcome& out, std::string_view group, const Rows& rows,
                  std::size_t most) {
  auto columns = eval::columns_of(rows);
  out.add(named(group, "scenes"), std::move(columns.scenes));
  out.add(named(group, "frames"), std::move(columns.frames));
  out.add(named(group, "track_ids"), std::move(columns.track_ids));
  out.add(named(group, "seen"), std::move(columns.seen));
  out.add(named(group, "counts"), std::move(columns.counts));
  out.add(named(group, "a"), std::move(columns.a));
  out.add(named(group, "b"), std::move(columns.b));
  add_orders(out, group, most,
             [&](Measure by) { return eval::ranked_by_difference(rows, by, most); });
}

Outcome comparison_report(Comparison& comparison, std::uint32_t most) {
  Outcome out;
  add_compared(out, "rows", comparison.rows(), most);
  add_orders(out, "tracks", most, [&](Measure by) {
    return eval::ranked_tracks_by_difference(comparison.rows(), by, most);
  });
  add_compared(out, "frames", comparison.frames(), most);
  add_score(out, "mean_a", comparison.mean_a());
  add_score(out, "mean_b", comparison.mean_b());
  out.add("only_a", static_cast<double>(comparison.only_a()));
  out.add("only_b", static_cast<double>(comparison.only_b()));
  out.add("compared", static_cast<double>(comparison.compared()));
  return out;
}

Outcome compare_scene(std::uint32_t scene, Review& a, Review& b, std::uint32_t most) {
  Comparison comparison;
  comparison.add(scene, a, b);
  return comparison_report(comparison, most);
}

Outcome outcome_of(eval::PredictedLines lines) {
  Outcome out;
  out.add("points", std::move(lines.points))
      .add("offsets", std::move(lines.offsets))
      .add("confidences", std::move(lines.confidences))
      .add("track_ids", std::move(lines.track_ids))
      .add("truth", std::move(lines.truth))
      .add("truth_steps", std::move(lines.truth_steps))
      .add("truth_offsets", std::move(lines.truth_offsets))
      .add("truth_track_ids", std::move(lines.truth_track_ids));
  return out;
}

Outcome review_lines(Review& review, std::uint32_t frame) {
  return outcome_of(review.lines(frame));
}

Outcome ranking_lines(Ranking& ranking, std::uint32_t frame) {
  return outcome_of(ranking.review().lines(frame));
}

Outcome kept_lines(distribution::Table& table, Review& review, std::uint32_t model,
                   std::uint32_t scene, std::uint32_t frame) {
  return outcome_of(eval::kept_lines(table, review, frame, {model, scene}));
}

Measure measure_of(const std::string& name) {
  if (name == "ade") return Measure::ade;
  if (name == "fde") return Measure::fde;
  if (name == "nll") return Measure::nll;
  fail(Errc::invalid_argument,
       {"measure: unknown (found ", name, ", expected ade, fde or nll)"});
}

Outcome kept_report(distribution::Table& table, std::uint32_t model,
                    std::optional<std::uint32_t> scene, const std::string& by,
                    std::uint32_t most) {
  const auto measure = measure_of(by);
  const auto kept = eval::kept_scores(table, {model, scene});
  Outcome out;
  const auto add_first = [&](const char* group,
                             const std::vector<std::uint32_t>& order) {
    std::vector<eval::Ranked> first;
    for (const auto i : order) {
      if (first.size() == most) break;
      // As in reports of rankings, only known ones of all scenes; these are first.
      if (!scene && std::isnan(eval::value(kept.rows[i].row.score, measure))) break;
      first.push_back(kept.rows[i]);
    }
    add_ranked(out, group, first);
  };
  add_first("rows", eval::ranked(kept.rows, measure));
  add_first("tracks", eval::ranked_tracks(kept.rows, measure));
  auto frames = scene ? eval::frames_of(kept.rows) : std::vector<eval::ReviewedFrame>();
  const auto order = eval::ranked(frames, measure);
  const auto at = [&](const auto& value) {
    return [&](std::uint32_t i) { return value(frames[i]); };
  };
  add_column(out, "frames.frame", order, at([](const auto& one) { return one.frame; }));
  add_column(out, "frames.count", order, at([](const auto& one) { return one.count; }));
  add_scores(out, "frames", order, [&](std::uint32_t i) { return frames[i].mean; });
  add_score(out, "mean", kept.mean.value());
  const auto count = [&](const char* name, std::size_t value) {
    out.add(name, static_cast<double>(value));
  };
  count("all", kept.all);
  count("found", kept.rows.size());
  count("begun", kept.begun);
  count("compared", kept.mean.count());
  count("missed", kept.missed);
  return out;
}

Outcome kept_comparison(distribution::Table& table, std::uint32_t a, std::uint32_t b,
                        std::optional<std::uint32_t> scene, std::uint32_t most) {
  auto pairs = eval::kept_pairs(table, {a, scene}, b);
  return comparison_report(pairs, most);
}

constexpr const char* kLines =
    "points <f8 (p, 2) m; offsets <u4 (n + 1); confidences <f8 (n); track_ids <i8 (n); "
    "truth <f8 (q, 2) m; truth_steps <u4 (q); truth_offsets <u4 (t + 1); "
    "truth_track_ids <i8 (t)";

constexpr std::array kReviewOperations{
    operation<&read_review, "csv", "name">("read_review", "", "predictions of a text"),
    operation<&review_of>("review_of", "", "predictions of arrays"),
    operation<&prediction_reader, "name">("prediction_reader", "",
                                          "reads a file of predictions in pieces"),
    operation<&add_predictions, "reader", "piece">("add_predictions", "",
                                                   "parses the file's next bytes"),
    operation<&finish_predictions, "reader">("finish_predictions", "",
                                             "the predictions of the whole file"),
    operation<&review_scene>("review_scene", "",
                             "prepares a scene for several reviews"),
    operation<&review_shape, "review">("review_shape", "size <f8; modes <f8; steps <f8",
                                       "numbers of predictions, modes and steps"),
    operation<&set_counting, "review", "counting">(
        "set_counting", "", "how scenes are scored from now on: recorded or l5kit"),
    operation<&review, "review", "scene", "most">(
        "review", "*", "scores a scene; at most `most` rows in each order"),
    operation<&review_lines, "review", "frame">("review_lines", kLines,
                                                "predicted and recorded paths"),
    operation<&ranking, "review", "most">("ranking", "",
                                          "ranks predictions over several scenes"),
    operation<&ranking_wants, "ranking", "timestamps">(
        "ranking_wants", "", "whether there are predictions at one of the times"),
    operation<&rank_scene, "ranking", "scene", "tracks">("rank_scene", "",
                                                         "adds a scene"),
    operation<&ranking_report, "ranking">("ranking_report", "*",
                                          "the worst predictions of the scenes"),
    operation<&ranking_lines, "ranking", "frame">(
        "ranking_lines", kLines, "paths in a frame of the scene added last"),
    operation<&comparison>("comparison", "", "compares two models"),
    operation<&compare_reviews, "comparison", "scene", "a", "b">(
        "compare_reviews", "", "adds the pairs of a scene"),
    operation<&compare_rankings, "comparison", "scene", "a", "b">(
        "compare_rankings", "", "adds the pairs of the scene added last to both"),
    operation<&compare_scene, "scene", "a", "b", "most">(
        "compare_scene", "*", "compares the scene that both have scored last"),
    operation<&comparison_report, "comparison", "most">(
        "comparison_report", "*", "pairs and frames, and their orders by difference"),
    operation<&kept_report, "table", "model", "scene", "by", "most">(
        "kept_report", "*",
        "a model's predictions that pass, worst first; of a scene also its frames"),
    operation<&kept_lines, "table", "review", "model", "scene", "frame">(
        "kept_lines", kLines, "review_lines of the predictions that pass"),
    operation<&kept_comparison, "table", "a", "b", "scene", "most">(
        "kept_comparison", "*",
        "like comparison_report, of pairs of which one prediction passes"),
};

}  // namespace

std::span<const Operation> review_operations() {
  return kReviewOperations;
}

}  // namespace bev::ops
