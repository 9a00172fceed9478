#include "core/sample/bounded_fit.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "core/base/error.hpp"
#include "core/sample/normal_system.hpp"

namespace bev::sample {
namespace {

constexpr double kTolerance = 1e-8;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
using Values = std::vector<double>;

/// Factor by which a step can be stretched until a component reaches its bound.
struct Reach {
  double stretch = kInfinity;
  std::vector<bool> meets;  ///< components that reach it
};

/// A step in scaled variables, and the model's value there.
struct Candidate {
  Values step;
  double value = kInfinity;
};

class Fit {
 public:
  Fit(LeastSquares& problem, std::span<const double> lower,
      std::span<const double> upper, Values& x)
      : problem_(problem), lower_(lower), upper_(upper), x_(x), n_(lower.size()) {}

  void run();

 private:
  void derive();
  double coleman_li();
  void scale_model();
  bool advance();
  Values choose_step(Values step);
  Candidate reflected(const Values& to_bound, const Reach& reach) const;
  Candidate downhill() const;
  Reach reach_of(const Values& from, const Values& direction) const;
  Values unscaled(const Values& step) const;
  bool within(const Values& x) const;
  Values moved_inside(const Values& step) const;
  void resize_region(double reduction, double step_length);
  bool is_done(double reduction, double step_length) const;

  LeastSquares& problem_;
  std::span<const double> lower_;
  std::span<const double> upper_;
  Values& x_;
  std::size_t n_;

  double cost_ = 0;
  Values gradient_;
  Values normal_;
  Values distance_;  // distance to the bound that -gradient points to, or 1
  Values slope_;     // derivative of distance_ by x: -1, 0, 1
  Values d_;         // x per scaled variable
  NormalSystem model_;
  double theta_ = 0;  // fraction of the way to a bound that a step may take
  double radius_ = 1;
  double damping_ = 0;
  double predicted_ = 0;
  double ratio_ = 0;
  std::size_t calls_ = 1;
};

void Fit::run() {
  x_.assign(n_, 0);
  cost_ = problem_.cost(x_);
  if (!std::isfinite(cost_)) {
    fail(Errc::invalid_argument,
         {"fit: initial cost is not finite (found ", std::to_string(cost_), ")"});
  }
  derive();
  coleman_li();
  const auto most_calls = 100 * n_;
  for (;;) {
    const double steepness = coleman_li();
    if (steepness < kTolerance || calls_ >= most_calls) return;
    theta_ = std::max(0.995, 1 - steepness);
    scale_model();
    if (!advance() || calls_ >= most_calls) return;
    derive();
  }
}

void Fit::derive() {
  gradient_.resize(n_);
  normal_.resize(n_ * n_);
  problem_.derive(x_, gradient_, normal_);
}

// Returns the greatest component of the scaled gradient.
double Fit::coleman_li() {
  distance_.assign(n_, 1);
  slope_.assign(n_, 0);
  double greatest = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    if (gradient_[i] < 0) {
      distance_[i] = upper_[i] - x_[i];
      slope_[i] = -1;
    } else if (gradient_[i] > 0) {
      distance_[i] = x_[i] - lower_[i];
      slope_[i] = 1;
    }
    greatest = std::max(greatest, std::fabs(gradient_[i] * distance_[i]));
  }
  return greatest;
}

void Fit::scale_model() {
  d_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) d_[i] = std::sqrt(distance_[i]);
  model_.assign(normal_, gradient_);
  const auto hessian = model_.hessian();
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t j = 0; j < n_; ++j) hessian[i * n_ + j] *= d_[i] * d_[j];
    hessian[i * n_ + i] += gradient_[i] * slope_[i];
    model_.gradient()[i] *= d_[i];
  }
}

// Tries steps until one reduces the cost; returns false when the fit has converged or
// may take no more steps.
bool Fit::advance() {
  Values step;
  while (calls_ < 100 * n_) {
    if (!model_.minimise(radius_, damping_, step) || !std::isfinite(length(step))) {
      fail(Errc::invalid_argument, {"fit: no finite step"});
    }
    const auto chosen = choose_step(step);
    const auto move = unscaled(chosen);
    const auto next = moved_inside(move);
    const double cost = problem_.cost(next);
    ++calls_;
    const double step_length = length(chosen);
    if (!std::isfinite(cost)) {
      radius_ = 0.25 * step_length;
      continue;
    }
    const double reduction = cost_ - cost;
    const double before = radius_;
    resize_region(reduction, step_length);
    const bool done = is_done(reduction, length(move));
    if (!done) damping_ *= before / radius_;
    if (reduction > 0) {
      x_ = next;
      cost_ = cost;
    }
    if (done) return false;
    if (reduction > 0) return true;
  }
  return false;
}

void Fit::resize_region(double reduction, double step_length) {
  ratio_ = predicted_ > 0                      ? reduction / predicted_
           : predicted_ == 0 && reduction == 0 ? 1
                                               : 0;
  if (ratio_ < 0.25) {
    radius_ = 0.25 * step_length;
  } else if (ratio_ > 0.75 && step_length > 0.95 * radius_) {
    radius_ *= 2;
  }
}

