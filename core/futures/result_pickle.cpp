#include "core/futures/result_pickle.hpp"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/futures/npy.hpp"
#include "core/map/wire.hpp"
#include "core/pickle/numpy.hpp"
#include "core/pickle/read.hpp"
#include "core/zarr/text.hpp"

namespace bev::futures {
namespace {

using pickle::Value;

/// Steps of a scenario of Waymo; the last one is the last of results.
constexpr std::size_t kScenarioSteps = 91;

enum class Texts { refused, accepted };

/// An array of NumPy with numbers or, if accepted, texts, or a scalar.
class PickledArray {
 public:
  /// @param name  of the member, for messages
  PickledArray(Value value, const char* name, Texts texts = Texts::refused)
      : name_(name) {
    if (auto found = pickle::array_of(value, name)) {
      array_ = *std::move(found);
    } else {
      fail(Errc::invalid_metadata,
           {name, ": not an array of NumPy (found ", value.describe(), ")"});
    }
    const bool is_accepted = texts == Texts::accepted && is_text();
    if (!is_accepted) require_numbers(array_.dtype, name);
    if (!array_.dtype.shape.empty() || array_.dtype.item_size == 0) {
      fail(Errc::unsupported, {name, ": of a type that is not supported"});
    }
  }

  const std::vector<std::size_t>& shape() const noexcept { return array_.shape; }
  bool is_text() const noexcept {
    return array_.dtype.kind == zarr::Kind::unicode ||
           array_.dtype.kind == zarr::Kind::bytes;
  }

  /// Throws invalid_metadata unless the first axes are these.
  void require_axes(std::initializer_list<std::size_t> axes) const {
    if (array_.shape.size() >= axes.size() &&
        std::equal(axes.begin(), axes.end(), array_.shape.begin())) {
      return;
    }
    std::string list;
    for (const auto one : axes)
      list += (list.empty() ? "" : ", ") + std::to_string(one);
    wrong_shape(joined({"(", list, ")"}));
  }

  /// Throws invalid_metadata for another number of axes, or an empty one.
  void require_filled(std::size_t axes) const {
    const bool is_empty =
        std::find(array_.shape.begin(), array_.shape.end(), 0) != array_.shape.end();
    if (array_.shape.size() != axes || is_empty) {
      wrong_shape(joined({axes, " axes that are not empty"}));
    }
  }

  double real(std::initializer_list<std::size_t> at) const {
    return npy_real(array_.dtype, place(at));
  }

  std::string text(std::initializer_list<std::size_t> at) const {
    const auto found =
        zarr::decode_text(array_.dtype, {place(at), array_.dtype.item_size});
    return found.size() == 0 ? std::string() : std::string(found[0]);
  }

 private:
  [[noreturn]] void wrong_shape(std::string_view expected) const {
    fail(Errc::invalid_metadata, {name_, ": wrong shape (found ", array_.shape.size(),
                                  " axes, expected ", expected, ")"});
  }

  const std::byte* place(std::initializer_list<std::size_t> at) const noexcept {
    std::size_t offset = 0, axis = 0;
    for (const auto index : at) offset += index * array_.strides[axis++];
    return array_.data.data() + offset;
  }

