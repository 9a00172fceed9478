#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/config.hpp"

namespace bev::save {

/// An array of a batch: rows of one attribute, in C order.
///
/// Lifetime  The bytes are the caller's.
struct BatchArray {
  std::string name;
  std::string dtype;                 ///< NumPy's code, or the list of fields as JSON
  std::vector<std::uint64_t> shape;  ///< with the rows first
  std::span<const std::byte> bytes;
};

/// Returns an array of a batch whose shape is not known: that of the attribute, with as
/// many rows as the bytes have.
///
/// @param dtype  of the elements; "": the attribute's
BatchArray array_of(const DataConfig& config, std::string name, std::string dtype,
                    std::span<const std::byte> bytes);

/// A batch whose arrays all match the config, in the config's order.
struct Batch {
  std::uint64_t rows = 0;
  std::vector<std::span<const std::byte>> columns;
};

/// Compares a batch with the config, before any of it is used.
///
/// Throws  invalid_argument for an attribute that is missing, unknown or given twice,
///         another dtype (byte order included) or item shape, different numbers of
///         rows, and bytes that are not exactly those of the shape
Batch checked_batch(const DataConfig& config, std::span<const BatchArray> arrays);

}  // namespace bev::save