bool Fit::is_done(double reduction, double step_length) const {
  const bool flat = reduction < kTolerance * cost_ && ratio_ > 0.25;
  return flat || step_length < kTolerance * (kTolerance + length(x_));
}

// Chooses the best of three steps within the bounds: the model's step, shortened before
// the bound it reaches; the same step, reflected there; and steepest descent.
Values Fit::choose_step(Values step) {
  const auto move = unscaled(step);
  Values target = x_;
  for (std::size_t i = 0; i < n_; ++i) target[i] += move[i];
  if (within(target)) {
    predicted_ = -model_.value(step);
    return step;
  }
  const auto reach = reach_of(x_, move);
  scale(step, reach.stretch);
  auto best = reflected(step, reach);
  scale(step, theta_);
  Candidate own{step, model_.value(step)};
  auto down = downhill();
  if (own.value < best.value && own.value < down.value) {
    best = std::move(own);
  } else if (!(best.value < own.value && best.value < down.value)) {
    best = std::move(down);
  }
  predicted_ = -best.value;
  return best.step;
}

// `to_bound` ends at the bound where it is reflected.
Candidate Fit::reflected(const Values& to_bound, const Reach& reach) const {
  Values direction = to_bound;
  scale(direction, 1 / reach.stretch);
  for (std::size_t i = 0; i < n_; ++i) {
    if (reach.meets[i]) direction[i] = -direction[i];
  }
  const auto move = unscaled(to_bound);
  Values corner = x_;
  for (std::size_t i = 0; i < n_; ++i) corner[i] += move[i];
  const double to_edge = to_radius(to_bound, direction, radius_);
  const double to_next = reach_of(corner, unscaled(direction)).stretch;
  const double most = std::min(to_next, to_edge);
  if (!(most > 0)) return {};
  const double low = (1 - theta_) * reach.stretch / most;
  const double high = most == to_next ? theta_ * to_next : to_edge;
  if (!(low <= high)) return {};
  const double a = 0.5 * model_.curvature(direction, direction);
  Candidate out{to_bound, model_.value(to_bound)};
  const double b = model_.curvature(to_bound, direction) + model_.value(direction) -
                   a;  // the gradient along the direction
  const auto least = parabola_minimum(a, b, low, high);
  for (std::size_t i = 0; i < n_; ++i) out.step[i] += least.at * direction[i];
  out.value += least.value;
  return out;
}

Candidate Fit::downhill() const {
  Candidate out;
  out.step.assign(model_.gradient().begin(), model_.gradient().end());
  scale(out.step, -1);
  const double a = 0.5 * model_.curvature(out.step, out.step);
  const double b = -dot(out.step, out.step);
  const double to_edge = radius_ / length(out.step);
  const double to_bound = reach_of(x_, unscaled(out.step)).stretch;
  const double most = to_bound < to_edge ? theta_ * to_bound : to_edge;
  const auto least = parabola_minimum(a, b, 0, most);
  scale(out.step, least.at);
  out.value = least.value;
  return out;
}

Reach Fit::reach_of(const Values& from, const Values& direction) const {
  Reach reach;
  Values stretch(n_, kInfinity);
  for (std::size_t i = 0; i < n_; ++i) {
    if (direction[i] == 0) continue;
    stretch[i] = std::max((lower_[i] - from[i]) / direction[i],
                          (upper_[i] - from[i]) / direction[i]);
    reach.stretch = std::min(reach.stretch, stretch[i]);
  }
  reach.meets.resize(n_);
  for (std::size_t i = 0; i < n_; ++i) {
    reach.meets[i] = stretch[i] == reach.stretch && direction[i] != 0;
  }
  return reach;
}

Values Fit::unscaled(const Values& step) const {
  Values out(n_);
  for (std::size_t i = 0; i < n_; ++i) out[i] = d_[i] * step[i];
  return out;
}

bool Fit::within(const Values& x) const {
  for (std::size_t i = 0; i < n_; ++i) {
    if (!(x[i] >= lower_[i] && x[i] <= upper_[i])) return false;
  }
  return true;
}

// Never moves onto a bound, where the scaling would be zero.
Values Fit::moved_inside(const Values& step) const {
  Values out = x_;
  for (std::size_t i = 0; i < n_; ++i) {
    out[i] += step[i];
    if (out[i] <= lower_[i]) out[i] = std::nextafter(lower_[i], upper_[i]);
    if (out[i] >= upper_[i]) out[i] = std::nextafter(upper_[i], lower_[i]);
  }
  return out;
}

}  // namespace

void fit_bounded(LeastSquares& problem, std::span<const double> lower,
                 std::span<const double> upper, std::vector<double>& x) {
  Fit(problem, lower, upper, x).run();
}

}  // namespace bev::sample