  const char* name_;
  pickle::Array array_;
};

std::uint64_t checked_agent(double id, const char* name) {
  if (id >= 0 && id <= 9007199254740992.0 && id == std::floor(id)) {
    return static_cast<std::uint64_t>(id);
  }
  fail(Errc::invalid_metadata, {name, ": not a whole number from 0 to 2^53"});
}

std::string checked_scenario(std::string id) {
  if (id.empty() || id.size() > kMaxScenarioIdBytes) {
    fail(Errc::invalid_metadata, {"scenario_id: empty, or too long"});
  }
  map::checked_utf8(id, "scenario_id");
  return id;
}

/// Returns the id at an element, a text or a whole number.
std::string scenario_at(const PickledArray& array,
                        std::initializer_list<std::size_t> at) {
  if (array.is_text()) return checked_scenario(array.text(at));
  return std::to_string(checked_agent(array.real(at), "scenario_id"));
}

std::string scenario_of(Value value) {
  if (const auto text = value.text()) return checked_scenario(std::string(*text));
  if (const auto number = value.integer()) {
    return std::to_string(checked_agent(static_cast<double>(*number), "scenario_id"));
  }
  const PickledArray array(value, "scenario_id", Texts::accepted);
  if (!array.shape().empty()) array.require_axes({1});
  return array.shape().empty() ? scenario_at(array, {}) : scenario_at(array, {0});
}

std::uint64_t agent_of(Value value) {
  if (const auto number = value.integer()) {
    return checked_agent(static_cast<double>(*number), "object_id");
  }
  const PickledArray array(value, "object_id");
  if (!array.shape().empty()) array.require_axes({1});
  return checked_agent(array.shape().empty() ? array.real({}) : array.real({0}),
                       "object_id");
}

/// Returns a number of a pose; nullopt if it is absent.
std::optional<float> pose_number(double value, const char* name) {
  if (std::isnan(value)) return std::nullopt;
  if (std::abs(value) <= double{kMaxValue}) return static_cast<float>(value);
  fail(Errc::invalid_metadata, {name, ": not finite, or too large"});
}

}  // namespace

/// The values of a file, and where its scenarios are.
class PickledResults final : public OwnForm {
 public:
  PickledResults(std::span<const std::byte> input, std::string_view name)
      : bytes_(input.begin(), input.end()), pickle_(read_values(bytes_, name)) {
    const auto root = pickle_.root();
    if (root.is(pickle::Kind::dict) && root.find("x")) {
      add_joint(root);
    } else if (root.is(pickle::Kind::list) || root.is(pickle::Kind::tuple)) {
      add_list(root, 0);
    }
    if (order_.empty()) {
      fail(Errc::unsupported,
           {"a pickle of something else (found ", root.describe(),
            ", expected PufferDrive's dict of x, y, heading, id and scenario_id, or "
            "MTR's list of dicts of scenario_id, object_id and pred_trajs)"});
    }
  }

  bool is_joint() const noexcept { return joint_.has_value(); }
  const std::vector<std::string>& scenarios() const noexcept { return order_; }

  FuturesData read(std::string_view, const ScenarioRange& scenario,
                   const Limits& limits) const override {
    const auto found = rows_.find(scenario.id);
    if (found == rows_.end()) fail(Errc::not_found, {"not in the pickle"});
    FuturesData out;
    out.scenario_id = scenario.id;
    out.is_joint = is_joint();
    is_joint() ? read_joint(found->second, limits, out)
               : read_modes(found->second, limits, out);
    if (std::find(out.valid.begin(), out.valid.end(), 0) == out.valid.end()) {
      out.valid.clear();
    }
    return out;
  }

 private:
  /// The arrays of PufferDrive's dict.
  struct Joint {
    PickledArray x, y, heading, id;
    std::optional<PickledArray> z;
  };

  static pickle::Pickle read_values(std::span<const std::byte> bytes,
                                    std::string_view name) {
    pickle::Limits limits;
    limits.max_bytes = static_cast<std::size_t>(kMaxResultPickle);
    limits.max_opcodes = 4'000'000;
    limits.max_expanded = 1U << 29U;
    return pickle::read(bytes, name, {.globals = pickle::numpy_globals()}, limits);
  }

  void add_row(std::string scenario, std::size_t row) {
    const auto [found, is_new] = rows_.try_emplace(std::move(scenario));
    if (is_new) order_.push_back(found->first);
    found->second.push_back(row);
  }

  void add_joint(Value root) {
    const auto member = [&](const char* name) {
      const auto found = root.find(name);
      if (!found) fail(Errc::invalid_metadata, {name, ": missing"});
      return PickledArray(found, name);
    };
    if (!root.find("scenario_id")) {
      fail(Errc::invalid_metadata,
           {"scenario_id: missing; add that of the ground truth, whose agents have the "
            "same order"});
    }
    joint_.emplace(
        Joint{member("x"), member("y"), member("heading"), member("id"), {}});
    if (root.find("z")) joint_->z = member("z");
    const PickledArray scenario(root.find("scenario_id"), "scenario_id",
                                Texts::accepted);
    joint_->x.require_filled(3);
    const auto agents = joint_->x.shape()[0], rollouts = joint_->x.shape()[1],
               steps = joint_->x.shape()[2];
    joint_->y.require_axes({agents, rollouts, steps});
    joint_->heading.require_axes({agents, rollouts, steps});
    if (joint_->z) joint_->z->require_axes({agents, rollouts, steps});
    joint_->id.require_axes({agents});
    scenario.require_axes({agents});
    for (const auto* one :
         std::initializer_list<const PickledArray*>{&joint_->id, &scenario}) {
      one->require_filled(one->shape().size());
    }
    limit_agents(agents);
    for (std::size_t a = 0; a < agents; ++a) add_row(scenario_at(scenario, {a}), a);
  }

