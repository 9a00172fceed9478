#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/numbers.hpp"
#include "core/eval/comparison.hpp"
#include "core/eval/csv.hpp"
#include "core/eval/memory_budget.hpp"
#include "core/eval/ranking.hpp"
#include "core/eval/records.hpp"
#include "core/eval/review.hpp"
#include "wasm/guard.hpp"
#include "wasm/records.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp. Predictions
// compared with scenes.

namespace bev::wasm {
namespace {

using emscripten::val;
using eval::Comparison;
using eval::Measure;
using eval::PredictionReader;
using eval::Ranking;
using eval::Review;

/// A scene for several reviews and rankings.
struct SceneHandle {
  eval::SharedScene scene;
};

/// Returns a share of the memory of all predictions in this module.
eval::MemoryShare new_share() {
  static const auto budget = std::make_shared<eval::MemoryBudget>();
  return eval::MemoryShare(budget);
}

Review* read_review(std::string csv, std::string name) {
  return new Review(eval::read_review(csv, name, new_share()));
}

PredictionReader* make_reader(std::string name) {
  return new PredictionReader(std::move(name), {}, new_share());
}

void add_piece(PredictionReader& reader, val piece) {
  const auto bytes = bytes_from(piece);
  reader.add({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

Review* finish(PredictionReader& reader) {
  auto predictions = reader.finish();
  return new Review(std::move(predictions), reader.take_share());
}

Review* review_of(val table) {
  return new Review(eval::review_of(columns_from(table), new_share()));
}

eval::SceneTracks tracks_from(const val& scene) {
  const auto labels = scene["label_probabilities"];
  return {integers_of<std::int64_t>(scene["timestamps"]),
          numbers_from(scene["ego_translation"]),
          integers_of<scene::Interval>(scene["agent_index_interval"]),
          integers_of<std::uint64_t>(scene["track_ids"]),
          numbers_from(scene["centroids"]),
          labels.isUndefined() ? std::vector<float>() : integers_of<float>(labels)};
}

SceneHandle* make_scene(val tracks) {
  return new SceneHandle{eval::index_scene(tracks_from(tracks))};
}

void set_tracks(Review& review, val scene) {
  review.set_scene(tracks_from(scene));
}

void set_scene(Review& review, SceneHandle& scene) {
  review.set_scene(scene.scene);
}

void count(Review& review, std::string counting) {
  if (counting == "recorded") return review.set_counting(eval::Counting::recorded);
  if (counting == "l5kit") return review.set_counting(eval::Counting::l5kit);
  fail(Errc::invalid_argument,
       {"counting: unknown (found ", counting, ", expected recorded or l5kit)"});
}

val shape(Review& review) {
  val out = val::object();
  out.set("size", static_cast<double>(review.size()));
  out.set("modes", static_cast<double>(review.modes()));
  out.set("steps", static_cast<double>(review.steps()));
  return out;
}

val score(const eval::Score& score) {
  val out = val::object();
  out.set("ade", score.ade);
  out.set("fde", score.fde);
  out.set("nll", score.nll);
  return out;
}

val row(const eval::Reviewed& row) {
  val out = score(row.score);
  out.set("frame", row.frame);
  out.set("track", row.track_id);
  out.set("seen", row.seen);
  return out;
}

val frame(const eval::ReviewedFrame& frame) {
  val out = score(frame.mean);
  out.set("frame", frame.frame);
  out.set("count", frame.count);
  return out;
}

template <auto Each, class Values>
val list(const Values& values) {
  val out = val::array();
  for (const auto& value : values) out.call<void>("push", Each(value));
  return out;
}

/// Returns the indices that `by` ranks per measure, as arrays named after the measure.
template <class By>
val orders(const By& by) {
  const auto ade = by(Measure::ade), fde = by(Measure::fde), nll = by(Measure::nll);
  const std::array<ResultArray, 3> arrays{array_of("ade", "<u4", ade),
                                          array_of("fde", "<u4", fde),
                                          array_of("nll", "<u4", nll)};
  return copies_of(arrays);
}

const char* name_of(eval::Subject subject) {
  switch (subject) {
    case eval::Subject::vehicle: return "vehicle";
    case eval::Subject::cyclist: return "cyclist";
    case eval::Subject::pedestrian: return "pedestrian";
    case eval::Subject::other: return "other";
    case eval::Subject::ego: return "ego";
    case eval::Subject::unlabelled: break;
  }
  return "unlabelled";
}

val subject_score(const eval::SubjectScore& one) {
  val out = score(one.mean);
  out.set("subject", name_of(one.subject));
  out.set("count", static_cast<double>(one.count));
  out.set("compared", static_cast<double>(one.compared));
  out.set("missed", static_cast<double>(one.missed));
  return out;
}

val mode_score(const eval::ModeScore& mode) {
  val out = val::object();
  out.set("confidence", mode.confidence);
  out.set("ade", mode.ade);
  out.set("fde", mode.fde);
  out.set("best", static_cast<double>(mode.best));
  return out;
}

val number(double value) {
  return val(value);
}

val horizon_score(const eval::HorizonScore& horizon) {
  val out = score(horizon.mean);
  out.set("steps", static_cast<double>(horizon.steps));
  out.set("compared", static_cast<double>(horizon.compared));
  out.set("missed", static_cast<double>(horizon.missed));
  return out;
}

val breakdown(const eval::Breakdown& breakdown) {
  val out = val::object();
  out.set("horizons", list<&horizon_score>(breakdown.horizons()));
  out.set("subjects", list<&subject_score>(breakdown.subjects()));
  out.set("modes", list<&mode_score>(breakdown.modes()));
  out.set("horizon", list<&number>(breakdown.horizon()));
  out.set("compared", static_cast<double>(breakdown.compared()));
  out.set("missed", static_cast<double>(breakdown.missed()));
  return out;
}

val report(Review& review) {
  const auto rows_by = [&](Measure by) { return eval::ranked(review.rows(), by); };
  const auto frames_by = [&](Measure by) { return eval::ranked(review.frames(), by); };
  const auto tracks_by = [&](Measure by) {
    return eval::ranked_tracks(review.rows(), by);
  };
  val out = val::object();
  out.set("breakdown", breakdown(review.breakdown()));
  out.set("rows", list<&row>(review.rows()));
  out.set("frames", list<&frame>(review.frames()));
  out.set("row_orders", orders(rows_by));
  out.set("frame_orders", orders(frames_by));
  out.set("track_orders", orders(tracks_by));
  out.set("mean", score(review.mean()));
  out.set("compared", static_cast<double>(review.compared()));
  out.set("missed", static_cast<double>(review.missed()));
  out.set("begun", static_cast<double>(review.begun()));
  out.set("unknown", static_cast<double>(review.unknown()));
  return out;
}

Ranking* ranking_of(Review& review, double most) {
  return new Ranking(review, count_from(most, "most"));
}

bool has_predictions_at(Ranking& ranking, val timestamps) {
  return ranking.has_predictions_at(integers_of<std::int64_t>(timestamps));
}

void add_tracks(Ranking& ranking, double scene, val tracks) {
  ranking.add(count_from(scene, "scene"), tracks_from(tracks));
}

void add_scene(Ranking& ranking, double scene, SceneHandle& tracks) {
  ranking.add(count_from(scene, "scene"), tracks.scene);
}

Comparison* make_comparison() {
  return new Comparison();
}

void compare(Comparison& comparison, double scene, Review& a, Review& b) {
  comparison.add(count_from(scene, "scene"), a, b);
}

void compare_ranked(Comparison& comparison, double scene, Ranking& a, Ranking& b) {
  comparison.add(count_from(scene, "scene"), a.review(), b.review());
}

/// Returns the pairs, or frames, as columns, with the order by each measure.
template <class Rows>
val compared(const Rows& rows, std::size_t most) {
  const auto columns = eval::columns_of(rows);
  const auto by = [&](Measure measure) {
    return eval::ranked_by_difference(rows, measure, most);
  };
  const auto ade = by(Measure::ade), fde = by(Measure::fde), nll = by(Measure::nll);
  const std::array<ResultArray, 10> arrays{
      array_of("scenes", "<u4", columns.scenes),
      array_of("frames", "<u4", columns.frames),
      array_of("track_ids", "<i8", columns.track_ids),
      array_of("seen", "<u4", columns.seen),
      array_of("counts", "<u4", columns.counts),
      array_of("a", "<f8", columns.a),
      array_of("b", "<f8", columns.b),
      array_of("ade", "<u4", ade),
      array_of("fde", "<u4", fde),
      array_of("nll", "<u4", nll)};
  return copies_of(arrays);
}

val comparison_report(Comparison& comparison, double most) {
  const auto limit = count_from(most, "most");
  val out = val::object();
  const auto tracks_by = [&](Measure by) {
    return eval::ranked_tracks_by_difference(comparison.rows(), by, limit);
  };
  out.set("rows", compared(comparison.rows(), limit));
  out.set("track_orders", orders(tracks_by));
  out.set("frames", compared(comparison.frames(), limit));
  out.set("only_a", static_cast<double>(comparison.only_a()));
  out.set("only_b", static_cast<double>(comparison.only_b()));
  out.set("compared", static_cast<double>(comparison.compared()));
  out.set("mean_a", score(comparison.mean_a()));
  out.set("mean_b", score(comparison.mean_b()));
  return out;
}

val ranked_row(const eval::Ranked& ranked) {
  auto out = row(ranked.row);
  out.set("scene", ranked.scene);
  return out;
}

template <class Worst>
val worst_of(const Worst& worst) {
  auto out = val::object();
  out.set("ade", list<&ranked_row>(worst(Measure::ade)));
  out.set("fde", list<&ranked_row>(worst(Measure::fde)));
  out.set("nll", list<&ranked_row>(worst(Measure::nll)));
  return out;
}

val ranking_report(Ranking& ranking) {
  auto out = val::object();
  out.set("breakdown", breakdown(ranking.breakdown()));
  out.set("found", static_cast<double>(ranking.found()));
  out.set("begun", static_cast<double>(ranking.begun()));
  out.set("compared", static_cast<double>(ranking.compared()));
  out.set("mean", score(ranking.mean()));
  out.set("worst", worst_of([&](Measure by) { return ranking.worst(by); }));
  out.set("worstTracks",
          worst_of([&](Measure by) { return ranking.worst_tracks(by); }));
  return out;
}

val lines_of(const Review& review, double frame) {
  const auto lines = review.lines(count_from(frame, "frame"));
  const std::array<ResultArray, 7> arrays{
      array_of("points", "<f8", lines.points),
      array_of("offsets", "<u4", lines.offsets),
      array_of("confidences", "<f8", lines.confidences),
      array_of("track_ids", "<i8", lines.track_ids),
      array_of("truth", "<f8", lines.truth),
      array_of("truth_offsets", "<u4", lines.truth_offsets),
      array_of("truth_track_ids", "<i8", lines.truth_track_ids)};
  return copies_of(arrays);
}

val lines(Review& review, double frame) {
  return lines_of(review, frame);
}

val ranked_lines(Ranking& ranking, double frame) {
  return lines_of(ranking.review(), frame);
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_review) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Review>("Review")
      .function("shape", &Guarded<&shape>::call)
      .function("count", &Guarded<&count>::call)
      .function("lookAt", &Guarded<&set_tracks>::call)
      .function("lookAtScene", &Guarded<&set_scene>::call)
      .function("report", &Guarded<&report>::call)
      .function("ranking", &Guarded<&ranking_of>::call, allow_raw_pointers())
      .function("lines", &Guarded<&lines>::call);
  emscripten::class_<SceneHandle>("ReviewScene");
  emscripten::class_<Comparison>("Comparison")
      .function("add", &Guarded<&compare>::call)
      .function("addRanked", &Guarded<&compare_ranked>::call)
      .function("report", &Guarded<&comparison_report>::call);
  emscripten::class_<PredictionReader>("PredictionReader")
      .function("add", &Guarded<&add_piece>::call)
      .function("finish", &Guarded<&finish>::call, allow_raw_pointers());
  emscripten::class_<Ranking>("Ranking")
      .function("wants", &Guarded<&has_predictions_at>::call)
      .function("add", &Guarded<&add_tracks>::call)
      .function("addScene", &Guarded<&add_scene>::call)
      .function("lines", &Guarded<&ranked_lines>::call)
      .function("report", &Guarded<&ranking_report>::call);
  emscripten::function("makeReviewScene", &Guarded<&make_scene>::call,
                       allow_raw_pointers());
  emscripten::function("makeComparison", &Guarded<&make_comparison>::call,
                       allow_raw_pointers());
  emscripten::function("readReview", &Guarded<&read_review>::call,
                       allow_raw_pointers());
  emscripten::function("makePredictionReader", &Guarded<&make_reader>::call,
                       allow_raw_pointers());
  emscripten::function("reviewOf", &Guarded<&review_of>::call, allow_raw_pointers());
}

}  // namespace bev::wasm
