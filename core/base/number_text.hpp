#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace bev {

/// A number as Python's repr spells it: the fewest digits that read back as the same
/// value, "30.0", "1e-05", "inf", "nan".
std::string python_repr(double value);

/// A number with so many digits after the point, as printf's %.2f: of two that are
/// equally near the even one.
std::string with_places(double value, std::size_t places);

/// A number in decimal, the whole of the text; nothing for any other text. "inf" and
/// "nan" are numbers, blanks and hexadecimals are not.
std::optional<double> parse_real(std::string_view text);

}  // namespace bev
