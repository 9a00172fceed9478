#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/facts/columns.hpp"
#include "core/map/semantic_map.hpp"
#include "native/export/row_writer.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Facts to write.
struct FactsOptions {
  facts::TableKind table = facts::TableKind::scenes;
  std::string where;  ///< filter over the facts; "" for all rows
  std::shared_ptr<const map::SemanticMap> map = {};  ///< for lights; may be null
  std::string format = "csv";                        ///< or "json", "npy", "arrow"
  /// Called with the scenes that are done, and all scenes.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Reads a semantic map, with the meta.json of its folder or of the folder above.
///
/// Throws  not_found without either file, and the errors of map::SemanticMap::parse
std::shared_ptr<const map::SemanticMap> read_semantic_map(const std::string& path);

/// Computes the facts of all scenes and writes the rows that pass, a scene at a time.
///
/// Throws  Error: see FactsQuery, facts::FactFilter and make_row_writer()
void write_facts(Source& source, const FactsOptions& options, const Write& write);

}  // namespace bev::native
