#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/facts/columns.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/scan/fact_choice.hpp"
#include "core/scan/facts_query.hpp"

// Facts of scenes and tracks.

namespace bev::ops {

namespace {

/// A choice of rows, and the columns that were passed.
struct Choice {
  FactChoice choice;
  std::vector<RawBytes> columns{};
};

}  // namespace

template <>
inline constexpr const char* kObjectName<FactsQuery> = "Facts";
template <>
inline constexpr const char* kObjectName<Choice> = "FactChoice";

namespace {

std::unique_ptr<FactsQuery> make_facts(Engine& engine, MapQuery* map) {
  return engine.facts(
      map == nullptr ? nullptr : std::make_shared<facts::LightsOfMap>(map->shared()));
}

void seek_facts(FactsQuery& facts, Index scene) {
  facts.seek(scene);
}

void add_facts_of(FactsQuery& facts, Index scene) {
  facts.add(scene);
}

void leave_out_facts(FactsQuery& facts) {
  facts.leave_out();
}

std::vector<std::string> fact_chunks(FactsQuery& facts) {
  return facts.chunks();
}

std::unique_ptr<Choice> fact_choice(const std::string& table,
                                    const std::string& where) {
  return std::make_unique<Choice>(Choice{FactChoice(table, where)});
}

void add_fact_column(Choice& choice, RawBytes column) {
  choice.columns.push_back(std::move(column));
}

Outcome choose_facts(Choice& choice) {
  const std::vector<std::span<const std::byte>> views(choice.columns.begin(),
                                                      choice.columns.end());
  return Outcome(choice.choice.select(views));
}

std::string describe_facts() {
  return facts::describe();
}

constexpr std::array kFactOperations{
    operation<&make_facts, "engine", "map">("facts", "",
                                            "facts of one scene after the other"),
    operation<&seek_facts, "facts", "scene">("seek_facts", "", "goes to a scene"),
    operation<&add_facts_of, "facts", "scene">(
        "add_facts", "", "goes to a scene whose rows follow the previous ones"),
    operation<&leave_out_facts, "facts">(
        "leave_out_facts", "", "leaves out the scene, and keeps the rows so far"),
    operation<&fact_chunks, "facts">("fact_chunks", "",
                                     "keys of the scenes' chunks; none if unknown"),
    operation<&fact_choice, "table", "where">("fact_choice", "",
                                              "chooses rows of a table of facts"),
    operation<&add_fact_column, "choice", "column">("add_fact_column", "",
                                                    "passes the table's next column"),
    operation<&choose_facts, "choice">("choose_facts", "*",
                                       "all columns of the rows that pass"),
    operation<&describe_facts>("describe_facts", "",
                               "JSON: names, types and units of all facts"),
};

}  // namespace

std::span<const Operation> fact_operations() {
  return kFactOperations;
}

}  // namespace bev::ops
