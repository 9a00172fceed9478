#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace bev::native {

/// A moment, counted from 1970 in NumPy's `unit` ("ns", "25s", "D"), as ISO 8601 and as
/// far as the unit goes: "2020-01-31T12:00:00.123" of milliseconds, "2020-01" of
/// months. nullopt for the generic unit "", for one that is not NumPy's, and outside of
/// the years 0 to 9999.
///
/// Source: NumPy's documentation, "Datetimes and Timedeltas".
std::optional<std::string> date_text(std::int64_t count, std::string_view unit);

}  // namespace bev::native
