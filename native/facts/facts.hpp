#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/engine/engine.hpp"
#include "core/facts/columns.hpp"
#include "core/map/map_source.hpp"
#include "native/export/row_writer.hpp"
#include "native/facts/map_file.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Facts to write.
struct FactsOptions {
  facts::TableKind table = facts::TableKind::scenes;
  std::string where;                    ///< filter over the facts; "" for all rows
  std::optional<std::string> tag = {};  ///< only scenes that have this tag
  map::MapSource map = {};              ///< for lights; may be null
  std::string map_mark = {};            ///< semantic_map_mark() of it
  bool uses_file = true;       ///< false: does not read the facts beside the data set
  std::string format = "csv";  ///< or "json", "npy", "arrow"
  /// Called with the scenes that are done, and all scenes.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
  /// Called with why facts beside the data set are not used.
  std::function<void(const std::string& notice)> on_notice = {};
};

/// Reads or computes the facts of all scenes and writes the rows that pass.
///
/// Throws  Error: see FactsQuery, facts::FactFilter and make_row_writer()
void write_facts(Source& source, const FactsOptions& options, const Write& write);

}  // namespace bev::native
