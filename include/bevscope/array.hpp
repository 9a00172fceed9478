#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrays.hpp"
#include "dataset.hpp"
#include "export.hpp"
#include "rows.hpp"

// Needs the CMake target bevscope::native (BEV_NATIVE), as native.hpp does.

namespace bev {

/// An array that is to be created.
struct ArraySpec {
  std::vector<std::uint64_t> shape;  ///< length of each axis
  std::string dtype;  ///< NumPy's code: "<f4"; fields of a record as JSON
  /// Length of a chunk along each axis; {}: one chunk, of at most 1 MiB by fewer rows
  std::vector<std::uint64_t> chunks = {};
  /// "none", "zlib", "gzip", "zstd", "lz4", "blosc:lz4", "blosc:lz4hc", "blosc:zstd",
  /// "blosc:zlib" or "blosc:blosclz"
  std::string codec = "blosc:lz4";
  std::optional<int> level = std::nullopt;  ///< of the codec; nullopt: its default
  std::string fill_value = "0";             ///< as JSON; "null": zeros
  char order = 'C';                         ///< of the elements in a chunk: 'C' or 'F'
  /// Version of the format: 2, or 3, which has no Fortran order, zlib and lz4
  int zarr_format = 2;
};

/// What create_array() does if there is an array.
enum class ExistingArray {
  refuse,   ///< throws invalid_argument
  keep,     ///< opens it as it is
  replace,  ///< removes it with its chunks
};

/// What an array's objects occupy.
struct ArrayUse {
  std::uint64_t chunks = 0;         ///< that the shape has
  std::uint64_t stored_chunks = 0;  ///< of these, in the store
  std::uint64_t stored_bytes = 0;   ///< of chunks and metadata
};

/// Values of some bytes of each selected element.
struct AssignedField {
  std::string name;                  ///< of a field; "": whole elements
  std::span<const std::byte> bytes;  ///< C order, in the array's byte order
};

/// A zarr array in a folder or in S3 that can be changed while others read and write it:
/// threads, processes and machines, each with an Array of its own.
///
/// Only chunks with changed elements are read and written, each by one rename (S3: one
/// conditional request). Writers of the same chunk take turns, so disjoint elements are
/// never lost; of the same elements one writer's are the last. A reader gets each chunk
/// from before or after a change, but several chunks do not change at once. If a writer
/// is killed, each chunk is the old or the new one. Codec, order and fill value stay.
///
/// Throws         bev::Error: not_found if there is no array, or no such field;
///                unsupported for archives, URLs, arrays with filters, and
///                services without conditional writes; out_of_range and
///                invalid_argument for elements outside the array and for values of
///                another size; corrupt_chunk for a damaged chunk of which a part would
///                be kept; io, network
/// Thread safety  Use an array from one thread at a time.
/// Reference      docs/arrays.md
class BEV_EXPORT Array {
 public:
  /// Opens an array.
  ///
  /// @param path   its path or address: "town.zarr/agents"; or that of its store
  /// @param array  its path in the store; "" if `path` names it
  explicit Array(const std::string& path, const std::string& array = {});
  ~Array();
  Array(Array&&) noexcept;             ///< leaves the other unusable
  Array& operator=(Array&&) noexcept;  ///< leaves the other unusable

  /// Returns path, shape, chunks and fields, as last read: others may have appended.
  const ArrayInfo& info() const noexcept;

  /// Returns the array's metadata as JSON: its .zarray, or zarr.json as one.
  std::string metadata() const;

  /// Reads the metadata again.
  const ArrayInfo& refresh();

  /// Returns elements: one array named "", of records as dtype "|Vn", in the stored byte
  /// order. Absent chunks read as the fill value. Whole chunks are read, and not cached.
  Arrays read(const Selection& selection = {}) const;

  /// Changes elements: fields of records, or whole elements.
  ///
  /// @param where  0 keeps an element; one value per selected element, or none. Not for
  ///               lists and masks of rows
  void assign(const Selection& selection, std::span<const AssignedField> fields,
              std::span<const std::uint8_t> where = {});

  /// Changes elements that are numbers.
  template <Element T>
  void assign(const Selection& selection, std::span<const T> values) {
    check_type(detail::dtype_of<T>());
    const AssignedField all{"", std::as_bytes(values)};
    assign(selection, std::span(&all, 1));
  }

  /// Appends whole rows along the first axis. They appear at once; in S3 they read as
  /// fill values until they are written.
  void append(std::span<const std::byte> rows);

  /// Changes the length of the axes. New elements have the fill value. S3 does not
  /// support smaller shapes.
  void resize(std::vector<std::uint64_t> shape);

  /// Lists the array's objects.
  ArrayUse use() const;

 private:
  void check_type(std::string_view found) const;

  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Creates an array and the groups around it, and opens it.
///
/// @param path, array  as of Array
/// Throws  invalid_argument for an array that exists and is refused, for a group there,
///         and for an invalid spec; unsupported within a group of the other
///         version, and for what version 3 lacks
BEV_EXPORT Array create_array(const std::string& path, const ArraySpec& spec,
                              ExistingArray existing = ExistingArray::refuse,
                              const std::string& array = {});

}  // namespace bev
