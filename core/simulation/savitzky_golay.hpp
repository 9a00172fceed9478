#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace bev::simulation {

/// How values are smoothed: each is that of a polynomial, or of its derivative, that fits
/// the values around it.
struct Smoothing {
  std::size_t window = 5;  ///< values that are fitted, more than `degree`
  std::size_t degree = 2;  ///< at most kMaxDegree
  std::size_t derivative = 0;
  double interval = 1;  ///< between values

  static constexpr std::size_t kMaxDegree = 3;
};

/// Returns the smoothed values, or derivatives. Of even windows, the values within are
/// those half an interval later. The first and last are those of the polynomials of the
/// first and last windows.
///
/// Shapes     At least `window` values, and as many results.
/// Reference  scipy, signal.savgol_filter, with mode "interp"
std::vector<double> smoothed(std::span<const double> values, const Smoothing& how);

}  // namespace bev::simulation
