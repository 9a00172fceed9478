#include "core/model/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/number_text.hpp"
#include "core/geom/affine.hpp"
#include "core/geom/exp_log.hpp"
#include "core/geom/trig.hpp"

namespace bev::model {
namespace {

using geom::Vec2;

/// Of positions relative to the subject, and of those in the world. Metres.
constexpr double kMaxDistance = 1e6;
constexpr double kMaxCoordinate = 1e9;
constexpr double kMaxYaw = 1e6;
constexpr double kSumError = 1e-3;
/// Between frames, in seconds.
constexpr double kFrameTime = 0.1;
/// Motion in a frame below which its direction is noise: 0.5 m/s. Metres.
constexpr double kMinMotion = 0.05;

std::string shape_of(const Values& values) {
  Axes axes;
  for (const auto length : values.shape) axes.push_back({length});
  return text_of(axes);
}

[[noreturn]] void refuse_shape(const Contract& contract, std::string_view output,
                               const Values& found, std::string_view expected) {
  fail(Errc::invalid_argument,
       {contract.name, ": ", output, ": unexpected shape (found ", shape_of(found),
        " of ", found.data.size(), " values, expected ", expected, ")"});
}

/// Returns whether the values fill the shape.
bool is_full(const Values& values) noexcept {
  std::uint64_t size = 1;
  for (const auto length : values.shape) {
    const auto product = checked_mul<std::uint64_t>(size, length);
    if (!product) return false;
    size = *product;
  }
  return size == values.data.size();
}

/// Sizes of the positions.
struct Layout {
  std::uint32_t batch = 0, modes = 1, steps = 0, width = 2;

  std::size_t paths() const noexcept { return std::size_t{batch} * modes; }
  std::size_t size() const noexcept { return paths() * steps; }
};

Layout layout_of(const Contract& contract, const Values& positions,
                 std::size_t subjects) {
  constexpr std::string_view kExpected =
      "(B, T, 2 or 3), (B, K, T, 2 or 3) or (B, 2 T)";
  const auto& shape = positions.shape;
  const auto& name = contract.positions.name;
  if (shape.size() < 2 || shape.size() > 4 || !is_full(positions))
    refuse_shape(contract, name, positions, kExpected);
  Layout out;
  out.batch = shape[0];
  if (shape.size() == 2) {
    out.steps = shape[1] / 2;
    if (shape[1] % 2 != 0) refuse_shape(contract, name, positions, kExpected);
  } else {
    out.modes = shape.size() == 4 ? shape[1] : 1;
    out.steps = shape[shape.size() - 2];
    out.width = shape.back();
  }
  const bool has_size = out.modes > 0 && out.steps > 0;
  if (!has_size || (out.width != 2 && out.width != 3))
    refuse_shape(contract, name, positions, kExpected);
  if (out.batch != subjects) {
    fail(Errc::invalid_argument,
         {contract.name, ": ", name, ": size of the batch (found ", out.batch,
          ", expected ", subjects, ")"});
  }
  if (positions.data.size() / out.width > Predicted::kMaxPositions) {
    fail(Errc::limit_exceeded, {contract.name, ": ", name, ": too many (found ",
                                positions.data.size() / out.width,
                                ", expected at most ", Predicted::kMaxPositions, ")"});
  }
  return out;
}

/// Refuses values that are not finite, or too large; `limit` in words.
void check_values(const Contract& contract, std::string_view output,
                  std::span<const double> values, std::size_t batch, double greatest,
                  std::string_view limit) {
  if (batch == 0) return;
  const std::size_t each = values.size() / batch;
  std::size_t infinite = 0;
  std::size_t large = 0;
  for (std::size_t b = 0; b < batch; ++b) {
    const auto of = values.subspan(b * each, each);
    const auto is_infinite = [](double value) { return !std::isfinite(value); };
    const auto is_large = [&](double value) { return std::fabs(value) > greatest; };
    if (std::any_of(of.begin(), of.end(), is_infinite))
      ++infinite;
    else if (std::any_of(of.begin(), of.end(), is_large))
      ++large;
  }
  if (infinite > 0) {
    fail(Errc::invalid_argument, {contract.name, ": ", output, ": not finite in ",
                                  infinite, " of ", batch, " samples"});
  }
  if (large == 0) return;
  fail(Errc::invalid_argument,
       {contract.name, ": ", output, ": too large in ", large, " of ", batch,
        " samples (expected at most ", limit, ")"});
}

/// Converts positions of one subject.
class Subject {
 public:
  Subject(const Contract& contract, const Poses& poses, std::size_t index)
      : frame_(contract.settings.frame), units_(contract.settings.units) {
    const auto m = poses.world_from_agent.subspan(index * 9, 9);
    world_from_agent_ = {m[0], m[1], m[2], m[3], m[4], m[5]};
    centroid_ = {poses.centroids[index * 2], poses.centroids[index * 2 + 1]};
    yaw_ = poses.yaws[index];
  }

