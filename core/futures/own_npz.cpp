#include "core/futures/own_npz.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::futures {
namespace {

/// The arrays; the first, of which the header is read, and the next three are required.
constexpr std::array<std::string_view, 11> kArrays{
    "futures", "scenario_id", "track_id", "first_step", "step_stride", "fields",
    "valid",   "probability", "size",     "joint",      "name"};
constexpr std::size_t kRequiredArrays = 4;

constexpr std::array<std::string_view, 4> kFieldNames{"x", "y", "z", "yaw"};

}  // namespace

/// Shapes and small arrays of a file.
class NpzForm final : public OwnForm {
 public:
  zarr::DType type;
  std::uint64_t begin = 0;  // of the futures' values in the file
  std::size_t scenarios = 0, rollouts = 0, agents = 0, steps = 0;
  std::vector<std::size_t> fields;  // x, y, z or yaw of each value
  std::vector<std::uint64_t> ids;   // (S, A)
  std::vector<bool> is_agent;       // (S, A)
  std::int64_t first_step = 0;
  std::uint32_t step_stride = 1;
  bool is_joint = true;
  std::optional<NpyArray> valid, probability, size;

  std::uint64_t bytes_per_scenario() const noexcept {
    return std::uint64_t{rollouts} * agents * steps * fields.size() * type.item_size;
  }

  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override;

 private:
  void copy_agent(const std::byte* from, std::size_t scenario, std::size_t agent,
                  std::size_t row, FuturesData& out) const;
  void copy_small(std::size_t scenario, const std::vector<std::size_t>& rows,
                  FuturesData& out) const;
};

FuturesData NpzForm::read(std::string_view bytes, const ScenarioRange& scenario,
                          const Limits& limits) const {
  if (bytes.size() != bytes_per_scenario()) {
    fail(Errc::corrupt_chunk, {"wrong length (found ", bytes.size(),
                               " bytes, expected ", bytes_per_scenario(), ")"});
  }
  const auto s =
      static_cast<std::size_t>((scenario.bytes.begin - begin) / bytes_per_scenario());
  FuturesData out;
  out.scenario_id = scenario.id;
  out.rollouts = rollouts;
  out.steps = steps;
  out.first_step = first_step;
  out.step_stride = step_stride;
  const bool has_yaw = std::find(fields.begin(), fields.end(), kYaw) != fields.end();
  out.pose_values = has_yaw ? 4 : 2;
  out.is_joint = is_joint;
  std::vector<std::size_t> rows;
  for (std::size_t a = 0; a < agents; ++a) {
    if (!is_agent[s * agents + a]) continue;
    rows.push_back(a);
    out.ids.push_back(ids[s * agents + a]);
  }
  if (rows.empty()) fail(Errc::invalid_metadata, {"no agents"});
  check_limits(rollouts, rows.size(), steps, out.pose_values, limits);
  const auto count = rollouts * rows.size() * steps;
  out.poses.resize(count * out.pose_values);
  out.valid.resize(count);
  const auto* const from = reinterpret_cast<const std::byte*>(bytes.data());
  for (std::size_t i = 0; i < rows.size(); ++i) copy_agent(from, s, rows[i], i, out);
  if (std::find(out.valid.begin(), out.valid.end(), 0) == out.valid.end()) {
    out.valid.clear();
  }
  copy_small(s, rows, out);
  return out;
}

/// Copies the poses of an agent; those with NaN in x or y are not valid.
void NpzForm::copy_agent(const std::byte* from, std::size_t scenario, std::size_t agent,
                         std::size_t row, FuturesData& out) const {
  std::array<double, 4> pose{};
  for (std::size_t r = 0; r < rollouts; ++r) {
    const auto pair = r * out.ids.size() + row;
    for (std::size_t t = 0; t < steps; ++t) {
      const auto at = (r * agents + agent) * steps + t;
      if (valid) {
        const auto per_scenario = std::uint64_t{rollouts} * agents * steps;
        if (valid->real(scenario * per_scenario + at) == 0) continue;
      }
      for (std::size_t f = 0; f < fields.size(); ++f) {
        pose[fields[f]] =
            npy_real(type, from + (at * fields.size() + f) * type.item_size);
      }
      if (std::isnan(pose[kX]) || std::isnan(pose[kY])) continue;
      for (std::size_t v = 0; v < out.pose_values; ++v) {
        if (!(std::abs(pose[v]) <= kMaxValue)) {
          fail(Errc::invalid_metadata,
               {"rollout ", r, ", agent ", out.ids[row], ", step ", t, ": ",
                kFieldNames[v], " is not finite, or too large"});
        }
        out.poses[(pair * out.pose_values + v) * steps + t] =
            static_cast<float>(pose[v]);
      }
      out.valid[pair * steps + t] = 1;
    }
  }
}

