#include "core/simulation/savitzky_golay.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace bev::simulation {
namespace {

constexpr std::size_t kTerms = Smoothing::kMaxDegree + 1;
using Terms = std::array<double, kTerms>;

/// Fits polynomials to windows of a length. Positions are from -1 to 1, in which the
/// normal equations are well conditioned.
class Fit {
 public:
  explicit Fit(const Smoothing& how) : how_(how), terms_(how.degree + 1) {}

  double value(std::span<const double> window, double at) const {
    const auto factors = solved(window);
    double out = 0, unit = 1;
    for (std::size_t k = terms_; k-- > how_.derivative;) {  // by Horner's rule
      double factor = factors[k];
      for (std::size_t d = 0; d < how_.derivative; ++d) {
        factor *= static_cast<double>(k - d);
      }
      out = out * scaled(at) + factor;
    }
    for (std::size_t d = 0; d < how_.derivative; ++d) unit *= half() * how_.interval;
    return out / unit;
  }

 private:
  double half() const { return static_cast<double>(how_.window - 1) / 2; }
  double scaled(double at) const { return at / half() - 1; }

  Terms solved(std::span<const double> window) const {
    std::array<Terms, kTerms> matrix{};
    Terms right{};
    for (std::size_t i = 0; i < window.size(); ++i) {
      Terms powers{1};
      for (std::size_t k = 1; k < terms_; ++k) {
        powers[k] = powers[k - 1] * scaled(static_cast<double>(i));
      }
      for (std::size_t a = 0; a < terms_; ++a) {
        right[a] += powers[a] * window[i];
        for (std::size_t b = 0; b < terms_; ++b) matrix[a][b] += powers[a] * powers[b];
      }
    }
    return eliminated(matrix, right);
  }

  Terms eliminated(std::array<Terms, kTerms>& matrix, Terms& right) const {
    // The matrix is positive definite: no pivot is 0.
    for (std::size_t a = 0; a < terms_; ++a) {
      for (std::size_t b = a + 1; b < terms_; ++b) {
        const double share = matrix[b][a] / matrix[a][a];
        for (std::size_t k = a; k < terms_; ++k) matrix[b][k] -= share * matrix[a][k];
        right[b] -= share * right[a];
      }
    }
    Terms out{};
    for (std::size_t a = terms_; a-- > 0;) {
      double rest = right[a];
      for (std::size_t k = a + 1; k < terms_; ++k) rest -= matrix[a][k] * out[k];
      out[a] = rest / matrix[a][a];
    }
    return out;
  }

  const Smoothing& how_;
  std::size_t terms_;
};

}  // namespace

std::vector<double> smoothed(std::span<const double> values, const Smoothing& how) {
  const Fit fit(how);
  const auto count = values.size(), window = how.window, half = window / 2;
  const auto last = count - window;  // begin of the last window
  const double middle = static_cast<double>(window - 1) / 2;
  std::vector<double> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    std::size_t begin = i + (window + 1) % 2 - std::min(i, half);
    double at = middle;
    if (i < half) {
      begin = 0;
      at = static_cast<double>(i);
    } else if (i >= count - half) {
      begin = last;
      at = static_cast<double>(i - last);
    }
    out.push_back(fit.value(values.subspan(begin, window), at));
  }
  return out;
}

}  // namespace bev::simulation
