#pragma once

#include <cstddef>
#include <string>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// What JSON would have to make of a value.
enum class Spelling {
  number,  ///< a number or true, false: stands as it is
  text,    ///< anything else: belongs between quotes
};

struct ScalarText {
  std::string text;
  Spelling spelling;
};

/// One scalar as text (its type's subarray is not looked at):
///
/// bool       true, false
/// integers   all digits
/// reals      the fewest digits that read back as the same value; NaN, Infinity,
///            -Infinity are text
/// S, U       as UTF-8, without the zeros that pad
/// V          two hexadecimal digits a byte
/// M8         2020-01-31T12:00:00.123, as far as the unit goes; NaT; the count where
/// the
///            unit is generic or the date beyond the year 9999
/// m8         the count; NaT is text
///
/// A complex number is not one scalar: it is read as its two reals.
ScalarText scalar_text(const zarr::DType& type, const std::byte* at);

}  // namespace bev::native
