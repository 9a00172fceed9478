#pragma once

namespace bev::geom {

/// Exponential and natural logarithm: the same bits natively and in WebAssembly, with
/// every compiler, within one ulp of the true value.
///
/// C libraries differ in the last bit, and openlibm or CORE-MATH would be a dependency
/// for two functions.
///
/// Throws  Nothing: exp overflows to infinity and underflows to 0; log(0) is minus
///         infinity, log of a negative number NaN.
double exp(double x) noexcept;
double log(double x) noexcept;

}  // namespace bev::geom
