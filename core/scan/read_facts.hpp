#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/facts/light_at_entry.hpp"
#include "core/scan/fact_file.hpp"
#include "core/scan/facts_query.hpp"

// Facts for native hosts, whose sources block.

namespace bev {

/// Reads what a file of facts lacks, until it is open or its rows are read. A file that
/// is replaced meanwhile is not used.
///
/// Throws  errors of the source, except `changed`
void run(Engine& engine, FactFile& file, Source& source);

/// Opens the facts beside a data set and compares them with it, unless they are published
/// at the source's address; null if there are none. They belong to the query.
///
/// @param map         see FactFile
/// @param statistics  see FactFile::check
FactFile* open_fact_file(Engine& engine, FactsQuery& query, Source& source,
                         const std::string& map,
                         const reader::Statistics* statistics = nullptr);

/// Facts of consecutive scenes to read.
struct FactsToRead {
  /// The tables to read, and a filter of each.
  struct Table {
    facts::TableKind kind = facts::TableKind::scenes;
    std::string where = {};
  };
  std::vector<Table> tables;
  std::uint64_t begin = 0;
  std::optional<std::uint64_t> end = std::nullopt;  ///< default: all scenes
  std::shared_ptr<const facts::LightsOfMap> lights = {};
  std::string map = {};   ///< map_mark() of the map of `lights`
  bool uses_file = true;  ///< false: computes all
  /// Called with why facts beside the data set are not used, or not those of all scenes.
  std::function<void(const std::string& notice)> on_notice = {};
  /// Called with the scenes that are done, and all scenes to read.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Reads facts beside the data set; computes those of changed or new scenes.
///
/// @param take  receives rows of each table, in the order of scenes
/// Throws  As FactsQuery and facts::FactFilter; errors of the source
void read_facts(Engine& engine, Source& source, const FactsToRead& options,
                const std::function<void(const facts::FactTable& rows)>& take);

}  // namespace bev
