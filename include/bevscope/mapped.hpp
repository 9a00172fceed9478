#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace bev {

/// Rows of an array in the file of a chunk, mapped into memory: nothing was read or
/// copied yet.
///
/// Lifetime  The mapping lives as long as a copy of `owner`, also without the data set.
///           It shows the file that was there when it was made: programs that replace
///           files, as this library and zarr-python's folders of version 2 do, do not
///           change it. If another program overwrites the file in place, the rows change;
///           if it cuts the file, the system ends the process with SIGBUS when rows
///           beyond its end are accessed. Dataset::records() copies, and has neither problem.
struct MappedChunk {
  std::uint64_t first_row = 0;  ///< of the array
  std::uint64_t rows = 0;       ///< of the chunk, without those beyond the array's end
  std::size_t row_bytes = 0;    ///< of a row: a record, or values along other axes
  std::span<const std::byte>
      bytes;  ///< rows * row_bytes, as stored (byte order included)
  std::shared_ptr<const void> owner;  ///< unmaps the file

  /// Returns row `i` of the chunk.
  std::span<const std::byte> row(std::size_t i) const {
    return bytes.subspan(i * row_bytes, row_bytes);
  }
};

}  // namespace bev
