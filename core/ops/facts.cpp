#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/facts/columns.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/ops/objects_of_engine.hpp"
#include "core/ops/operation.hpp"
#include "core/ops/tables.hpp"
#include "core/scan/fact_choice.hpp"
#include "core/scan/facts_query.hpp"
#include "core/scan/thumbnails.hpp"

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

/// Returns the side file, which open_fact_file() makes.
FactFile& file_of(FactsQuery& facts) {
  if (auto* const file = facts.file()) return *file;
  fail(Errc::invalid_argument, {"facts: no file is open"});
}

std::string mark_map(const RawBytes& pb, const RawBytes& meta) {
  return map_mark(pb, meta);
}

void open_fact_file(FactsQuery& facts, Index size, std::string map,
                    std::string address) {
  facts.open_file({size, std::move(map), std::move(address)});
}

void need_fact_states(FactsQuery& facts) {
  file_of(facts).need_states();
}

std::vector<store::Request> fact_file_missing(FactsQuery& facts) {
  return file_of(facts).missing();
}

std::vector<std::string> fact_file_objects(FactsQuery& facts) {
  return file_of(facts).objects();
}

void check_fact_file(FactsQuery& facts, const std::vector<double>& sizes,
                     const std::vector<double>& newer,
                     const std::vector<double>& zip_crcs) {
  if (sizes.size() != newer.size() || sizes.size() != zip_crcs.size()) {
    fail(Errc::invalid_argument,
         {"newer, zip_crcs: wrong length (found ", newer.size(), " and ",
          zip_crcs.size(), ", expected ", sizes.size(), ")"});
  }
  std::vector<ObjectNow> objects;
  objects.reserve(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    objects.push_back({sizes[i], newer[i], zip_crcs[i]});
  }
  file_of(facts).check(objects);
}

void believe_fact_file(FactsQuery& facts) {
  file_of(facts).believe();
}

bool fact_file_is_published(FactsQuery& facts) {
  return file_of(facts).is_published();
}

std::string fact_file_notice(FactsQuery& facts) {
  return file_of(facts).notice();
}

bool fact_file_is_used(FactsQuery& facts) {
  return file_of(facts).problem().empty();
}

/// Returns the end of the scenes from one on that are all kept; negative if none is.
double fact_file_scenes(FactsQuery& facts, Index scene) {
  const auto scenes = file_of(facts).from(scene);
  const auto end = static_cast<double>(scenes.end);
  return scenes.is_kept ? end : -end;
}

/// Returns the keys of the archive and of its member; none if the scene has changed.
std::vector<std::string> fact_thumbnail(FactsQuery& facts, Index scene) {
  const auto& file = file_of(facts);
  if (!file.from(scene).is_kept) return {};
  return {thumbnails_key(scene), thumbnail_name(scene, file.mark_of(scene))};
}

void select_fact_file(FactsQuery& facts, const std::string& table,
                      const std::string& where, std::vector<std::string> columns,
                      Index begin, Index end) {
  file_of(facts).select(
      {facts::table_kind(table), where, std::move(columns), begin, end});
}

Outcome fact_file_rows(FactsQuery& facts) {
  return Outcome(file_of(facts).results());
}

std::unique_ptr<Choice> fact_choice(Engine& engine, const std::string& table,
                                    const std::string& where) {
  return std::make_unique<Choice>(
      Choice{FactChoice(table, where, [&] { return engine.tags(); })});
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
    operation<&mark_map, "pb", "meta">("map_mark", "",
                                       "a mark of a map, for open_fact_file"),
    operation<&open_fact_file, "facts", "size", "map", "address">(
        "open_fact_file", "",
        "begins to read the facts beside the data set, which has this address"),
    operation<&need_fact_states, "facts">(
        "need_fact_states", "", "reads what fact_thumbnail needs also if published"),
    operation<&fact_file_missing, "facts">("fact_file_missing", "",
                                           "what to read before the next step"),
    operation<&fact_file_objects, "facts">("fact_file_objects", "",
                                           "keys of the objects to check"),
    operation<&check_fact_file, "facts", "sizes", "newer", "zip_crcs">(
        "check_fact_file", "",
        "compares the objects: sizes (-1 absent), seconds newer than the file, CRC-32 "
        "in an archive; NaN for unknown"),
    operation<&believe_fact_file, "facts">("believe_fact_file", "",
                                           "uses the file as if no object had changed"),
    operation<&fact_file_is_published, "facts">(
        "fact_file_is_published", "",
        "whether the address of the data set is named after its content"),
    operation<&fact_file_notice, "facts">("fact_file_notice", "",
                                          "why not all facts of it are used"),
    operation<&fact_file_is_used, "facts">("fact_file_is_used", "",
                                           "whether any facts of it are used"),
    operation<&fact_file_scenes, "facts", "scene">(
        "fact_file_scenes", "",
        "end of the scenes from one on that it has; negative: that it does not have"),
    operation<&fact_thumbnail, "facts", "scene">(
        "fact_thumbnail", "",
        "key of the archive that has a scene's picture, and name in it; none if "
        "changed"),
    operation<&select_fact_file, "facts", "table", "where", "columns", "begin", "end">(
        "select_fact_file", "", "chooses rows of such scenes"),
    operation<&fact_file_rows, "facts">("fact_file_rows", "*", "the rows"),
    operation<&fact_choice, "engine", "table", "where">(
        "fact_choice", "", "chooses rows of a table of facts"),
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
