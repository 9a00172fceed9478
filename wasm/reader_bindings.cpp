#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/numbers.hpp"
#include "core/engine/reader_query.hpp"
#include "wasm/guard.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

ReaderQuery* make_reader(Engine& engine, std::string plan) {
  return engine.reader(plan).release();
}

ReaderQuery* reader_of_counts(Engine& engine, std::string plan) {
  return engine.reader_of_counts(reader::plan_from_json(plan)).release();
}

void advance(ReaderQuery& query) {
  query.advance();
}

void seek(ReaderQuery& query, double epoch, double items) {
  query.seek({index_from(epoch, "epoch"), index_from(items, "items")});
}

void restore(ReaderQuery& query, std::string state) {
  query.restore(std::move(state));
}

bool at_end(ReaderQuery& query) {
  return query.at_end();
}

std::string state(ReaderQuery& query) {
  return query.state_json();
}

std::string explain(ReaderQuery& query) {
  return query.explain();
}

/// Returns the blocks that were left out: [{block, error}].
val skipped(ReaderQuery& query) {
  auto out = val::array();
  for (const auto& [block, error] : query.skipped()) {
    auto one = val::object();
    one.set("block", number(block));
    one.set("error", error);
    out.call<void>("push", one);
  }
  return out;
}

/// Returns the batch, the position after it and what was done so far; `length` is -1 if
/// it is unknown.
val progress(ReaderQuery& query) {
  static constexpr std::array kNames{"items",          "epoch",
                                     "position",       "blocksDone",
                                     "blockCount",     "length",
                                     "rows",           "rowsTested",
                                     "pieces",         "piecesExcludedByFrame",
                                     "piecesExcluded", "piecesIncluded"};
  const auto position = query.position();
  const auto length = query.known_length();
  const auto counts = query.counts();
  const std::array numbers{number(query.batch_size()),
                           number(position.epoch),
                           number(position.items),
                           number(query.blocks_done()),
                           number(query.block_count()),
                           length ? number(*length) : -1.0,
                           number(counts.rows),
                           number(counts.rows_tested),
                           number(counts.pieces),
                           number(counts.pieces_excluded_by_frame),
                           number(counts.pieces_excluded),
                           number(counts.pieces_included)};
  return numbers_to_js(kNames, numbers);
}

}  // namespace

EMSCRIPTEN_BINDINGS(bev_reader) {
  using emscripten::allow_raw_pointers;
  emscripten::class_<ReaderQuery, emscripten::base<Query>>("Reader")
      .function("advance", &Guarded<&advance>::call)
      .function("seek", &Guarded<&seek>::call)
      .function("restore", &Guarded<&restore>::call)
      .function("atEnd", &Guarded<&at_end>::call)
      .function("state", &Guarded<&state>::call)
      .function("explain", &Guarded<&explain>::call)
      .function("skipped", &Guarded<&skipped>::call)
      .function("progress", &Guarded<&progress>::call);
  emscripten::function("reader", &Guarded<&make_reader>::call, allow_raw_pointers());
  emscripten::function("readerOfCounts", &Guarded<&reader_of_counts>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm
