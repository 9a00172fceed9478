#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bev {

/// Formats a number as Python's repr does, with the fewest digits that parse to the
/// same value: "30.0", "1e-05", "inf", "nan".
std::string python_repr(double value);

/// Parses a decimal number that spans the whole text; nullopt for anything else.
/// Accepts "inf" and "nan", rejects leading blanks and hexadecimal numbers.
std::optional<double> parse_real(std::string_view text);

}  // namespace bev
