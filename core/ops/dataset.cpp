#include <array>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"

// An engine, and what it reads of a data set.

namespace bev::ops {

template <>
struct Members<Engine::FrameOptions> {
  static void visit(const auto& visitor, auto& options) {
    visitor("past", options.past);
    visitor("future", options.future);
    visitor("threshold", options.threshold);
    visitor("sequential", options.sequential);
    visitor("agents", options.parts.agents);
    visitor("lights", options.parts.lights);
  }
};

template <>
struct Members<Engine::Parts> {
  static void visit(const auto& visitor, auto& parts) {
    visitor("agents", parts.agents);
    visitor("lights", parts.lights);
  }
};

namespace {

using QueryPtr = std::unique_ptr<Query>;

std::unique_ptr<Engine> make_engine(Index byte_budget,
                                    std::optional<std::string> missing) {
  return std::make_unique<Engine>(
      static_cast<std::size_t>(byte_budget),
      missing ? std::optional(store::missing_from(*missing)) : std::nullopt);
}

QueryPtr open_dataset(Engine& engine) {
  return engine.open();
}

QueryPtr read_rows(Engine& engine, std::string array, std::optional<Integer> begin,
                   std::optional<Integer> end, std::optional<Integer> step,
                   const std::optional<std::vector<double>>& indices,
                   std::optional<std::vector<std::uint8_t>> mask,
                   std::optional<std::vector<std::string>> fields,
                   const std::optional<std::string>& layout,
                   const std::optional<std::vector<double>>& axes) {
  Rows rows;
  rows.array = std::move(array);
  if (begin) rows.begin = *begin;
  if (end) rows.end = *end;
  if (step) rows.step = *step;
  if (indices) rows.indices = integers_from(*indices, "indices");
  rows.mask = std::move(mask);
  if (fields) rows.fields = *std::move(fields);
  if (layout == "records") rows.layout = Rows::Layout::records;
  if (axes) rows.axes = axes_from(*axes);
  return engine.rows(std::move(rows));
}

QueryPtr read_frame(Engine& engine, Index scene, Index frame,
                    const Engine::FrameOptions& options) {
  return engine.frame(scene, frame, options);
}

QueryPtr read_timeline(Engine& engine, Index scene, std::optional<std::uint64_t> track,
                       Engine::Parts parts) {
  return engine.timeline(scene, track, parts);
}

QueryPtr summarize(Engine& engine) {
  return engine.summary();
}

/// Supplies a range, or the whole object if `begin` is negative.
void supply(Engine& engine, std::string key, double begin, double end, RawBytes bytes) {
  store::Request request{std::move(key)};
  if (begin >= 0) request.range = {index_from(begin, "begin"), index_from(end, "end")};
  engine.supply(request, std::move(bytes));
}

void supply_absent(Engine& engine, const std::string& key) {
  engine.supply_absent(key);
}

std::vector<std::string> forget_failures(Engine& engine, const std::string& key) {
  return engine.forget_failures(key);
}

std::string describe_dataset(Engine& engine) {
  return engine.describe();
}

std::vector<double> cache_stats(Engine& engine) {
  const auto stats = engine.cache();
  return {static_cast<double>(stats.bytes_held), static_cast<double>(stats.byte_budget),
          static_cast<double>(stats.hits), static_cast<double>(stats.misses),
          static_cast<double>(stats.evictions)};
}

double absent_count(Engine& engine) {
  return static_cast<double>(engine.absent_count());
}

std::vector<std::string> absent_chunks(Engine& engine) {
  return engine.absent_chunks();
}

constexpr std::array kDatasetOperations{
    operation<&make_engine, "byte_budget", "missing">(
        "engine", "", "an engine; missing: fill or error, for absent chunks"),
    operation<&open_dataset, "engine">("open", "", "reads the metadata"),
    operation<&read_rows, "engine", "array", "begin", "end", "step", "indices", "mask",
              "fields", "layout", "axes">(
        "rows", "", "rows of an array by range, list or mask; or a box of it"),
    operation<&read_frame, "engine", "scene", "frame">(
        "frame", "", "a frame prepared for drawing: core/engine/README.md"),
    operation<&read_timeline, "engine", "scene", "track">(
        "timeline", "", "a scene over time: core/engine/README.md"),
    operation<&summarize, "engine">("summary", "", "L5Kit's table of a data set"),
    operation<&supply, "engine", "key", "begin", "end", "bytes">(
        "supply", "", "supplies requested bytes; begin -1 for the whole object"),
    operation<&supply_absent, "engine", "key">("supply_absent", "",
                                               "says that an object does not exist"),
    operation<&forget_failures, "engine", "key">(
        "forget_failures", "",
        "lets a chunk, or all with an empty key, be read again; the damaged objects"),
    operation<&describe_dataset, "engine">("describe", "", "the metadata as JSON"),
    operation<&cache_stats, "engine">(
        "cache", "",
        "of encoded chunks: bytes held, byte budget, hits, misses, evictions"),
    operation<&absent_count, "engine">("absent_count", "", "number of absent chunks"),
    operation<&absent_chunks, "engine">("absent_chunks", "", "keys of absent chunks"),
};

}  // namespace

std::span<const Operation> dataset_operations() {
  return kDatasetOperations;
}

}  // namespace bev::ops