/// Copies sizes and scores of the agents at `rows`.
void NpzForm::copy_small(std::size_t scenario, const std::vector<std::size_t>& rows,
                         FuturesData& out) const {
  if (size) {
    const auto values = static_cast<std::size_t>(size->header.shape[2]);
    for (const auto a : rows) {
      for (std::size_t v = 0; v < 3; ++v) {
        const double one =
            v < values ? size->real((scenario * agents + a) * values + v) : 0;
        if (!(one >= 0 && one <= kMaxValue)) {
          fail(Errc::invalid_metadata, {"size of agent ", ids[scenario * agents + a],
                                        " is not a finite number from 0"});
        }
        out.sizes.push_back(static_cast<float>(one));
      }
    }
  }
  if (!probability) return;
  const bool is_per_agent = probability->header.shape.size() == 3;
  for (std::size_t r = 0; r < rollouts; ++r) {
    const auto first = scenario * rollouts + r;
    for (std::size_t i = 0; i < (is_per_agent ? rows.size() : 1); ++i) {
      const double one =
          probability->real(is_per_agent ? first * agents + rows[i] : first);
      if (!std::isfinite(one)) {
        fail(Errc::invalid_metadata, {"rollout ", r, ": probability is not finite"});
      }
      out.scores.push_back(static_cast<float>(one));
    }
  }
}

namespace {

using Arrays = std::map<std::string_view, NpyArray>;

/// Makes a file's form of its arrays.
class NpzArrays {
 public:
  NpzArrays(std::string_view file, Arrays& arrays) : file_(file), arrays_(arrays) {}

  std::shared_ptr<NpzForm> form() {
    auto out = std::make_shared<NpzForm>();
    const auto& futures = arrays_.at("futures").header;
    require_numbers(futures.type, where("futures"));
    if (futures.shape.size() != 5) {
      refuse("futures", {"wrong number of axes (found ", futures.shape.size(),
                         ", expected 5: scenarios, rollouts, agents, steps, fields)"});
    }
    const auto axis = [&](std::size_t i) {
      if (futures.shape[i] == 0) refuse("futures", {"axis ", i, " is empty"});
      if (futures.shape[i] > kMaxScenarios) {
        fail_at(Errc::limit_exceeded, where("futures"), {"axis ", i, " is too long"});
      }
      return static_cast<std::size_t>(futures.shape[i]);
    };
    out->type = futures.type;
    out->scenarios = axis(0);
    out->rollouts = axis(1);
    out->agents = axis(2);
    out->steps = axis(3);
    try {
      check_limits(out->rollouts, out->agents, out->steps, 4, Limits());
    } catch (const Error& error) {
      fail_at(error.code(), where("futures"), {error.what()});
    }
    out->fields = fields(axis(4));
    read_ids(*out);
    read_frames(*out);
    out->valid =
        checked("valid", {out->scenarios, out->rollouts, out->agents, out->steps});
    read_scores_and_sizes(*out);
    return out;
  }

  /// Returns the text of a scalar; "" if it is absent.
  std::string text(std::string_view name) {
    const auto* const found = find(name);
    if (found == nullptr) return {};
    if (!found->is_text() || found->header.size() != 1) {
      refuse(name, {"not a text"});
    }
    return text_at(name, *found, 0);
  }

  std::vector<std::string> scenario_ids(std::size_t count) {
    const auto& array = arrays_.at("scenario_id");
    require_shape("scenario_id", array, {count});
    if (!array.is_text()) refuse("scenario_id", {"not text"});
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) {
      out.push_back(text_at("scenario_id", array, i));
      if (!out.back().empty() && out.back().size() <= kMaxScenarioIdBytes) continue;
      refuse("scenario_id", {"empty or too long (scenario ", i, ")"});
    }
    return out;
  }

 private:
  std::string where(std::string_view name) const { return joined({file_, ": ", name}); }

  [[noreturn]] void refuse(std::string_view name, Message problem) const {
    fail_at(Errc::invalid_metadata, where(name), problem);
  }

  const NpyArray* find(std::string_view name) const {
    const auto found = arrays_.find(name);
    return found == arrays_.end() ? nullptr : &found->second;
  }

