#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace bev {

/// A number as Python's repr spells it: the fewest digits that read back as the same
/// value, "30.0", "1e-05", "inf", "nan".
std::string python_repr(double value);

/// A number in decimal, the whole of the text; nothing for any other text. "inf" and
/// "nan" are numbers, blanks and hexadecimals are not.
std::optional<double> parse_real(std::string_view text);

}  // namespace bev
