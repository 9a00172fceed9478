#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// What is written, known before the first row is.
struct RowLayout {
  zarr::DType row;   ///< of one row: an n-d array's further axes are in its shape
  std::string name;  ///< what a plain row is called where columns have names
  /// How many rows there will be; nullopt for an array without axes, whose one element
  /// is written as a single value.
  std::optional<std::uint64_t> count;
};

/// Where text or bytes go.
using Write = std::function<void(std::span<const std::byte>)>;

/// Writes rows in one of the formats of `bevscope cat`, as they come: nothing is kept
/// back, however many there are.
class RowWriter {
 public:
  virtual ~RowWriter() = default;

  /// `count` rows that follow those before, as stored.
  virtual void rows(std::uint64_t count, std::span<const std::byte> bytes) = 0;

  /// What stands behind the last row.
  virtual void finish() = 0;
};

/// The writer of a format; what stands before the first row is written at once.
///
/// npy   NumPy's format, dtype and byte order as stored (C order, whatever the
/// store's). csv   RFC 4180 but for line feeds alone at line ends; a line of column
/// names first: `centroid_0`, `centroid_1`, `pose.x`. json  An array of rows: objects
/// for records, values for the rest.
///
/// @throws Error  invalid_argument for a format that is none of these
std::unique_ptr<RowWriter> make_row_writer(std::string_view format, RowLayout layout,
                                           Write write);

std::unique_ptr<RowWriter> make_npy_writer(const RowLayout& layout, Write write);
std::unique_ptr<RowWriter> make_csv_writer(const RowLayout& layout, Write write);
std::unique_ptr<RowWriter> make_json_writer(RowLayout layout, Write write);

}  // namespace bev::native
