#pragma once

#include <optional>
#include <string>
#include <vector>

#include "native/export/row_writer.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The part of an array to write, and the format.
struct CatOptions {
  std::optional<std::string> rows;  ///< "A:B[:S]"; all rows if absent
  std::optional<std::string> box;   ///< "0,::-1": a selection per axis, instead of rows
  std::vector<std::string> fields;  ///< all fields if empty
  std::string format = "npy";       ///< or "csv", "json"
  /// Called between batches with the rows written and the total.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Writes rows of an array with bounded memory: the size of the chunks that share rows,
/// but at least 64 MiB. A box is read at once.
///
/// Throws  Error, cli::UsageError: see select_fields(), parse_row_slice(),
///         parse_axis_slices(), make_row_writer() and the reading of arrays
void cat(Source& source, const std::string& array, const CatOptions& options,
         Write write);

}  // namespace bev::native