  void add_list(Value list, int depth) {
    for (const auto item : list.items()) {
      const bool is_list = item.is(pickle::Kind::list) || item.is(pickle::Kind::tuple);
      if (is_list && depth == 0) {
        add_list(item, 1);
        continue;
      }
      const auto scenario = item.find("scenario_id");
      if (!scenario || !item.find("pred_trajs")) {
        fail(Errc::unsupported,
             {"a pickle of something else (found ", item.describe(),
              " in a list, expected MTR's dicts of scenario_id, object_id and "
              "pred_trajs)"});
      }
      limit_agents(agents_.size() + 1);
      try {
        add_row(scenario_of(scenario), agents_.size());
      } catch (const Error& error) {
        fail(error.code(), {"prediction ", agents_.size(), ": ", error.what()});
      }
      agents_.push_back(item);
    }
  }

  static void limit_agents(std::size_t found) {
    if (found <= kMaxPickledAgents) return;
    fail(Errc::limit_exceeded,
         {"too many agents (expected at most ", kMaxPickledAgents, ")"});
  }

  static void allocate(FuturesData& out, const Limits& limits) {
    if (out.steps > kScenarioSteps) {
      fail(Errc::invalid_metadata, {"too many steps (found ", out.steps,
                                    ", expected at most ", kScenarioSteps, ")"});
    }
    out.first_step = static_cast<std::int64_t>(kScenarioSteps - out.steps);
    check_limits(out.rollouts, out.ids.size(), out.steps, out.pose_values, limits);
    const auto poses = out.rollouts * out.ids.size() * out.steps;
    out.poses.resize(poses * out.pose_values);
    out.valid.resize(poses);
  }

  void read_joint(const std::vector<std::size_t>& rows, const Limits& limits,
                  FuturesData& out) const {
    out.rollouts = joint_->x.shape()[1];
    out.steps = joint_->x.shape()[2];
    const auto axes = joint_->id.shape().size();
    check_limits(out.rollouts, rows.size(), out.steps, 4, limits);
    for (const auto row : rows) {
      const double id = axes == 1   ? joint_->id.real({row})
                        : axes == 2 ? joint_->id.real({row, 0})
                                    : joint_->id.real({row, 0, 0});
      out.ids.push_back(checked_agent(id, "id"));
    }
    allocate(out, limits);
    for (std::size_t r = 0; r < out.rollouts; ++r) {
      for (std::size_t a = 0; a < rows.size(); ++a) {
        for (std::size_t t = 0; t < out.steps; ++t) copy_joint({rows[a], r, t}, a, out);
      }
    }
  }

  struct Element {
    std::size_t row, rollout, step;
  };

  void copy_joint(const Element& at, std::size_t agent, FuturesData& out) const {
    const auto number = [&](const PickledArray& array, const char* name) {
      return pose_number(array.real({at.row, at.rollout, at.step}), name);
    };
    const auto x = number(joint_->x, "x"), y = number(joint_->y, "y");
    const auto yaw = number(joint_->heading, "heading");
    const auto z = joint_->z ? number(*joint_->z, "z") : 0.0F;
    if (!x || !y || !yaw) return;
    const auto pair = at.rollout * out.ids.size() + agent;
    const float pose[] = {*x, *y, z.value_or(0), *yaw};
    for (std::size_t v = 0; v < 4; ++v) {
      out.poses[(pair * 4 + v) * out.steps + at.step] = pose[v];
    }
    out.valid[pair * out.steps + at.step] = 1;
  }

