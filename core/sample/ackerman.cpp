#include "core/sample/ackerman.hpp"

#include <cmath>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/sample/bounded_fit.hpp"

namespace bev::sample {
namespace {

constexpr double kControlWeight = 5;
constexpr std::size_t kMaxSteps = 1000;  // the model is a matrix of (2 n)^2

/// The sum of squares over the controls: n steerings, then n accelerations.
class DriveCost final : public LeastSquares {
 public:
  DriveCost(const CarState& start, const std::vector<CarState>& wanted)
      : start_(start), wanted_(wanted), n_(wanted.size()) {}

  /// Returns the states that result from the controls.
  const std::vector<CarState>& drive(std::span<const double> controls);

  double cost(std::span<const double> controls) override;
  void derive(std::span<const double> controls, std::span<double> gradient,
              std::span<double> normal) override;

 private:
  void fill_rows();

  CarState start_;
  const std::vector<CarState>& wanted_;
  std::size_t n_;
  std::vector<CarState> states_;
  std::vector<geom::SinCos> headings_;
  std::vector<double> errors_;  // x, y and yaw of every step
  std::vector<double> rows_;    // d errors / d controls: 3 n rows of 2 n
};

const std::vector<CarState>& DriveCost::drive(std::span<const double> controls) {
  states_.resize(n_);
  headings_.resize(n_);
  CarState now{0, 0, 0, 0};  // accumulated changes relative to start
  for (std::size_t i = 0; i < n_; ++i) {
    now.yaw += controls[i];
    now.speed += controls[n_ + i];
    auto& state = states_[i];
    state.yaw = start_.yaw + now.yaw;
    state.speed = start_.speed + now.speed;
    headings_[i] = geom::sincos(state.yaw);
    now.x += headings_[i].cos * state.speed;
    now.y += headings_[i].sin * state.speed;
    state.x = start_.x + now.x;
    state.y = start_.y + now.y;
  }
  return states_;
}

double DriveCost::cost(std::span<const double> controls) {
  drive(controls);
  errors_.resize(3 * n_);
  double sum = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    errors_[3 * i] = states_[i].x - wanted_[i].x;
    errors_[3 * i + 1] = states_[i].y - wanted_[i].y;
    errors_[3 * i + 2] = geom::angular_distance(states_[i].yaw, wanted_[i].yaw);
  }
  for (const double error : errors_) sum += error * error;
  for (const double control : controls) {
    const double error = kControlWeight * control;
    sum += error * error;
  }
  return 0.5 * sum;
}

void DriveCost::fill_rows() {
  const auto width = 2 * n_;
  rows_.assign(3 * n_ * width, 0);
  for (std::size_t step = 0; step < n_; ++step) {  // a control changes ...
    double x_by_yaw = 0;
    double y_by_yaw = 0;
    double x_by_speed = 0;
    double y_by_speed = 0;
    for (std::size_t i = step; i < n_; ++i) {  // ... its own and all later states
      x_by_yaw -= headings_[i].sin * states_[i].speed;
      y_by_yaw += headings_[i].cos * states_[i].speed;
      x_by_speed += headings_[i].cos;
      y_by_speed += headings_[i].sin;
      auto* const row = &rows_[3 * i * width];
      row[step] = x_by_yaw;
      row[n_ + step] = x_by_speed;
      row[width + step] = y_by_yaw;
      row[width + n_ + step] = y_by_speed;
      row[2 * width + step] = 1;
    }
  }
}

void DriveCost::derive(std::span<const double> controls, std::span<double> gradient,
                       std::span<double> normal) {
  cost(controls);
  fill_rows();
  const auto width = 2 * n_;
  constexpr double kSquare = kControlWeight * kControlWeight;
  for (std::size_t i = 0; i < width; ++i) gradient[i] = kSquare * controls[i];
  std::fill(normal.begin(), normal.end(), 0.0);
  for (std::size_t i = 0; i < width; ++i) normal[i * width + i] = kSquare;
  for (std::size_t r = 0; r < 3 * n_; ++r) {
    const auto* const row = &rows_[r * width];
    for (std::size_t i = 0; i < width; ++i) {
      if (row[i] == 0) continue;  // half of them: a control acts forward
      gradient[i] += row[i] * errors_[r];
      auto* const out = &normal[i * width];
      for (std::size_t j = 0; j < width; ++j) out[j] += row[i] * row[j];
    }
  }
}

}  // namespace

std::vector<CarState> fit_drive(const CarState& start,
                                const std::vector<CarState>& wanted,
                                const CarLimits& limits) {
  const auto n = wanted.size();
  if (n > kMaxSteps) {
    fail(Errc::limit_exceeded,
         {"drive: too many steps (found ", n, ", expected at most ", kMaxSteps, ")"});
  }
  std::vector<double> upper(2 * n, limits.acceleration);
  std::fill(upper.begin(), upper.begin() + static_cast<std::ptrdiff_t>(n),
            limits.steer);
  std::vector<double> lower(upper);
  for (auto& bound : lower) bound = -bound;
  DriveCost cost(start, wanted);
  std::vector<double> controls;
  fit_bounded(cost, lower, upper, controls);
  return cost.drive(controls);
}

}  // namespace bev::sample
