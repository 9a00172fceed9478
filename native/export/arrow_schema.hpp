#pragma once

#include <flatbuffers/flatbuffers.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "native/export/row_writer.hpp"

// The FlatBuffers of Arrow's IPC format, as far as row writers need them. FlatBuffers'
// compiler would generate these functions from Schema.fbs, Message.fbs and File.fbs of
// Arrow's repository; names and numbers are theirs.

namespace bev::native::arrow {

/// A column: a name, a scalar type, and its axes as nested lists of fixed size.
struct Column {
  std::string name;
  zarr::DType type;
  std::size_t offset = 0;  ///< from the start of a row
};

/// Length and number of nulls of an array.
struct FieldNode {
  std::int64_t length;
  std::int64_t null_count;
};

/// Part of a message's body.
struct Buffer {
  std::int64_t offset;
  std::int64_t length;
};

/// A message in a file.
struct Block {
  std::int64_t offset;
  std::int32_t metadata_length;
  std::int32_t padding;
  std::int64_t body_length;
};

/// Returns the columns of rows.
///
/// Throws  unsupported for a type that Arrow lacks or that is not a number, boolean or
///         string
std::vector<Column> columns_of(const RowLayout& layout);

/// Return the metadata of messages, and of a file's end.
flatbuffers::DetachedBuffer schema_message(const std::vector<Column>& columns);
flatbuffers::DetachedBuffer batch_message(std::int64_t length,
                                          const std::vector<FieldNode>& nodes,
                                          const std::vector<Buffer>& buffers,
                                          std::int64_t body_length);
flatbuffers::DetachedBuffer footer(const std::vector<Column>& columns,
                                   const std::vector<Block>& batches);

}  // namespace bev::native::arrow
