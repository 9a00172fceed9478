#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/save/config.hpp"
#include "core/save/manifest.hpp"

namespace bev::save {

/// An array of a batch: rows of one field, in C order.
///
/// A field of variable length takes two arrays, as readers give them: NAME has the
/// elements of all rows, one after the other, and NAME.offsets, of n + 1 integers, where
/// those of each row begin. Bytes, text and files are |u1. For a field that may be null,
/// NAME.valid, |b1, says which rows are not; without it, all.
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

/// A batch whose arrays all match the config, in the order of the config's attributes.
/// Intervals count in the values of the batch.
struct Batch {
  std::uint64_t rows = 0;
  std::vector<std::span<const std::byte>> columns;
  std::vector<std::uint64_t> lengths;  ///< of the columns, in rows
  /// Columns that are not the caller's bytes: intervals, and validities.
  std::deque<std::vector<std::byte>> owned;
};

/// Compares a batch with the config, before any of it is used.
///
/// Throws  invalid_argument for an attribute that is missing, unknown or given twice,
///         another dtype (byte order included) or item shape, different numbers of
///         rows, bytes that are not exactly those of the shape, offsets that do not
///         ascend from 0 to the number of elements, values of a null, text that is not
///         UTF-8, and images and files of another format
Batch checked_batch(const DataConfig& config, std::span<const BatchArray> arrays);

/// Adds `shift` to begin and end of intervals.
void shift_intervals(std::span<std::byte> intervals, std::uint64_t shift);

/// Counts a batch in its part, and shifts its intervals behind the values that the part
/// has.
void count_batch(const DataConfig& config, Batch& batch, Manifest& part);

}  // namespace bev::save
