#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/json_view.hpp"

namespace bev::zarr {

/// Interpretation of an element's bytes.
enum class Kind {
  boolean,
  signed_int,
  unsigned_int,
  real,       ///< IEEE 754, 2, 4 or 8 bytes
  complex,    ///< two reals: real part, imaginary part
  bytes,      ///< NumPy's S: padded with zero bytes
  unicode,    ///< NumPy's U: UCS-4 code units, padded with zeros
  raw,        ///< NumPy's V: uninterpreted bytes
  datetime,   ///< NumPy's M8: i8 since 1970, in a unit
  timedelta,  ///< NumPy's m8: i8, in a unit
  record,     ///< named fields, contiguous
};

/// `none` is NumPy's '|': one byte, or bytes without an order.
enum class ByteOrder { little, big, none };

struct Field;

/// The type of an array element or of a record's field.
///
/// Shapes   `shape` is the subarray's shape, C order; empty for a scalar.
/// Units    Sizes and offsets are in bytes.
/// Example  ["centroid", "<f8", [2]] is {real, little, 8, {2}}, with size() 16.
struct DType {
  Kind kind = Kind::raw;
  ByteOrder order = ByteOrder::none;
  std::size_t item_size = 0;       ///< of one scalar or record, without the subarray
  std::vector<std::size_t> shape;  ///< of the subarray
  std::vector<Field> fields;       ///< of a record, by ascending offset
  std::string unit;  ///< of a datetime or timedelta: "ns", "25s"; "" generic

  /// Returns the bytes of the whole element: item_size times the product of `shape`.
  /// parse_dtype has checked that it does not overflow.
  std::size_t size() const noexcept;

  bool operator==(const DType&) const = default;
};

/// One named field of a record.
struct Field {
  std::string name;
  std::size_t offset = 0;  ///< from the start of the record
  DType type;

  bool operator==(const Field&) const = default;
};

/// Parses the `dtype` of a .zarray: a NumPy code or a list of fields.
///
/// @param where   what is being read, the prefix of messages: "agents/.zarray"
/// @throws Error  unsupported for objects and for NumPy sizes that are not supported
///                (f16); invalid_metadata for invalid types
/// Reference  Zarr v2 specification, "Data type encoding".
DType parse_dtype(JsonView dtype, std::string_view where);

/// Returns NumPy's code of the element without its subarray: "<f8", "|b1", "<U16",
/// "<M8[ns]"; for a record "|V116", with its size in bytes.
std::string to_string(const DType& type);

/// Returns the type as a .zarray spells it: the code or the list of fields.
nlohmann::json to_json(const DType& type);

}  // namespace bev::zarr
