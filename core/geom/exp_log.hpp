#pragma once

namespace bev::geom {

/// Exponential and natural logarithm: the same bits natively and in WebAssembly, under
/// every compiler, within an ulp of the true value.
///
/// Errors  None: exp of what is too large is infinity, of what is too small 0; log(0)
/// is
///         minus infinity, log of a negative number NaN.
double exp(double x) noexcept;
double log(double x) noexcept;

}  // namespace bev::geom
