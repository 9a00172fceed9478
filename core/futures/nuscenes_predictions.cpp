#include "core/futures/nuscenes_predictions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_events.hpp"

namespace bev::futures {
namespace {

constexpr std::uint64_t kJsonWindow = std::uint64_t{1} << 20U;
constexpr std::array<const char*, 4> kMembers{"instance", "sample", "prediction",
                                              "probabilities"};

/// Takes the members of a prediction; others are ignored.
class PredictionMembers final : public JsonEvents {
 public:
  std::array<std::string, 2> tokens;  // instance, sample
  std::vector<float> places;          // (modes, steps, 2)
  std::vector<float> probabilities;
  std::size_t modes = 0, steps = 0;
  std::string problem;  // why parsing ended

  explicit PredictionMembers(const Limits& limits) : limits_(limits) {}

  bool null() override { return other(); }
  bool boolean(bool) override { return other(); }
  bool number_integer(std::int64_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_unsigned(std::uint64_t value) override {
    return number(static_cast<double>(value));
  }
  bool number_float(double value, const std::string&) override { return number(value); }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

  bool string(std::string& value) override {
    if (depth_ == 0) return refuse("not an object");
    if (member_ == kUnknown) return true;
    if (member_ >= tokens.size() || depth_ != 1) return other();
    tokens[member_] = std::move(value);
    return true;
  }

  bool start_object(std::size_t) override {
    const bool is_expected = depth_ == 0 || member_ == kUnknown;
    ++depth_;
    return is_expected || other();
  }
  bool end_object() override {
    --depth_;
    return true;
  }

  bool key(std::string& name) override {
    if (depth_ != 1) return true;  // of an unknown member
    const auto* const found = std::find(kMembers.begin(), kMembers.end(), name);
    member_ = static_cast<std::size_t>(found - kMembers.begin());
    if (member_ == kUnknown) return true;
    if (std::exchange(is_seen_[member_], true)) return refuse("occurs twice");
    return true;
  }

  bool start_array(std::size_t) override {
    if (depth_ == 0) return refuse("not an object");
    ++depth_;
    values_ = 0;
    if (member_ == kUnknown) return true;
    if (member_ == kProbabilities) return depth_ == kInList || other();
    if (member_ != kPrediction || depth_ > kInPlace) return other();
    if (depth_ == kInMode) {
      mode_steps_ = 0;
      return ++modes <= limits_.rollouts || refuse("too many modes");
    }
    if (depth_ == kInPlace) {
      return ++mode_steps_ <= limits_.steps || refuse("too many steps");
    }
    return true;
  }

  bool end_array() override {
    const auto from = depth_--;
    if (member_ != kPrediction) return true;
    if (from == kInPlace) return values_ == 2 || refuse("a place is not two numbers");
    if (from != kInMode) return true;
    if (modes == 1) steps = mode_steps_;
    return mode_steps_ == steps || refuse("modes have different numbers of steps");
  }

  /// Checks what is there at the end.
  bool is_complete() {
    for (std::size_t i = 0; i < kMembers.size(); ++i) {
      member_ = i;
      if (!is_seen_[i]) return refuse("is missing");
    }
    for (member_ = 0; member_ < tokens.size(); ++member_) {
      if (!is_token(tokens[member_])) return refuse("not a token");
    }
    if (modes == 0 || steps == 0) return refuse("empty");
    member_ = kProbabilities;
    return probabilities.size() == modes || refuse("not one for each mode");
  }

 private:
  static constexpr std::size_t kPrediction = 2, kProbabilities = 3, kUnknown = 4;
  static constexpr std::size_t kInList = 2, kInMode = 3, kInPlace = 4;  // depths

  bool refuse(const char* why) {
    problem = member_ < kMembers.size() ? joined({kMembers[member_], ": ", why}) : why;
    return false;
  }

  /// Takes a value of a kind that no member has.
  bool other() { return member_ == kUnknown || refuse("of another shape or type"); }

  bool number(double value) {
    if (depth_ == 0) return refuse("not an object");
    if (member_ == kUnknown) return true;
    const bool is_place = member_ == kPrediction && depth_ == kInPlace;
    const bool is_probability = member_ == kProbabilities && depth_ == kInList;
    if (!is_place && !is_probability) return other();
    if (!(std::abs(value) <= double{kMaxValue})) return refuse("too large a number");
    if (is_probability) {
      if (probabilities.size() == limits_.rollouts) return refuse("too many");
      probabilities.push_back(static_cast<float>(value));
      return true;
    }
    if (++values_ > 2) return refuse("a place is not two numbers");
    places.push_back(static_cast<float>(value));
    return true;
  }

  /// Tokens have no "_", which joins them in an id.
  static bool is_token(const std::string& text) {
    return !text.empty() && text.size() <= kMaxTokenBytes &&
           std::all_of(text.begin(), text.end(),
                       [](char c) { return c > ' ' && c <= '~' && c != '_'; });
  }

  const Limits& limits_;
  std::size_t member_ = kUnknown, depth_ = 0;
  std::size_t mode_steps_ = 0, values_ = 0;
  std::array<bool, 4> is_seen_{};
};

/// Parses a prediction.
///
/// Throws  corrupt_chunk, invalid_metadata and limit_exceeded, naming the member
PredictionMembers members_of(std::string_view text, const Limits& limits) {
  PredictionMembers out(limits);
  const bool is_read = parse_json_events(text, out) && out.is_complete();
  if (is_read) {
    check_limits(out.modes, 1, out.steps, 2, limits);
    return out;
  }
  if (out.problem.empty()) {
    fail(Errc::corrupt_chunk, {"not JSON, or a number that is not finite"});
  }
  const bool is_limit = out.problem.find("too many") != std::string::npos;
  fail(is_limit ? Errc::limit_exceeded : Errc::invalid_metadata, {out.problem});
}

class NuscenesForm final : public OwnForm {
 public:
  FuturesData read(std::string_view bytes, const ScenarioRange& scenario,
                   const Limits& limits) const override {
    auto found = members_of(bytes, limits);
    auto& [instance, sample] = found.tokens;
    if (nuscenes_id(instance, sample) != scenario.id) {
      fail(Errc::invalid_metadata, {"another prediction than in the index (found ",
                                    nuscenes_id(instance, sample), ")"});
    }
    FuturesData out;
    out.scenario_id = scenario.id;
    out.ids = {0};
    out.names = {std::move(instance)};
    out.rollouts = found.modes;
    out.steps = found.steps;
    out.first_step = 1;
    out.pose_values = 2;
    out.is_joint = false;
    out.poses.resize(found.places.size());
    for (std::size_t m = 0; m < out.rollouts; ++m) {
      for (std::size_t t = 0; t < out.steps; ++t) {
        for (std::size_t v = 0; v < 2; ++v) {
          out.poses[(m * 2 + v) * out.steps + t] =
              found.places[(m * out.steps + t) * 2 + v];
        }
      }
    }
    out.scores = std::move(found.probabilities);
    return out;
  }
};

}  // namespace

std::string nuscenes_id(std::string_view instance, std::string_view sample) {
  return joined({instance, "_", sample});
}

NuscenesIndexer::NuscenesIndexer(std::string name, std::uint64_t file_size)
    : size_(file_size),
      items_(convert::JsonItems::Root::array,
             [this](const convert::JsonItems::Item& item) { add(item); }) {
  out_.name = std::move(name);
}

std::optional<ByteRange> NuscenesIndexer::missing() const {
  if (at_ == size_) return std::nullopt;
  return ByteRange{at_, std::min(at_ + kJsonWindow, size_)};
}

void NuscenesIndexer::supply(std::span<const std::byte> bytes) {
  const auto expected = missing().value().size();
  if (bytes.size() != expected) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"wrong length (found ", bytes.size(), " bytes, expected ", expected, ")"});
  }
  at_ += bytes.size();
  try {
    items_.push({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    if (at_ == size_) items_.end();
  } catch (const Error& error) {
    fail_at(error.code(), out_.name, {error.what()});
  }
  if (at_ == size_) finish();
}

void NuscenesIndexer::add(const convert::JsonItems::Item& item) {
  if (out_.scenarios.size() == kMaxScenarios) {
    fail(Errc::limit_exceeded,
         {"too many predictions (expected at most ", kMaxScenarios, ")"});
  }
  try {
    const auto found = members_of(item.text, Limits());
    out_.scenarios.push_back({nuscenes_id(found.tokens[0], found.tokens[1]),
                              {item.begin, item.begin + item.text.size()}});
  } catch (const Error& error) {
    fail(error.code(), {"prediction ", out_.scenarios.size(), ": ", error.what()});
  }
}

void NuscenesIndexer::finish() {
  check_scenarios(out_, "a submission to the nuScenes prediction challenge");
  out_.kind = SubmissionKind::nuscenes;
  out_.own = std::make_shared<NuscenesForm>();
}

SubmissionShard NuscenesIndexer::take() {
  return std::move(out_);
}

}  // namespace bev::futures
