#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"
#include "core/zarr/field_kind.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {

using zarr::FieldKind;

/// One array of a data set: a row per item, or elements of values, all of the same type
/// and shape.
struct Attribute {
  std::string name;                  ///< of the zarr array: "image"
  zarr::DType dtype;                 ///< of an element, without a subarray
  std::vector<std::uint64_t> shape;  ///< of an item: {28, 28}; {} for a scalar
  /// Of intervals: the position of the array of values, which follows.
  std::optional<std::size_t> values = std::nullopt;
  /// Whether it has the values of a field of variable length, in any number of rows.
  bool is_values = false;
  bool is_raw = false;  ///< stored without a compressor

  /// Returns the bytes of an item. DataConfig has checked that they do not overflow.
  std::size_t row_bytes() const noexcept;

  /// Returns NumPy's code of the dtype; a record's fields as JSON.
  std::string dtype_text() const;

  bool operator==(const Attribute&) const = default;
};

/// One field of the items, as the caller has it. It is stored as one array, or as
/// several.
struct Field {
  std::string name;
  FieldKind kind = FieldKind::fixed;
  /// Of the elements of arrays; of npy that of all rows, nullopt if it varies.
  std::optional<zarr::DType> dtype = std::nullopt;
  std::optional<zarr::FieldShape> shape = std::nullopt;  ///< of an item
  bool nullable = false;
  std::string content_type = {};
  // Positions of the arrays that it is stored in.
  std::size_t array = 0;  ///< of the items, or of their intervals
  std::optional<std::size_t> values = std::nullopt;
  std::optional<std::size_t> valid = std::nullopt;

  bool is_ragged() const noexcept { return kind != FieldKind::fixed; }

  bool operator==(const Field&) const = default;
};

/// Parses a member of the config's "attributes".
///
/// Throws  invalid_argument
Field read_field(const nlohmann::json& given);

/// Returns a field as a member of the config's "attributes".
nlohmann::json field_json(const Field& field);

/// Appends the arrays that a field is stored in, and sets their positions in the field.
void add_arrays(Field& field, std::vector<Attribute>& arrays);

/// Returns the attribute of the root group that describes the fields as the table
/// kTable; see zarr::kFieldsAttribute.
nlohmann::json fields_attribute(const std::vector<Field>& fields,
                                const std::vector<Attribute>& arrays);

/// Name of the table that a saved data set is read as.
inline constexpr std::string_view kTable = "rows";

/// Throws invalid_argument for a member that is not in the list, which may be a misspelt
/// one.
void check_members(const nlohmann::json& object,
                   std::initializer_list<std::string_view> known);

/// Throws invalid_argument for an invalid value of a config.
[[noreturn]] void refuse(std::string_view name, zarr::JsonView found,
                         std::string_view expected);

/// Returns a string member of 1 to 200 bytes.
std::string text_member(const nlohmann::json& object, std::string_view name);

/// Whether a name can be one segment of a key, on every file system.
bool is_key_name(std::string_view name) noexcept;

}  // namespace bev::save
