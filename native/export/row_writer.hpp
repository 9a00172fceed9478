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

/// The layout of the rows to write, known before the first row.
struct RowLayout {
  zarr::DType row;   ///< type of one row; its shape holds an array's further axes
  std::string name;  ///< name of a plain row, for formats with column names
  /// Number of rows; nullopt for an array without axes, whose one element is written as
  /// a single value.
  std::optional<std::uint64_t> count;
};

/// Receives output text or bytes.
using Write = std::function<void(std::span<const std::byte>)>;

/// Writes rows in a format of `bevscope cat` or `bevscope scan`, without buffering.
class RowWriter {
 public:
  virtual ~RowWriter() = default;

  /// Writes the next `count` rows, given as stored.
  virtual void rows(std::uint64_t count, std::span<const std::byte> bytes) = 0;

  /// Writes the text after the last row.
  virtual void finish() = 0;
};

/// Creates the writer of a format and writes the text before the first row.
///
/// - npy: NumPy's format, with dtype and byte order as stored (C order, regardless of
///   the store's order).
/// - csv: RFC 4180, but with line feeds as line ends; the first line has the column
///   names: `centroid_0`, `centroid_1`, `pose.x`.
/// - json: an array of rows: objects for records, otherwise values.
/// - arrow: Arrow's IPC file format, a record batch per call of rows(); subarrays are
///   lists of fixed size, strings are UTF-8.
///
/// Throws  invalid_argument for another format; for arrow, unsupported for types other
///         than little-endian numbers, booleans and strings
std::unique_ptr<RowWriter> make_row_writer(std::string_view format, RowLayout layout,
                                           Write write);

std::unique_ptr<RowWriter> make_npy_writer(const RowLayout& layout, Write write);
std::unique_ptr<RowWriter> make_csv_writer(const RowLayout& layout, Write write);
std::unique_ptr<RowWriter> make_json_writer(RowLayout layout, Write write);
std::unique_ptr<RowWriter> make_arrow_writer(const RowLayout& layout, Write write);

}  // namespace bev::native
