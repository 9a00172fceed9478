#pragma once

#include <optional>
#include <string>
#include <vector>

#include "native/export/row_writer.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// What of an array is written, and how.
struct CatOptions {
  std::optional<std::string> rows;  ///< "A:B[:S]", all of them if absent
  std::optional<std::string> box;   ///< "0,::-1": in place of rows, of each axis this
  std::vector<std::string> fields;  ///< all of them if empty
  std::string format = "npy";       ///< or "csv", "json"
  /// Called between batches: how many rows are written, and how many there are.
  std::function<void(std::uint64_t done, std::uint64_t all)> progress = {};
};

/// Writes rows of an array, a bounded number of them in memory at a time: what the
/// chunks that hold neighbouring rows need, at least 64 MiB. A box is read at once.
///
/// @throws Error, cli::UsageError  see select_fields(), parse_row_slice(),
///                parse_axis_slices(), make_row_writer(), and what reading the array
///                throws
void cat(Source& source, const std::string& array, const CatOptions& options,
         Write write);

}  // namespace bev::native
