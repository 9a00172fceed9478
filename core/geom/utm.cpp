#include "core/geom/utm.hpp"

#include <array>
#include <cmath>
#include <numbers>

#include "core/geom/exp_log.hpp"
#include "core/geom/trig.hpp"

namespace bev::geom {
namespace {

constexpr double kRadiusM = 6378137;
constexpr double kFlattening = 1 / 298.257223563;
constexpr double kScale = 0.9996;
constexpr double kFalseEastingM = 500'000, kFalseNorthingM = 10'000'000;
constexpr double kRad = std::numbers::pi / 180;

constexpr double kN = kFlattening / (2 - kFlattening);
constexpr double kN2 = kN * kN, kN3 = kN2 * kN, kN4 = kN3 * kN, kN5 = kN4 * kN,
                 kN6 = kN5 * kN;

/// Radius of the sphere on which meridians are as long as on the ellipsoid.
constexpr double kRectifyingM =
    kRadiusM / (1 + kN) * (1 + kN2 / 4 + kN4 / 64 + kN6 / 256);

constexpr std::array kAlpha = {
    kN / 2 - 2 * kN2 / 3 + 5 * kN3 / 16 + 41 * kN4 / 180 - 127 * kN5 / 288 +
        7891 * kN6 / 37800,
    13 * kN2 / 48 - 3 * kN3 / 5 + 557 * kN4 / 1440 + 281 * kN5 / 630 -
        1983433 * kN6 / 1935360,
    61 * kN3 / 240 - 103 * kN4 / 140 + 15061 * kN5 / 26880 + 167603 * kN6 / 181440,
    49561 * kN4 / 161280 - 179 * kN5 / 168 + 6601661 * kN6 / 7257600,
    34729 * kN5 / 80640 - 3418889 * kN6 / 1995840,
    212378941 * kN6 / 319334400};

double sinh_of(double x) noexcept {
  return (exp(x) - exp(-x)) / 2;
}

double cosh_of(double x) noexcept {
  return (exp(x) + exp(-x)) / 2;
}

double asinh_of(double x) noexcept {
  const double size = log(std::abs(x) + std::sqrt(x * x + 1));
  return x < 0 ? -size : size;
}

}  // namespace

std::optional<UtmZone> utm_zone_of(double latitude_deg, double longitude_deg) noexcept {
  const bool is_inside = latitude_deg >= -80 && latitude_deg < 84 &&
                         longitude_deg >= -180 && longitude_deg <= 180;
  if (!is_inside) return std::nullopt;
  const int degree =
      longitude_deg == 180 ? -180 : static_cast<int>(std::floor(longitude_deg));
  UtmZone zone{(degree + 186) / 6, latitude_deg < 0};
  const bool is_norway = latitude_deg >= 56 && latitude_deg < 64;
  if (is_norway && zone.number == 31 && degree >= 3) zone.number = 32;
  const bool is_svalbard = latitude_deg >= 72 && degree >= 0 && degree < 42;
  if (is_svalbard) zone.number = 2 * ((degree + 183) / 12) + 1;
  return zone;
}

Vec2 utm_from_geodetic(double latitude_deg, double longitude_deg,
                       const UtmZone& zone) noexcept {
  const double middle_deg = zone.number * 6 - 183;
  const auto lat = sincos(latitude_deg * kRad);
  const auto lon = sincos((longitude_deg - middle_deg) * kRad);
  const double e = std::sqrt(kFlattening * (2 - kFlattening));
  // Tangent of the conformal latitude.
  const double tau = lat.sin / lat.cos;
  const double es = e * lat.sin;
  const double sigma = sinh_of(e * log((1 + es) / (1 - es)) / 2);
  const double t =
      tau * std::sqrt(1 + sigma * sigma) - sigma * std::sqrt(1 + tau * tau);
  const double xi0 = atan2(t, lon.cos);
  const double eta0 = asinh_of(lon.sin / std::sqrt(t * t + lon.cos * lon.cos));
  double xi = xi0, eta = eta0;
  for (std::size_t j = 0; j < kAlpha.size(); ++j) {
    const double k = 2 * static_cast<double>(j + 1);
    const auto angle = sincos(k * xi0);
    xi += kAlpha[j] * angle.sin * cosh_of(k * eta0);
    eta += kAlpha[j] * angle.cos * sinh_of(k * eta0);
  }
  return {kFalseEastingM + kScale * kRectifyingM * eta,
          (zone.is_south ? kFalseNorthingM : 0) + kScale * kRectifyingM * xi};
}

}  // namespace bev::geom
