#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/save/batch.hpp"

namespace bev::save {

/// Arrays of a batch that belong to one field; null where there is none.
struct FieldArrays {
  const BatchArray* values = nullptr;  ///< of fixed shape, the rows themselves
  const BatchArray* offsets = nullptr;
  const BatchArray* valid = nullptr;
};

/// Returns where the elements of each row begin, and where the last ones end, as
/// `offsets` says.
///
/// @param count  elements of all rows
/// Throws  invalid_argument for another dtype or shape, and for offsets that do not
///         ascend from 0 to `count`
std::vector<std::uint64_t> offsets_from(const BatchArray& offsets, std::uint64_t count);

/// Checks the rows of a field: that a null has no values, that text is UTF-8, and that
/// images and files of NumPy's are of the format that the field says.
///
/// @param begins  see offsets_from()
/// @param valid   one byte per row; empty: no row is null
/// Throws         invalid_argument
void check_rows(const Field& field, std::span<const std::byte> values,
                std::span<const std::uint64_t> begins,
                std::span<const std::byte> valid);

/// Checks that bytes are a file in NumPy's format .npy of the field's dtype and shape.
///
/// Throws  invalid_argument
void check_npy(const Field& field, std::span<const std::byte> bytes);

}  // namespace bev::save
