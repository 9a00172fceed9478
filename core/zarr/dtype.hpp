#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// What the bytes of one element mean.
enum class Kind {
  boolean,
  signed_int,
  unsigned_int,
  real,       ///< IEEE 754, 2, 4 or 8 bytes
  complex,    ///< two reals: real part, imaginary part
  bytes,      ///< NumPy's S: padded with zero bytes
  unicode,    ///< NumPy's U: UCS-4 code units, padded with zeros
  raw,        ///< NumPy's V: bytes without a meaning
  datetime,   ///< NumPy's M8: i8 since 1970, in a unit
  timedelta,  ///< NumPy's m8: i8, in a unit
  record,     ///< named fields, packed one after the other
};

/// `none` is NumPy's '|': one byte, or bytes whose order means nothing.
enum class ByteOrder { little, big, none };

struct Field;

/// The type of one element of an array, or of one field of a record.
///
/// Shapes  `shape` is that of a subarray, C order; empty for a scalar.
/// Units   Sizes and offsets are bytes.
/// Example ["centroid", "<f8", [2]] is {real, little, 8, {2}}, of size() 16.
struct DType {
  Kind kind = Kind::raw;
  ByteOrder order = ByteOrder::none;
  std::size_t item_size = 0;       ///< of one scalar or record, subarray not counted
  std::vector<std::size_t> shape;  ///< of the subarray
  std::vector<Field> fields;       ///< of a record, by ascending offset
  std::string unit;  ///< of a datetime or timedelta: "ns", "25s", "" generic

  /// Bytes of the whole element: item_size times the product of `shape`, which
  /// parse_dtype has found to fit.
  std::size_t size() const noexcept;

  bool operator==(const DType&) const = default;
};

/// One named part of a record.
struct Field {
  std::string name;
  std::size_t offset = 0;  ///< from the start of the record
  DType type;

  bool operator==(const Field&) const = default;
};

/// The type that the `dtype` of a .zarray describes: a NumPy code, or a list of fields.
///
/// @param where   what is being read, the head of messages: "agents/.zarray"
/// @throws Error  unsupported for objects and for sizes NumPy knows and we do not
/// (f16);
///                invalid_metadata for everything that is not a type
///
/// Source: Zarr v2 specification, "Data type encoding".
DType parse_dtype(JsonView dtype, std::string_view where);

/// NumPy's code of the element without its subarray: "<f8", "|b1", "<U16", "<M8[ns]";
/// for a record "|V116", the bytes of it.
std::string to_string(const DType& type);

/// As it stands in a .zarray: the code, or the list of fields.
nlohmann::json to_json(const DType& type);

}  // namespace bev::zarr
