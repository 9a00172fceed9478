#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <memory>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/numbers.hpp"
#include "core/engine/reader_query.hpp"
#include "core/reader/mixture.hpp"
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

reader::Mixture* make_mixture(std::string options) {
  return std::make_unique<reader::Mixture>(reader::mixture_from_json(options))
      .release();
}

/// Returns the number of the reader of the next batch; -1 at the end.
double choice(const reader::Mixture& mixture) {
  const auto found = mixture.choice();
  return found ? static_cast<double>(*found) : -1;
}

void took(reader::Mixture& mixture) {
  mixture.took();
}

void exhausted(reader::Mixture& mixture) {
  mixture.exhausted();
}

void reset(reader::Mixture& mixture) {
  mixture.reset();
}

std::string mixture_state(const reader::Mixture& mixture, val readers) {
  return mixture.state_json(texts_from(readers));
}

val reader_states(const reader::Mixture& mixture, std::string state) {
  return val::array(mixture.reader_states(state));
}

void restore_mixture(reader::Mixture& mixture, std::string state) {
  mixture.restore(state);
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
  emscripten::class_<reader::Mixture>("Mixture")
      .function("choice", &Guarded<&choice>::call)
      .function("took", &Guarded<&took>::call)
      .function("exhausted", &Guarded<&exhausted>::call)
      .function("reset", &Guarded<&reset>::call)
      .function("state", &Guarded<&mixture_state>::call)
      .function("readerStates", &Guarded<&reader_states>::call)
      .function("restore", &Guarded<&restore_mixture>::call);
  emscripten::function("mixture", &Guarded<&make_mixture>::call, allow_raw_pointers());
  emscripten::function("reader", &Guarded<&make_reader>::call, allow_raw_pointers());
  emscripten::function("readerOfCounts", &Guarded<&reader_of_counts>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm
