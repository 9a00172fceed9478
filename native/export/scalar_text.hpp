#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/zarr/dtype.hpp"

namespace bev::native {

/// How a value is represented in JSON.
enum class Spelling {
  number,  ///< a number, true or false: unquoted
  text,    ///< anything else: quoted
};

struct ScalarText {
  std::string text;
  Spelling spelling;
};

/// Formats one scalar (ignoring its type's subarray):
///
/// bool       true, false
/// integers   all digits
/// reals      the fewest digits that read back as the same value; NaN, Infinity,
///            -Infinity are text
/// S, U       as UTF-8, without the padding zeros
/// V          two hexadecimal digits per byte
/// M8         2020-01-31T12:00:00.123, with the unit's precision; NaT; the count if the
///            unit is generic or the year is outside 0 to 9999
/// m8         the count; NaT is text
///
/// A complex number is not a scalar; its two reals are formatted separately.
ScalarText scalar_text(const zarr::DType& type, const std::byte* at);

/// Formats a time, counted from 1970 in NumPy's `unit` ("ns", "25s", "D"), as ISO 8601
/// with the unit's precision: "2020-01-31T12:00:00.123" for milliseconds, "2020-01" for
/// months. Returns nullopt for the generic unit "", an unknown unit, and years outside
/// 0 to 9999.
///
/// Reference  NumPy's documentation, "Datetimes and Timedeltas".
std::optional<std::string> date_text(std::int64_t count, std::string_view unit);

}  // namespace bev::native