  std::string text_at(std::string_view name, const NpyArray& array,
                      std::uint64_t index) const {
    try {
      return array.text(index);
    } catch (const Error& error) {
      fail_at(error.code(), where(name), {"element ", index, ": ", error.what()});
    }
  }

  void require_shape(std::string_view name, const NpyArray& array,
                     const std::vector<std::uint64_t>& shape) const {
    if (array.header.shape == shape) return;
    const auto list = [](const std::vector<std::uint64_t>& of) {
      std::string out;
      for (const auto one : of) out += (out.empty() ? "" : ", ") + std::to_string(one);
      return out;
    };
    refuse(name, {"wrong shape (found (", list(array.header.shape), "), expected (",
                  list(shape), "))"});
  }

  std::optional<NpyArray> checked(std::string_view name,
                                  const std::vector<std::uint64_t>& shape) {
    const auto found = arrays_.find(name);
    if (found == arrays_.end()) return std::nullopt;
    require_numbers(found->second.header.type, where(name));
    require_shape(name, found->second, shape);
    return std::move(found->second);
  }

  std::vector<std::size_t> fields(std::size_t count) {
    auto list = text("fields");
    if (list.empty()) list = count == 2 ? "x,y" : count == 3 ? "x,y,yaw" : "x,y,z,yaw";
    std::vector<std::size_t> out;
    std::string_view rest = list;
    for (;;) {
      const auto end = std::min(rest.find(','), rest.size());
      const auto* const name =
          std::find(kFieldNames.begin(), kFieldNames.end(), rest.substr(0, end));
      const auto field = static_cast<std::size_t>(name - kFieldNames.begin());
      if (name == kFieldNames.end() ||
          std::find(out.begin(), out.end(), field) != out.end()) {
        refuse("fields", {"unknown or twice (found \"", rest.substr(0, end),
                          "\", expected x, y, z, yaw)"});
      }
      out.push_back(field);
      if (end == rest.size()) break;
      rest.remove_prefix(end + 1);
    }
    const bool has_place = std::find(out.begin(), out.end(), kX) != out.end() &&
                           std::find(out.begin(), out.end(), kY) != out.end();
    if (!has_place || out.size() != count) {
      refuse("fields", {"expected x and y, and as many as the last axis of futures (",
                        count, ")"});
    }
    return out;
  }

  void read_ids(NpzForm& out) {
    const auto& array = arrays_.at("track_id");
    require_shape("track_id", array, {out.scenarios, out.agents});
    if (!array.is_text()) require_numbers(array.header.type, where("track_id"));
    for (std::size_t i = 0; i < out.scenarios * out.agents; ++i) {
      std::optional<std::uint64_t> id;
      bool is_agent = true;
      if (array.is_text()) {
        const auto text = text_at("track_id", array, i);
        is_agent = !text.empty();
        id = own_agent_id(text);
      } else {
        const auto number = array.integer(i);
        is_agent = number != -1;
        if (number >= 0) id = static_cast<std::uint64_t>(number);
      }
      if (is_agent && !id) {
        refuse("track_id", {"neither a whole number nor AV (scenario ", i / out.agents,
                            ", agent ", i % out.agents, ")"});
      }
      out.ids.push_back(id.value_or(0));
      out.is_agent.push_back(is_agent);
    }
  }

  std::int64_t number(std::string_view name, std::int64_t absent, std::int64_t low,
                      std::int64_t high) {
    const auto* const found = find(name);
    if (found == nullptr) return absent;
    require_numbers(found->header.type, where(name));
    if (found->header.size() != 1) refuse(name, {"not a single number"});
    const auto out = found->integer(0);
    if (out >= low && out <= high) return out;
    refuse(name, {"outside (found ", out, ", expected ", low, " to ", high, ")"});
  }

  void read_frames(NpzForm& out) {
    out.first_step = number("first_step", 0, -kMaxFirstStep, kMaxFirstStep);
    out.step_stride =
        static_cast<std::uint32_t>(number("step_stride", 1, 1, kMaxStride));
    out.is_joint = number("joint", 1, 0, 1) == 1;
  }