  Vec2 in_world(double x, double y) const noexcept {
    const Vec2 at{x * units_, y * units_};
    if (frame_ == Frame::subject) return world_from_agent_ * at;
    if (frame_ == Frame::world) return at;
    return {at.x + centroid_.x, at.y + centroid_.y};
  }

  double yaw_in_world(double yaw) const noexcept {
    return frame_ == Frame::subject ? yaw + yaw_ : yaw;
  }

  /// As in_world, in the subject's frame.
  Vec2 relative(double x, double y) const {
    if (frame_ == Frame::subject) return {x * units_, y * units_};
    return inverse(world_from_agent_) * in_world(x, y);
  }

  double relative_yaw(double yaw) const noexcept {
    return frame_ == Frame::subject ? yaw : yaw - yaw_;
  }

 private:
  Frame frame_;
  double units_;
  geom::Affine2 world_from_agent_;
  Vec2 centroid_;
  double yaw_;
};

void put_positions(const Contract& contract, const Outputs& outputs, const Poses& poses,
                   const Layout& layout, Predicted& out) {
  const auto& values = outputs.positions.data;
  const bool has_yaws = !outputs.yaws.data.empty();
  const bool yaws_inside = !has_yaws && layout.width == 3;
  out.positions.reserve(layout.size() * 2);
  if (has_yaws || yaws_inside) out.yaws.reserve(layout.size());
  const std::size_t each = std::size_t{layout.modes} * layout.steps;
  for (std::size_t i = 0; i < layout.size();) {
    const Subject subject(contract, poses, i / each);
    for (const std::size_t end = i + each; i < end; ++i) {
      const auto row = values.subspan(i * layout.width, layout.width);
      const auto at = subject.in_world(row[0], row[1]);
      out.positions.push_back(at.x);
      out.positions.push_back(at.y);
      if (has_yaws) out.yaws.push_back(subject.yaw_in_world(outputs.yaws.data[i]));
      if (yaws_inside) out.yaws.push_back(subject.yaw_in_world(row[2]));
    }
  }
}

/// Makes the confidences of one subject a distribution.
void normalise(std::span<double> row, bool are_logits) {
  double sum = 0;
  bool is_distribution = !are_logits;
  for (const double value : row) {
    sum += value;
    is_distribution = is_distribution && value >= 0;
  }
  if (is_distribution && std::fabs(sum - 1) <= kSumError) return;
  const double greatest = *std::max_element(row.begin(), row.end());
  sum = 0;
  for (auto& value : row) sum += value = geom::exp(value - greatest);
  for (auto& value : row) value /= sum;
}

void put_confidences(const Contract& contract, const Values& given,
                     const Layout& layout, Predicted& out) {
  if (given.data.empty()) {
    out.confidences.assign(layout.paths(), 1.0 / layout.modes);
    return;
  }
  const auto& name = contract.confidences->name;
  out.confidences.assign(given.data.begin(), given.data.end());
  for (std::size_t b = 0; b < layout.batch; ++b) {
    normalise(std::span(out.confidences).subspan(b * layout.modes, layout.modes),
              name == "logits");
  }
}

void check_poses(const Contract& contract, const Poses& poses) {
  const auto count = poses.yaws.size();
  if (poses.world_from_agent.size() == count * 9 && poses.centroids.size() == count * 2)
    return;
  fail(Errc::invalid_argument,
       {contract.name, ": poses: lengths differ (found ", poses.world_from_agent.size(),
        ", ", poses.centroids.size(), " and ", count,
        " numbers, expected 9, 2 and 1 per sample)"});
}

/// Checks the sizes of an output beside the positions.
void check_beside(const Contract& contract, const std::optional<Tensor>& output,
                  const Values& found, std::size_t size, std::uint32_t batch,
                  std::string_view expected) {
  if (!output) return;
  const bool fits = found.data.size() == size && is_full(found) &&
                    !found.shape.empty() && found.shape[0] == batch;
  if (!fits) refuse_shape(contract, output->name, found, expected);
}

/// Refuses models whose steps are not the frames after the sample; `what` cannot be done.
void check_steps(const Contract& contract, std::string_view what) {
  const auto& settings = contract.settings;
  const bool fits =
      settings.first_step == 1 && std::fabs(settings.step_time - kFrameTime) <= 1e-6;
  if (fits) return;
  fail(Errc::invalid_argument,
       {contract.name, ": ", what,
        ": its first position is not one frame ahead (found first_step ",
        settings.first_step, " and step_time ", python_repr(settings.step_time),
        ", expected 1 and 0.1)"});
}

/// Returns the direction of a step, or 0 if it is short.
double turn_of(Vec2 step) noexcept {
  return geom::hypot(step.x, step.y) > kMinMotion ? geom::atan2(step.y, step.x) : 0;
}

}  // namespace

Predicted in_world(const Contract& contract, const Outputs& outputs,
                   const Poses& poses) {
  check_poses(contract, poses);
  const auto layout = layout_of(contract, outputs.positions, poses.yaws.size());
  check_beside(contract, contract.confidences, outputs.confidences, layout.paths(),
               layout.batch, "(B, K), a value per mode");
  check_beside(contract, contract.yaws, outputs.yaws, layout.size(), layout.batch,
               "(B, K, T), a value per position");
  const bool is_world = contract.settings.frame == Frame::world;
  check_values(contract, contract.positions.name, outputs.positions.data, layout.batch,
               (is_world ? kMaxCoordinate : kMaxDistance) / contract.settings.units,
               is_world ? "1e9 m" : "1e6 m");
  if (contract.confidences)
    check_values(contract, contract.confidences->name, outputs.confidences.data,
                 layout.batch, kMaxCoordinate, "1e9");
  if (contract.yaws)
    check_values(contract, contract.yaws->name, outputs.yaws.data, layout.batch,
                 kMaxYaw, "1e6");
  Predicted out{layout.batch, layout.modes, layout.steps};
  put_positions(contract, outputs, poses, layout, out);
  put_confidences(contract, outputs.confidences, layout, out);
  return out;
}

Records records_of(const Contract& contract, const Outputs& outputs,
                   const Poses& poses) {
  check_steps(contract, "predictions cannot be compared with frames");
  auto found = in_world(contract, outputs, poses);
  const std::size_t each = std::size_t{found.modes} * found.steps * 2;
  for (std::size_t i = 0; i < found.positions.size(); ++i) {
    found.positions[i] -= poses.centroids[i / each * 2 + i % 2];
  }
  for (std::size_t b = 0; b < found.batch; ++b) {
    const auto row = std::span(found.confidences).subspan(b * found.modes, found.modes);
    double sum = 0;
    for (const double value : row) sum += value;
    for (auto& value : row) value /= sum;
  }
  return {found.modes, found.steps, std::move(found.positions),
          std::move(found.confidences)};
}

FirstSteps first_steps(const Contract& contract, const Outputs& outputs,
                       const Poses& poses) {
  check_steps(contract, "cannot drive");
  const auto predicted = in_world(contract, outputs, poses);
  const auto layout = layout_of(contract, outputs.positions, predicted.batch);
  FirstSteps out;
  for (std::size_t b = 0; b < layout.batch; ++b) {
    const auto row =
        std::span(predicted.confidences).subspan(b * layout.modes, layout.modes);
    const auto best = static_cast<std::size_t>(
        std::max_element(row.begin(), row.end()) - row.begin());
    const auto first = (b * layout.modes + best) * layout.steps;
    const auto at = outputs.positions.data.subspan(first * layout.width, layout.width);
    const Subject subject(contract, poses, b);
    const auto step = subject.relative(at[0], at[1]);
    out.positions.push_back(step.x);
    out.positions.push_back(step.y);
    if (!outputs.yaws.data.empty())
      out.yaws.push_back(subject.relative_yaw(outputs.yaws.data[first]));
    else if (layout.width == 3)
      out.yaws.push_back(subject.relative_yaw(at[2]));
    else
      out.yaws.push_back(turn_of(step));
  }
  return out;
}

}  // namespace bev::model
