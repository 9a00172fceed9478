#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bev::native {

/// Formats a time, counted from 1970 in NumPy's `unit` ("ns", "25s", "D"), as ISO 8601
/// with the unit's precision: "2020-01-31T12:00:00.123" for milliseconds, "2020-01" for
/// months. Returns nullopt for the generic unit "", an unknown unit, and years outside
/// 0 to 9999.
///
/// Reference  NumPy's documentation, "Datetimes and Timedeltas".
std::optional<std::string> date_text(std::int64_t count, std::string_view unit);

}  // namespace bev::native
