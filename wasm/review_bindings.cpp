#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/numbers.hpp"
#include "core/eval/columns.hpp"
#include "core/eval/review.hpp"
#include "wasm/guard.hpp"
#include "wasm/records.hpp"
#include "wasm/values.hpp"

// Thin by rule, as bindings.cpp: names, types, errors. Predictions beside a scene.

namespace bev::wasm {
namespace {

using emscripten::val;
using eval::Review;

Review* read_review(std::string csv, std::string name) {
  return new Review(eval::read_review(csv, name));
}

Review* review_of(val table) {
  return new Review(eval::predictions_of(columns_from(table)));
}

void look_at(Review& review, val scene) {
  review.look_at({integers_of<std::int64_t>(scene["timestamps"]),
                  numbers_from(scene["ego_translation"]),
                  integers_of<scene::Interval>(scene["agent_index_interval"]),
                  integers_of<std::uint64_t>(scene["track_ids"]),
                  numbers_from(scene["centroids"])});
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

val report(Review& review) {
  val out = val::object();
  out.set("rows", list<&row>(review.rows()));
  out.set("frames", list<&frame>(review.frames()));
  out.set("mean", score(review.mean()));
  out.set("unknown", static_cast<double>(review.unknown()));
  return out;
}

val lines(Review& review, double frame) {
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

}  // namespace

EMSCRIPTEN_BINDINGS(bev_review) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<Review>("Review")
      .function("shape", &Guarded<&shape>::call)
      .function("lookAt", &Guarded<&look_at>::call)
      .function("report", &Guarded<&report>::call)
      .function("lines", &Guarded<&lines>::call);
  emscripten::function("readReview", &Guarded<&read_review>::call,
                       allow_raw_pointers());
  emscripten::function("reviewOf", &Guarded<&review_of>::call, allow_raw_pointers());
}

}  // namespace bev::wasm