  void read_scores_and_sizes(NpzForm& out) {
    const auto axes_of = [&](std::string_view name) {
      const auto* const found = find(name);
      return found == nullptr ? std::vector<std::uint64_t>() : found->header.shape;
    };
    std::vector<std::uint64_t> shape{out.scenarios, out.rollouts};
    if (axes_of("probability").size() == 3) shape.push_back(out.agents);
    out.probability = checked("probability", shape);
    const auto axes = axes_of("size");
    const bool has_height = axes.size() == 3 && axes[2] == 3;
    out.size = checked("size", {out.scenarios, out.agents, has_height ? 3U : 2U});
  }

  std::string_view file_;
  Arrays& arrays_;
};

}  // namespace

NpzIndexer::NpzIndexer(std::string name, std::uint64_t file_size)
    : directory_(std::make_unique<zip::Directory>(name, file_size)) {
  out_.name = std::move(name);
  advance();
}

std::optional<ByteRange> NpzIndexer::missing() const {
  if (is_complete_) return std::nullopt;
  return read_ ? read_->missing() : directory_->missing();
}

void NpzIndexer::supply(std::span<const std::byte> bytes) {
  read_ ? read_->supply(bytes) : directory_->supply(bytes);
  advance();
}

/// Starts to read the next array once the one before is complete.
void NpzIndexer::advance() {
  check_directory();
  while (!is_complete_ && !missing()) {
    if (read_) take_array();
    if (next_ == kArrays.size()) return finish();
    const auto name = kArrays[next_];
    auto* const member = directory_->find(std::string(name) + ".npy");
    if (member != nullptr) {
      begin_array(*member);
    } else if (next_++ < kRequiredArrays) {
      fail_at(Errc::invalid_metadata, out_.name, {"array ", name, " is missing"});
    }
  }
}

/// An archive of a few arrays has a small directory, unlike one of many files.
void NpzIndexer::check_directory() const {
  const auto rest = directory_->missing();
  if (!rest || rest->size() <= kMaxNpzDirectory) return;
  fail_at(Errc::limit_exceeded, out_.name,
          {"too many files for an archive of futures"});
}

void NpzIndexer::begin_array(zip::Member& member) {
  const auto where = directory_->describe(member);
  const bool is_stored = member.method == zip::Member::kStored;
  if (next_ == 0) {
    if (!is_stored) {
      fail_at(Errc::unsupported, where,
              {"compressed, so that scenarios cannot be read one by one; use "
               "numpy.savez"});
    }
    futures_ = &member;
    read_.emplace(*directory_, member, ByteRange{0, kMaxNpyHeader});
    return;
  }
  auto& kept = is_stored ? kept_ : inflated_;
  const auto most = (is_stored ? kMaxKeptArrays : kMaxInflatedArrays) - kept;
  if (member.size > most) {
    const bool is_valid = kArrays[next_] == "valid";
    fail_at(Errc::limit_exceeded, where,
            {"too large (found ", member.size, " bytes, expected at most ", most,
             is_valid ? "; mark absent poses in futures by NaN)" : ")"});
  }
  kept += member.size;
  read_.emplace(*directory_, member);
}

void NpzIndexer::take_array() {
  const auto name = kArrays[next_++];
  NpyArray array;
  array.bytes = read_->take();
  read_.reset();
  const auto where = joined({out_.name, ": ", name});
  array.header = parse_npy_header(array.bytes, where);
  if (name != "futures") array.check(where);
  arrays_.emplace(name, std::move(array));
}

void NpzIndexer::finish() {
  auto form = NpzArrays(out_.name, arrays_).form();
  const auto& header = arrays_.at("futures").header;
  const auto expected = header.bytes + header.size() * header.type.item_size;
  if (futures_->size != expected) {
    fail_at(
        Errc::corrupt_chunk, directory_->describe(*futures_),
        {"wrong length (found ", futures_->size, " bytes, expected ", expected, ")"});
  }
  form->begin = futures_->data + header.bytes;
  NpzArrays arrays(out_.name, arrays_);
  auto at = form->begin;
  for (auto& id : arrays.scenario_ids(form->scenarios)) {
    out_.scenarios.push_back({std::move(id), {at, at + form->bytes_per_scenario()}});
    at += form->bytes_per_scenario();
  }
  out_.card.method = arrays.text("name");
  if (out_.card.method.size() > kMaxCardTextBytes) {
    fail_at(Errc::limit_exceeded, out_.name, {"name: too long"});
  }
  check_scenarios(out_, "futures in our NPZ form");
  out_.kind = form->is_joint ? SubmissionKind::futures : SubmissionKind::predictions;
  out_.own = std::move(form);
  arrays_.clear();
  is_complete_ = true;
}

SubmissionShard NpzIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
