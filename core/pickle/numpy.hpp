#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/pickle/value.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::pickle {

/// What arrays, scalars and dtypes of NumPy 1 and 2 name, for a Policy.
std::span<const std::string_view> numpy_globals() noexcept;

/// An array of NumPy, or a scalar, which has no axes.
///
/// Shapes    Element (i, j) begins at byte i * strides[0] + j * strides[1] of the data, which
///           has no gaps; the axes are in the order of C, Fortran, or any other.
/// Lifetime  The bytes are a view of the pickle.
struct Array {
  zarr::DType dtype;
  std::vector<std::size_t> shape;
  std::vector<std::size_t> strides;
  std::span<const std::byte> data;
};

/// Reads the arrays of a pickle, most of which have the same few types: each is read once.
///
/// Lifetime  The pickle outlives it.
class Arrays {
 public:
  /// @param where  what is being read, the prefix of messages
  explicit Arrays(std::string_view where) : where_(where) {}

  /// Returns what array_of() returns; throws as that.
  std::optional<Array> read(Value value);

 private:
  enum class Function { none, reconstruct, from_buffer, scalar };
  struct Named {
    Value callee;
    Function function = Function::none;
  };
  struct Typed {
    Value value;
    zarr::DType type;
  };

  Function function_of(Value callee);
  const zarr::DType& type_of(Value value);
  Array reconstructed(Value value);
  Array from_buffer(Value given);

  std::string where_;
  Named latest_{};
  std::vector<Typed> types_{};  // the latest ones
};

/// Returns the array or scalar of NumPy that a value is; nullopt if it is none.
///
/// @param where   what is being read, the prefix of messages
/// @throws Error  unsupported for arrays of objects, subclasses and dtypes that
///                parse_dtype refuses, and for records with gaps; invalid_metadata if bytes
///                are not those of shape and dtype
std::optional<Array> array_of(Value value, std::string_view where);

/// Returns the dtype that a value is.
///
/// @throws Error  as array_of; invalid_metadata if it is none
zarr::DType dtype_of(Value value, std::string_view where);

}  // namespace bev::pickle
