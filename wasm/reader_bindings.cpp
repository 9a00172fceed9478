#include <emscripten/bind.h>
#include <emscripten/val.h>

#include <array>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/map_query.hpp"
#include "core/engine/numbers.hpp"
#include "core/engine/reader_description.hpp"
#include "core/engine/reader_query.hpp"
#include "core/reader/concatenation.hpp"
#include "core/reader/mixture.hpp"
#include "wasm/guard.hpp"
#include "wasm/handles.hpp"
#include "wasm/values.hpp"

// Only names, type conversions and error translation, as in bindings.cpp.

namespace bev::wasm {
namespace {

using emscripten::val;

double number(std::uint64_t value) {
  return static_cast<double>(value);
}

ReaderQuery* make_reader(Engine& engine, std::string plan, MapQuery* map,
                         Aerial* aerial) {
  auto query = engine.reader(plan);
  query->use_maps({map == nullptr ? nullptr : map->shared(),
                   aerial == nullptr ? nullptr : aerial->image});
  return query.release();
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

/// @param by  none or one name
ReaderDescription* make_description(Engine& engine, std::string plan, val by) {
  const auto names = texts_from(by);
  return std::make_unique<ReaderDescription>(
             engine, reader::plan_from_json(plan),
             names.empty() ? std::nullopt : std::optional(names.front()))
      .release();
}

val description_missing(ReaderDescription& description) {
  return to_js(description.query().missing());
}

bool step(ReaderDescription& description) {
  return description.step();
}

/// Returns the blocks that were read, and all blocks.
val description_progress(ReaderDescription& description) {
  static constexpr std::array kNames{"done", "of"};
  auto& query = description.query();
  const std::array numbers{number(query.blocks_done()), number(query.block_count())};
  return numbers_to_js(kNames, numbers);
}

std::string description_json(const ReaderDescription& description) {
  return description.to_json();
}

// The orders of several readers.

reader::Mixture* make_mixture(std::string options) {
  return std::make_unique<reader::Mixture>(reader::mixture_from_json(options))
      .release();
}

reader::Concatenation* make_concatenation(double readers) {
  return std::make_unique<reader::Concatenation>(
             static_cast<std::size_t>(index_from(readers, "readers")))
      .release();
}

/// Returns the number of the reader of the next batch; -1 at the end.
template <class Order>
double choice(const Order& order) {
  const auto found = order.choice();
  return found ? static_cast<double>(*found) : -1;
}

void took(reader::Mixture& mixture) {
  mixture.took();
}

template <class Order>
void exhausted(Order& order) {
  order.exhausted();
}

template <class Order>
void reset(Order& order) {
  order.reset();
}

template <class Order>
std::string order_state(const Order& order, val readers) {
  return order.state_json(texts_from(readers));
}

template <class Order>
val reader_states(const Order& order, std::string state) {
  return val::array(order.reader_states(state));
}

template <class Order>
void restore_order(Order& order, std::string state) {
  order.restore(state);
}

/// Binds what the orders of several readers have in common.
template <class Order>
emscripten::class_<Order> bind_order(const char* name) {
  return emscripten::class_<Order>(name)
      .function("choice", &Guarded<&choice<Order>>::call)
      .function("exhausted", &Guarded<&exhausted<Order>>::call)
      .function("reset", &Guarded<&reset<Order>>::call)
      .function("state", &Guarded<&order_state<Order>>::call)
      .function("readerStates", &Guarded<&reader_states<Order>>::call)
      .function("restore", &Guarded<&restore_order<Order>>::call);
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
  emscripten::class_<ReaderDescription>("ReaderDescription")
      .function("missing", &Guarded<&description_missing>::call)
      .function("step", &Guarded<&step>::call)
      .function("progress", &Guarded<&description_progress>::call)
      .function("json", &Guarded<&description_json>::call);
  bind_order<reader::Mixture>("Mixture").function("took", &Guarded<&took>::call);
  bind_order<reader::Concatenation>("Concatenation");
  emscripten::function("mixture", &Guarded<&make_mixture>::call, allow_raw_pointers());
  emscripten::function("concatenation", &Guarded<&make_concatenation>::call,
                       allow_raw_pointers());
  emscripten::function("readerDescription", &Guarded<&make_description>::call,
                       allow_raw_pointers());
  emscripten::function("reader", &Guarded<&make_reader>::call, allow_raw_pointers());
  emscripten::function("readerOfCounts", &Guarded<&reader_of_counts>::call,
                       allow_raw_pointers());
}

}  // namespace bev::wasm
