#include "core/futures/own_rows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/text_lines.hpp"

namespace bev::futures {
namespace {

/// Reads rows twice: before the second time, the arrays are allocated.
class RowScenario {
 public:
  RowScenario(PoseRows& rows, const Limits& limits) : rows_(rows), limits_(limits) {}

  FuturesData read(const ScenarioRange& scenario, bool is_joint) {
    out_.scenario_id = scenario.id;
    out_.is_joint = is_joint;
    each_row([&] { count(); });
    allocate();
    each_row([&] { copy(); });
    if (std::find(out_.valid.begin(), out_.valid.end(), 0) == out_.valid.end()) {
      out_.valid.clear();
    }
    join_scores();
    return std::move(out_);
  }

 private:
  /// The place of a pose.
  struct Place {
    std::size_t agent = 0, mode = 0;
    std::int64_t step = 0;
  };

  [[noreturn]] void refuse(Message problem) const {
    fail(Errc::invalid_metadata, {"row ", row_, ": ", joined(problem)});
  }

  /// Adds the row to errors of its values.
  template <class Read>
  auto in_row(Read read) const {
    try {
      return read();
    } catch (const Error& error) {
      fail(error.code(), {"row ", row_, ": ", error.what()});
    }
  }

  template <class Take>
  void each_row(Take take) {
    row_ = 0;
    rows_.each([&] {
      take();
      ++row_;
    });
  }

  std::int64_t integer(RowColumn column) const {
    return in_row([&] { return rows_.integer(column); });
  }

  std::optional<float> real(RowColumn column) const {
    return in_row([&] { return rows_.real(column); });
  }

  /// Returns the place of the row's pose; a new agent gets the next number.
  Place place() {
    Place out;
    out.agent = agent_of(in_row([&] { return rows_.agent(); }));
    out.step = integer(RowColumn::step);
    if (std::abs(out.step) > kMaxFirstStep) refuse({"step: too large"});
    if (rows_.has(RowColumn::mode)) {
      const auto mode = integer(RowColumn::mode);
      if (mode < 0) refuse({"mode: negative (found ", mode, ")"});
      out.mode =
          static_cast<std::size_t>(std::min<std::int64_t>(mode, std::int64_t{1} << 30));
    }
    return out;
  }

  std::size_t agent_of(std::uint64_t id) {
    const auto [found, is_new] = agents_.emplace(id, out_.ids.size());
    if (is_new) out_.ids.push_back(id);
    return found->second;
  }

  /// Finds the modes, agents and steps that there are.
  void count() {
    const auto id = rows_.scenario();
    if (id != out_.scenario_id) refuse({"of another scenario (found ", id, ")"});
    const auto at = place();
    check_limits(at.mode + 1, out_.ids.size(), 1, 1, limits_);
    out_.rollouts = std::max(out_.rollouts, at.mode + 1);
    if (row_ == 0) base_ = out_.first_step = last_ = at.step;
    stride_ = std::gcd(stride_, at.step - base_);
    out_.first_step = std::min(out_.first_step, at.step);
    last_ = std::max(last_, at.step);
  }

  void allocate() {
    if (row_ == 0) fail(Errc::invalid_metadata, {"no rows"});
    const auto stride = std::max<std::int64_t>(stride_, 1);
    if (stride > kMaxStride) fail(Errc::limit_exceeded, {"steps are too far apart"});
    out_.step_stride = static_cast<std::uint32_t>(stride);
    out_.steps = static_cast<std::size_t>((last_ - out_.first_step) / stride) + 1;
    out_.pose_values = rows_.has(RowColumn::yaw) ? 4 : 2;
    check_limits(out_.rollouts, out_.ids.size(), out_.steps, out_.pose_values, limits_);
    const auto count = out_.rollouts * out_.ids.size() * out_.steps;
    check_sparse(row_, count);
    out_.poses.resize(count * out_.pose_values);
    out_.valid.resize(count);
    if (rows_.has(RowColumn::length)) out_.sizes.resize(count * out_.size_values);
    if (rows_.has(RowColumn::probability)) {
      out_.scores.assign(out_.rollouts * out_.ids.size(),
                         std::numeric_limits<float>::quiet_NaN());
    }
  }

  void copy() {
    const auto at = place();
    const auto step =
        static_cast<std::size_t>((at.step - out_.first_step) / out_.step_stride);
    const auto pair = at.mode * out_.ids.size() + at.agent;
    const auto refuse_pose = [&](const char* problem) {
      fail(Errc::invalid_metadata, {"mode ", at.mode, ", agent ", out_.ids[at.agent],
                                    ", step ", at.step, ": ", problem});
    };
    const auto x = real(RowColumn::x), y = real(RowColumn::y);
    if (!x || !y) return;  // an absent pose
    auto& valid = out_.valid[pair * out_.steps + step];
    if (valid != 0) refuse_pose("occurs twice");
    valid = 1;
    const auto set = [&](std::vector<float>& to, std::size_t values, std::size_t v,
                         RowColumn column) {
      if (!rows_.has(column)) return;
      auto& value = to[(pair * values + v) * out_.steps + step];
      const auto found = real(column);
      if (!found) refuse_pose("a value is absent, but neither x nor y");
      value = found.value();
      if (&to == &out_.sizes && value < 0) refuse_pose("a size is negative");
    };
    const auto place = [&](std::size_t v) -> float& {
      return out_.poses[(pair * out_.pose_values + v) * out_.steps + step];
    };
    place(kX) = *x;
    place(kY) = *y;
    if (out_.pose_values == 4) {
      set(out_.poses, 4, kZ, RowColumn::z);
      set(out_.poses, 4, kYaw, RowColumn::yaw);
    }
    if (!out_.sizes.empty()) {
      set(out_.sizes, out_.size_values, kLength, RowColumn::length);
      set(out_.sizes, out_.size_values, kWidth, RowColumn::width);
      set(out_.sizes, out_.size_values, kHeight, RowColumn::height);
    }
    if (out_.scores.empty()) return;
    auto& score = out_.scores[pair];
    const auto found = real(RowColumn::probability);
    if (!found) refuse_pose("no probability");
    if (!std::isnan(score) && score != found.value()) {
      refuse_pose("another probability than in the rows before");
    }
    score = found.value();
  }

  /// Keeps one score per rollout where all agents have the same; absent ones are 0.
  void join_scores() {
    for (auto& score : out_.scores) score = std::isnan(score) ? 0 : score;
    const auto agents = out_.ids.size();
    bool is_same = out_.is_joint;
    for (std::size_t i = 0; is_same && i < out_.scores.size(); ++i) {
      is_same = out_.scores[i] == out_.scores[i - i % agents];
    }
    if (!is_same || out_.scores.empty()) return;
    for (std::size_t r = 0; r < out_.rollouts; ++r) {
      out_.scores[r] = out_.scores[r * agents];
    }
    out_.scores.resize(out_.rollouts);
  }

  PoseRows& rows_;
  const Limits& limits_;
  FuturesData out_;
  std::uint64_t row_ = 0;
  std::int64_t base_ = 0, last_ = 0, stride_ = 0;
  std::unordered_map<std::uint64_t, std::size_t> agents_;
};

}  // namespace

FuturesData read_rows(PoseRows& rows, const ScenarioRange& scenario, bool is_joint,
                      const Limits& limits) {
  return RowScenario(rows, limits).read(scenario, is_joint);
}

}  // namespace bev::futures
