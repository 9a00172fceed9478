#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/assignment.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::save {

/// Values for elements of an array, by field, as hosts pass them.
///
/// Throws  not_found for an unknown field; invalid_argument for values of another type
class ArrayValues {
 public:
  /// What values are for.
  struct Place {
    const zarr::DType& type;   ///< of the array
    const std::string& field;  ///< "": whole elements
    const std::string& name;   ///< of the array, for messages
  };

  /// Adds values in C order.
  ///
  /// @param dtype  of the numbers, little-endian; "": they are as stored
  void add(const Place& place, const std::string& dtype,
           std::span<const std::byte> bytes);

  /// Adds one value for all elements: a fill value as JSON.
  void add_one(const Place& place, const std::string& value);

  void clear() { values_.clear(); }

  /// Returns the assignment of all values.
  ///
  /// @param type  of the array now
  /// Lifetime  The values and `where` outlive it.
  /// Throws    changed if the array had another type when the values were added
  zarr::Assignment assignment(const zarr::DType& type, const std::string& name,
                              zarr::Target target, std::span<const std::uint8_t> where);

  /// Returns whole elements, of the values of all fields.
  ///
  /// Throws  as assignment(); invalid_argument unless each field has values of equally
  ///         many elements
  std::vector<std::byte> rows(const zarr::DType& type, const std::string& name) const;

 private:
  struct Values {
    zarr::ElementPart part;
    std::vector<std::byte> bytes;
    bool is_one;  // for all elements

    std::size_t count() const { return part.size > 0 ? bytes.size() / part.size : 0; }
  };

  void check_type(const zarr::DType& type, const std::string& name) const;

  std::vector<Values> values_;
  zarr::DType type_;  // of the array when values were added
};

/// Elements by field, with little-endian numbers.
class ArrayColumns {
 public:
  struct Column {
    std::string name;                ///< "pose.x"; "" if elements are no records
    std::string dtype;               ///< NumPy's code
    std::vector<std::size_t> shape;  ///< of a value
    std::vector<std::byte> bytes;
  };

  /// @param field     "": all
  /// @param elements  as stored
  ArrayColumns(const zarr::DType& type, const std::string& field,
               std::vector<std::byte> elements);

  const std::vector<Column>& columns() const noexcept { return columns_; }

 private:
  std::vector<Column> columns_;
};

}  // namespace bev::save
