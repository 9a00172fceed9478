#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/base/sink.hpp"
#include "core/zarr/array_writer.hpp"

namespace bev::scene {

/// How a table of records is stored.
struct TableLayout {
  std::uint64_t chunk_rows = 1;
  zarr::Compressor compressor;
  /// Fields to write, in the order of the records.
  std::vector<zarr::Field> fields;
  /// One plain array per field, PATH/FIELD, instead of an array of records. The axes of
  /// a field follow the axis of rows; strings become UTF-8, zero-padded (NumPy's S).
  bool columnar = false;
  /// With `columnar`: one array per element of a field with axes, PATH/FIELD/0.
  bool split_vectors = false;
};

/// Returns the type of records with these fields and nothing else.
zarr::DType record_of(const std::vector<zarr::Field>& fields);

/// Writes records of any type, as one array or as one array per field.
///
/// Lifetime       The sink outlives the writer.
/// Throws         As zarr::ArrayWriter; invalid_argument without fields.
/// Thread safety  A writer belongs to one thread.
class TableWriter {
 public:
  /// Called after each written chunk of an array.
  using OnChunk =
      std::function<void(const zarr::ArrayWriter& array, const zarr::WrittenChunk&)>;

  /// @param record  the type of the records that are appended
  TableWriter(Sink& sink, const std::string& path, const zarr::DType& record,
              const TableLayout& layout, OnChunk on_chunk = {});

  std::uint64_t rows() const noexcept { return rows_; }

  /// Appends whole records.
  void append(std::span<const std::byte> records);

  /// Writes the last chunks and the metadata, and adds its documents to `documents` by
  /// key: text of .zarray, and of .zgroup if the table is columnar.
  void close(std::map<std::string, std::string>& documents);

 private:
  /// Bytes of a record that go to bytes of a row.
  struct Move {
    std::size_t from = 0;
    std::size_t to = 0;
    std::size_t size = 0;
    const zarr::DType* text = nullptr;  ///< type of a string that becomes UTF-8
  };
  /// An array and where its rows come from.
  struct Part {
    zarr::ArrayWriter array;
    std::vector<Move> moves;
    std::size_t row_bytes = 0;
  };

  zarr::ArrayMeta array_meta(const TableLayout& layout) const;
  void add_records(const TableLayout& layout);
  void add_column(const zarr::Field& field, const TableLayout& layout);
  std::vector<std::string> group_paths() const;
  void add(const std::string& path, zarr::ArrayMeta meta, std::vector<Move> moves);
  static void copy(std::span<const std::byte> records, std::size_t record_bytes,
                   const Part& part, std::vector<std::byte>& out);

  Sink& sink_;
  std::string path_;
  OnChunk on_chunk_;
  std::vector<zarr::Field> fields_;
  std::vector<zarr::Field> columns_;  ///< see store::stored_fields; empty for records
  std::size_t record_bytes_;
  std::uint64_t rows_ = 0;
  std::vector<Part> parts_;
  std::vector<std::byte> buffer_;
};

}  // namespace bev::scene
