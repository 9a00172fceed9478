#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/reader/concatenation.hpp"
#include "core/reader/mixture.hpp"
#include "core/scan/reader_description.hpp"
#include "core/scan/reader_query.hpp"

// Batches of a plan's items, descriptions of its fields, and the order of several
// readers.

namespace bev::ops {

template <>
inline constexpr const char* kObjectName<ReaderQuery> = "Reader";
template <>
inline constexpr const char* kObjectName<ReaderDescription> = "ReaderDescription";

namespace {

std::unique_ptr<ReaderQuery> make_reader(Engine& engine, const std::string& plan,
                                         bool counts, MapQuery* map, Aerial* aerial,
                                         std::optional<std::string> state,
                                         std::optional<Index> epoch,
                                         std::optional<Index> items) {
  auto query = counts ? engine.reader_of_counts(reader::plan_from_json(plan))
                      : engine.reader(plan);
  query->use_maps({map == nullptr ? nullptr : map->shared(),
                   aerial == nullptr ? nullptr : aerial->image});
  if (state) {
    query->restore(*std::move(state));
    return query;
  }
  if (!epoch || !items) fail_missing("epoch");
  query->seek({*epoch, *items});
  return query;
}

void advance_reader(ReaderQuery& reader) {
  reader.advance();
}

bool reader_at_end(ReaderQuery& reader) {
  return reader.at_end();
}

double batch_size(ReaderQuery& reader) {
  return static_cast<double>(reader.batch_size());
}

std::vector<double> reader_progress(ReaderQuery& reader) {
  return {static_cast<double>(reader.blocks_done()),
          static_cast<double>(reader.block_count())};
}

/// Appends a member of a JSON object that begins with "{".
void append_member(std::string& json, std::string_view name, std::string_view value) {
  if (json.size() > 1) json += ',';
  json.append("\"").append(name).append("\":").append(value);
}

std::string quoted(const std::string& text) {
  using Handler = nlohmann::json::error_handler_t;
  return nlohmann::json(text).dump(-1, ' ', false, Handler::replace);
}

/// Returns the position after the batch, and what was done so far, as JSON.
std::string reader_info(ReaderQuery& reader, std::optional<Index> items) {
  std::string out("{");
  const auto add = [&out](std::string_view name, std::uint64_t value) {
    append_member(out, name, std::to_string(value));
  };
  const auto counts = reader.counts();
  add("items", items ? std::uint64_t{*items} : reader.batch_size());
  add("blocksDone", reader.blocks_done());
  add("blockCount", reader.block_count());
  add("rows", counts.rows);
  add("rowsTested", counts.rows_tested);
  add("pieces", counts.pieces);
  add("piecesExcludedByFrame", counts.pieces_excluded_by_frame);
  add("piecesExcluded", counts.pieces_excluded);
  add("piecesIncluded", counts.pieces_included);
  if (const auto length = reader.known_length()) add("length", *length);
  append_member(out, "atEnd", reader.at_end() ? "true" : "false");
  append_member(out, "state", quoted(reader.state_json()));
  std::string skipped;
  for (const auto& [block, error] : reader.skipped()) {
    skipped += skipped.empty() ? "{" : ",{";
    skipped +=
        "\"block\":" + std::to_string(block) + ",\"error\":" + quoted(error) + "}";
  }
  append_member(out, "skipped", "[" + skipped + "]");
  const auto [epoch, done] = reader.position();
  append_member(out, "position",
                "{\"epoch\":" + std::to_string(epoch) +
                    ",\"items\":" + std::to_string(done) + "}");
  return out + "}";
}

std::string reader_state(ReaderQuery& reader) {
  return reader.state_json();
}

std::string explain_reader(ReaderQuery& reader) {
  return reader.explain();
}

std::unique_ptr<ReaderDescription> reader_description(Engine& engine,
                                                      const std::string& plan,
                                                      std::optional<std::string> by) {
  return std::make_unique<ReaderDescription>(engine, reader::plan_from_json(plan),
                                             std::move(by));
}

std::vector<store::Request> description_missing(ReaderDescription& description) {
  return description.query().missing();
}

bool description_step(ReaderDescription& description) {
  return description.step();
}

std::vector<double> description_progress(ReaderDescription& description) {
  return reader_progress(description.query());
}

std::string description_json(ReaderDescription& description) {
  return description.to_json();
}

/// What the host knows of the order of several readers, which keeps nothing.
struct OrderPosition {
  std::optional<std::string> state;
  std::uint32_t exhausted;
  const std::vector<std::string>& readers;
};

/// Returns the reader of the next batch, and the state once it has returned one; or the
/// state alone.
template <class Order>
std::string order_of(Order order, const OrderPosition& at, bool chooses) {
  if (at.state) order.restore(*at.state);
  for (std::uint32_t i = 0; i < at.exhausted; ++i) order.exhausted();
  if (!chooses) return order.state_json(at.readers);
  const auto choice = order.choice();
  if constexpr (requires { order.took(); }) {
    if (choice) order.took();
  }
  return "{\"reader\":" + (choice ? std::to_string(*choice) : "-1") +
         ",\"state\":" + quoted(order.state_json(at.readers)) + "}";
}

std::string reader_order(std::optional<std::string> mixture,
                         std::optional<std::string> state, std::uint32_t exhausted,
                         const std::vector<std::string>& readers, bool chooses) {
  const OrderPosition at{std::move(state), exhausted, readers};
  if (mixture)
    return order_of(reader::Mixture(reader::mixture_from_json(*mixture)), at, chooses);
  return order_of(reader::Concatenation(readers.size()), at, chooses);
}

std::vector<std::string> reader_states(std::optional<std::string> mixture,
                                       const std::string& state, Index readers) {
  if (mixture)
    return reader::Mixture(reader::mixture_from_json(*mixture)).reader_states(state);
  return reader::Concatenation(static_cast<std::size_t>(readers)).reader_states(state);
}

constexpr std::array kReaderOperations{
    operation<&make_reader, "engine", "plan", "counts", "map", "aerial", "state",
              "epoch", "items">(
        "reader", "",
        "batches of a plan's items from a state or position; or only their counts"),
    operation<&advance_reader, "reader">("advance_reader", "",
                                         "goes on to the next batch"),
    operation<&reader_at_end, "reader">("reader_at_end", "",
                                        "whether the epoch has no further batch"),
    operation<&batch_size, "reader">("batch_size", "", "items of the batch"),
    operation<&reader_progress, "reader">("reader_progress", "",
                                          "blocks done, and of how many"),
    operation<&reader_info, "reader", "items">(
        "reader_info", "", "JSON: position, state and work; items: those of the batch"),
    operation<&reader_state, "reader">("reader_state", "", "JSON: the position"),
    operation<&explain_reader, "reader">("explain_reader", "",
                                         "JSON: the plan, columns, and what was read"),
    operation<&reader_description, "engine", "plan", "by">(
        "reader_description", "",
        "describes the fields of a plan, by a column's values"),
    operation<&description_missing, "description">("description_missing", "",
                                                   "what to read before a step"),
    operation<&description_step, "description">(
        "description_step", "", "uses what was read; false after the last rows"),
    operation<&description_progress, "description">("description_progress", "",
                                                    "blocks done, and of how many"),
    operation<&description_json, "description">("description_json", "",
                                                "JSON: the description"),
    operation<&reader_order, "mixture", "state", "exhausted", "readers", "chooses">(
        "reader_order", "",
        "JSON: which reader the next batch comes from; or the state of them all"),
    operation<&reader_states, "mixture", "state", "readers">(
        "reader_states", "", "the states of several readers in a state"),
};

}  // namespace

std::span<const Operation> reader_operations() {
  return kReaderOperations;
}

}  // namespace bev::ops