  void read_modes(const std::vector<std::size_t>& rows, const Limits& limits,
                  FuturesData& out) const {
    std::vector<PickledArray> paths;
    bool has_scores = true;
    check_limits(1, rows.size(), 1, 2, limits);
    for (const auto row : rows) {
      const auto id = agents_[row].find("object_id");
      if (!id) fail(Errc::invalid_metadata, {"object_id: missing"});
      out.ids.push_back(agent_of(id));
      const auto& path =
          paths.emplace_back(agents_[row].find("pred_trajs"), "pred_trajs");
      path.require_filled(3);
      const auto& shape = path.shape();
      if (shape[2] < 2) fail(Errc::invalid_metadata, {"pred_trajs: no x and y"});
      if (out.steps != 0 && out.steps != shape[1]) {
        fail(Errc::invalid_metadata,
             {"pred_trajs: different numbers of steps in a scenario"});
      }
      out.rollouts = std::max(out.rollouts, shape[0]);
      out.steps = shape[1];
      has_scores = has_scores && agents_[row].find("pred_scores");
    }
    out.pose_values = 2;
    allocate(out, limits);
    if (has_scores) out.scores.resize(out.rollouts * rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) {
      copy_modes(paths[a], a, out);
      if (has_scores) copy_scores(agents_[rows[a]], paths[a].shape()[0], a, out);
    }
  }

  static void copy_modes(const PickledArray& path, std::size_t agent,
                         FuturesData& out) {
    for (std::size_t m = 0; m < path.shape()[0]; ++m) {
      const auto pair = m * out.ids.size() + agent;
      for (std::size_t t = 0; t < out.steps; ++t) {
        const auto x = pose_number(path.real({m, t, 0}), "pred_trajs");
        const auto y = pose_number(path.real({m, t, 1}), "pred_trajs");
        if (!x || !y) continue;
        out.poses[pair * 2 * out.steps + t] = *x;
        out.poses[(pair * 2 + 1) * out.steps + t] = *y;
        out.valid[pair * out.steps + t] = 1;
      }
    }
  }

  static void copy_scores(Value prediction, std::size_t modes, std::size_t agent,
                          FuturesData& out) {
    const PickledArray scores(prediction.find("pred_scores"), "pred_scores");
    scores.require_axes({modes});
    scores.require_filled(1);
    for (std::size_t m = 0; m < modes; ++m) {
      const auto score = pose_number(scores.real({m}), "pred_scores");
      if (!score) fail(Errc::invalid_metadata, {"pred_scores: not a number"});
      out.scores[m * out.ids.size() + agent] = *score;
    }
  }

  std::vector<std::byte> bytes_;
  pickle::Pickle pickle_;
  std::optional<Joint> joint_;
  std::vector<Value> agents_;       // MTR's dicts
  std::vector<std::string> order_;  // of scenarios
  /// Rows of the arrays, or dicts, by scenario.
  std::unordered_map<std::string, std::vector<std::size_t>> rows_;
};

PickleIndexer::PickleIndexer(std::string name, std::uint64_t file_size)
    : size_(file_size) {
  out_.name = std::move(name);
  if (size_ <= kMaxResultPickle) return;
  fail_at(Errc::limit_exceeded, out_.name,
          {"too large a pickle (found ", size_, " bytes, expected at most ",
           kMaxResultPickle, "); save arrays with bevscope.results.save"});
}

std::optional<ByteRange> PickleIndexer::missing() const {
  return is_complete_ ? std::nullopt : std::optional(ByteRange{0, size_});
}

void PickleIndexer::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != size_) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"wrong length (found ", bytes.size(), " bytes, expected ", size_, ")"});
  }
  std::shared_ptr<const PickledResults> form;
  try {
    form = std::make_shared<const PickledResults>(bytes, "pickle");
  } catch (const Error& error) {
    fail_at(error.code(), out_.name, {error.what()});
  }
  for (const auto& id : form->scenarios()) out_.scenarios.push_back({id, {0, 0}});
  check_scenarios(out_, "results of PufferDrive or MTR");
  out_.kind = form->is_joint() ? SubmissionKind::futures : SubmissionKind::predictions;
  out_.own = std::move(form);
  is_complete_ = true;
}

SubmissionShard PickleIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
