#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "native/export/row_writer.hpp"
#include "native/sample/assets.hpp"
#include "native/scan/plan_options.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// What to scan, and how to write it.
struct ScanOptions {
  std::string plan;            ///< JSON, see reader::plan_from_json
  std::string format = "csv";  ///< or "npy", "json", "arrow"
  std::uint64_t epoch = 0;
  std::size_t threads = 1;  ///< see ReaderTeam
  Shown shown = {};         ///< progress after each batch
  Assets assets = {};       ///< of samples
};

/// Writes the items that a plan chooses, a batch at a time. Fields are columns of a
/// record, windows are their first axis.
///
/// Throws  Error: see ReaderQuery and make_row_writer()
void scan(Source& source, const ScanOptions& options, const Write& write);

/// Returns the number of items of a plan.
std::uint64_t count_items(Source& source, const std::string& plan,
                          const Shown& shown = {});

/// Describes the fields of the chosen rows as JSON: see ReaderDescription.
///
/// @param by  column of the groups
std::string describe(Source& source, const std::string& plan,
                     const std::optional<std::string>& by, const Shown& shown = {});

/// Returns what a plan reads as JSON, after counting its items.
std::string explain(Source& source, const std::string& plan, const Assets& assets = {});

}  // namespace bev::native
