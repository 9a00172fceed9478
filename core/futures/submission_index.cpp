#include "core/futures/submission_index.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "core/map/wire.hpp"

namespace bev::futures {
namespace {

// Depths of nesting: submission, scenario, joint scene or set of predictions, trajectory
// or prediction of an agent.
constexpr std::size_t kInSubmission = 0, kInScenario = 1, kInScene = 2,
                      kInTrajectory = 3;

constexpr std::size_t kMaxVarintBytes = 10;

std::string* card_text(ModelCard& card, std::uint32_t number) {
  switch (number) {
    case 4: return &card.method;
    case 6: return &card.affiliation;
    case 8: return &card.link;
    case 12: return &card.parameters;
    default: return nullptr;
  }
}

const char* card_field(std::uint32_t number) {
  switch (number) {
    case 4: return "unique_method_name";
    case 6: return "affiliation";
    case 8: return "method_link";
    default: return "num_model_parameters";
  }
}

}  // namespace

std::string_view to_string(SubmissionKind kind) noexcept {
  switch (kind) {
    case SubmissionKind::sim_agents: return "sim agents";
    case SubmissionKind::motion: return "motion prediction";
    case SubmissionKind::interaction: return "interaction prediction";
    case SubmissionKind::futures: return "joint futures";
    case SubmissionKind::predictions: return "predictions";
    case SubmissionKind::nuscenes: return "nuScenes prediction";
    case SubmissionKind::interpret: return "INTERPRET prediction";
    default: return "unknown";
  }
}

SubmissionIndexer::SubmissionIndexer(std::string name, std::uint64_t file_size)
    : size_(file_size) {
  out_.name = std::move(name);
  run();
}

void SubmissionIndexer::corrupt(Message problem) const {
  fail_at(Errc::corrupt_chunk, out_.name, {"byte ", at_, ": ", joined(problem)});
}

std::optional<ByteRange> SubmissionIndexer::missing() const {
  return missing_.size() == 0 ? std::nullopt : std::optional(missing_);
}

void SubmissionIndexer::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != missing_.size()) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"wrong length (found ", bytes.size(), " bytes, expected ", missing_.size(),
             ")"});
  }
  bytes_.assign(bytes.begin(), bytes.end());
  window_ = std::exchange(missing_, {});
  run();
}

SubmissionShard SubmissionIndexer::take() {
  return std::move(out_);
}

/// Requests the bytes from the current field to `end`, and more where messages are small.
void SubmissionIndexer::request(std::uint64_t end) {
  const auto ahead = last_length_ < kWindowBytes ? kWindowBytes : kHeadBytes;
  missing_ = {at_, std::min(std::max(end, at_ + ahead), size_)};
}

/// Reads fields until bytes are missing or the file ends.
void SubmissionIndexer::run() {
  for (;;) {
    if (at_ == (ends_.empty() ? size_ : ends_.back())) {
      if (ends_.empty()) return finish();
      end_message();
      continue;
    }
    const auto field = next_field();
    if (!field || !visit(*field)) return;
  }
}

/// Reads a varint before `limit` and moves `at` after it; nullopt if bytes are missing.
std::optional<std::uint64_t> SubmissionIndexer::varint(std::uint64_t& at,
                                                       std::uint64_t limit) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < kMaxVarintBytes; ++i, ++at) {
    if (at == limit) corrupt({"truncated field"});
    if (at < window_.begin || at >= window_.end) {
      request(std::min(at_ + 2 * kMaxVarintBytes, limit));
      return std::nullopt;
    }
    const auto byte = std::to_integer<std::uint64_t>(
        bytes_[static_cast<std::size_t>(at - window_.begin)]);
    value |= (byte & 0x7fU) << (7 * i);
    if (byte < 0x80) {
      ++at;
      return value;
    }
  }
  corrupt({"a number has more than 10 bytes"});
}

std::optional<SubmissionIndexer::Field> SubmissionIndexer::next_field() {
  const auto limit = ends_.empty() ? size_ : ends_.back();
  auto at = at_;
  const auto head = varint(at, limit);
  if (!head) return std::nullopt;
  if (*head > 0xffff'ffffU || *head < 8) corrupt({"no field number"});
  Field out{static_cast<std::uint32_t>(*head >> 3U),
            static_cast<std::uint32_t>(*head & 7U), at, 0};
  switch (out.wire_type) {
    case 0: {
      if (!varint(at, limit)) return std::nullopt;
      out.length = at - out.begin;
      break;
    }
    case 1: out.length = 8; break;
    case 5: out.length = 4; break;
    case 2: {
      const auto length = varint(at, limit);
      if (!length) return std::nullopt;
      out.begin = at;
      out.length = *length;
      break;
    }
    default:
      corrupt(
          {"field ", out.number, ": unexpected wire type (found ", out.wire_type, ")"});
  }
  if (out.length > limit - out.begin) {
    corrupt({"field ", out.number, ": truncated (found ", limit - out.begin,
             " bytes, expected ", out.length, ")"});
  }
  return out;
}

/// Returns the text of the current field; nullopt if its bytes are missing.
std::optional<std::string> SubmissionIndexer::text(const Field& field,
                                                   std::size_t limit,
                                                   const char* what) {
  if (field.length > limit) {
    fail_at(Errc::limit_exceeded, out_.name,
            {"byte ", at_, ": ", what, ": too long (found ", field.length,
             " bytes, expected at most ", limit, ")"});
  }
  if (field.end() > window_.end) {
    request(field.end());
    return std::nullopt;
  }
  const auto* const from = reinterpret_cast<const char*>(bytes_.data()) +
                           static_cast<std::size_t>(field.begin - window_.begin);
  std::string out(from, static_cast<std::size_t>(field.length));
  try {
    map::checked_utf8(out, what);
  } catch (const Error& error) {
    corrupt({error.what()});
  }
  return out;
}

void SubmissionIndexer::enter(const Field& field) {
  ends_.push_back(field.end());
  at_ = field.begin;
}

/// Visits a field and moves after it, into it or, at the end of what is of interest, to
/// the end of the message. Returns false if bytes are missing.
bool SubmissionIndexer::visit(const Field& field) {
  if (ends_.size() == kInSubmission) return visit_submission(field);
  if (++fields_ > kMaxFields) {
    fail_at(Errc::limit_exceeded, out_.name,
            {"scenario at byte ", scenario_.begin,
             ": too many fields before its id and contents (expected at most ",
             kMaxFields, ")"});
  }
  if (ends_.size() == kInScenario) return visit_scenario(field);
  if (ends_.size() == kInScene && field.is_message(1)) {
    enter(field);
  } else if (ends_.size() == kInTrajectory) {
    visit_trajectory(field);
  } else {
    at_ = field.end();
  }
  return true;
}

bool SubmissionIndexer::visit_submission(const Field& field) {
  if (field.is_message(1)) {
    if (out_.scenarios.size() == kMaxScenarios) {
      fail_at(Errc::limit_exceeded, out_.name,
              {"too many scenarios (expected at most ", kMaxScenarios, ")"});
    }
    last_length_ = field.length;
    scenario_ = {field.begin, field.end()};
    id_.clear();
    fields_ = 0;
    enter(field);
    return true;
  }
  auto* const target =
      field.wire_type == 2 ? card_text(out_.card, field.number) : nullptr;
  if (target != nullptr) {
    auto found = text(field, kMaxCardTextBytes, card_field(field.number));
    if (!found) return false;
    const bool is_link = field.number == 8;
    *target = is_link && !found->starts_with("https://") ? "" : std::move(*found);
  }
  if (++other_fields_ > kMaxFields) {
    fail_at(Errc::limit_exceeded, out_.name,
            {"too many fields besides scenarios (expected at most ", kMaxFields, ")"});
  }
  last_length_ = field.length;
  at_ = field.end();
  return true;
}

bool SubmissionIndexer::visit_scenario(const Field& field) {
  if (field.is_message(1)) {
    auto found = text(field, kMaxScenarioIdBytes, "scenario_id");
    if (!found) return false;
    id_ = std::move(*found);
  } else if (field.is_message(3)) {
    if (out_.kind == SubmissionKind::unknown) out_.kind = SubmissionKind::interaction;
  } else if (field.is_message(2) && out_.kind == SubmissionKind::unknown) {
    enter(field);
    return true;
  }
  const bool is_known = !id_.empty() && out_.kind != SubmissionKind::unknown;
  at_ = is_known ? scenario_.end : field.end();
  return true;
}

/// Tells by the fields of a trajectory or of an agent's prediction which it is, and goes
/// back to the scenario.
void SubmissionIndexer::visit_trajectory(const Field& field) {
  const bool is_object_id = field.number == 1 && field.wire_type == 0;
  const bool has_numbers = field.wire_type == 2 || field.wire_type == 5;
  const bool is_sim_agents =
      (field.number == 6 && field.wire_type == 0) ||
      (has_numbers && field.number >= 3 && field.number <= 9 && field.number != 6);
  if (!is_object_id && !is_sim_agents) {
    at_ = field.end();
    return;
  }
  out_.kind = is_object_id ? SubmissionKind::motion : SubmissionKind::sim_agents;
  at_ = id_.empty() ? ends_[kInScenario] : scenario_.end;
  ends_.resize(kInScenario);
}

void SubmissionIndexer::end_message() {
  ends_.pop_back();
  if (!ends_.empty()) return;
  if (id_.empty()) {
    fail_at(Errc::corrupt_chunk, out_.name,
            {"scenario at byte ", scenario_.begin, ": no scenario_id"});
  }
  out_.scenarios.push_back({id_, scenario_});
}

void SubmissionIndexer::finish() {
  check_scenarios(out_, "a submission to the Waymo Open Dataset Challenges");
}

void check_scenarios(const SubmissionShard& shard, std::string_view expected) {
  const auto& scenarios = shard.scenarios;
  if (scenarios.empty()) {
    fail_at(Errc::invalid_metadata, shard.name, {"no scenarios; not ", expected});
  }
  for (const auto& [id, bytes] : scenarios) {
    if (bytes.size() <= kMaxScenarioBytes) continue;
    fail_at(Errc::limit_exceeded, shard.name,
            {"scenario ", id, ": too large (found ", bytes.size(),
             " bytes, expected at most ", kMaxScenarioBytes, ")"});
  }
  std::vector<std::size_t> order(scenarios.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return scenarios[a].id != scenarios[b].id ? scenarios[a].id < scenarios[b].id
                                              : a < b;
  });
  const auto twice = std::adjacent_find(
      order.begin(), order.end(),
      [&](std::size_t a, std::size_t b) { return scenarios[a].id == scenarios[b].id; });
  if (twice == order.end()) return;
  fail_at(
      Errc::invalid_metadata, shard.name,
      {"scenario ", scenarios[*twice].id, ": occurs twice (at bytes ",
       scenarios[twice[0]].bytes.begin, " and ", scenarios[twice[1]].bytes.begin, ")"});
}

std::optional<Submission::Place> Submission::find(std::string_view id) const noexcept {
  const auto found = std::lower_bound(
      order_.begin(), order_.end(), id,
      [&](const Place& place, std::string_view wanted) {
        return shards[place.shard].scenarios[place.scenario].id < wanted;
      });
  if (found == order_.end()) return std::nullopt;
  if (shards[found->shard].scenarios[found->scenario].id != id) return std::nullopt;
  return *found;
}

std::vector<std::string> Submission::notices() const {
  std::vector<std::string> out;
  for (const auto& shard : shards) {
    if (!shard.notice.empty()) out.push_back(shard.notice);
  }
  return out;
}

Submission joined_shards(std::vector<SubmissionShard> shards) {
  if (shards.empty()) fail(Errc::invalid_argument, {"submission: no shards"});
  Submission out;
  out.card = shards.front().card;
  out.shards = std::move(shards);
  for (std::size_t i = 0; i < out.shards.size(); ++i) {
    const auto& shard = out.shards[i];
    if (out.kind == SubmissionKind::unknown) out.kind = shard.kind;
    if (shard.kind != SubmissionKind::unknown && shard.kind != out.kind) {
      fail_at(Errc::invalid_metadata, shard.name,
              {"shard of another kind (found ", to_string(shard.kind), ", expected ",
               to_string(out.kind), ")"});
    }
    if (shard.card.method != out.card.method) {
      fail_at(Errc::invalid_metadata, shard.name,
              {"shard of another method (found ", shard.card.method, ", expected ",
               out.card.method, ")"});
    }
    for (std::size_t k = 0; k < shard.scenarios.size(); ++k)
      out.order_.push_back({i, k});
  }
  const auto id = [&](const Submission::Place& place) -> const std::string& {
    return out.shards[place.shard].scenarios[place.scenario].id;
  };
  std::sort(out.order_.begin(), out.order_.end(), [&](const auto& a, const auto& b) {
    return id(a) != id(b) ? id(a) < id(b) : a.shard < b.shard;
  });
  const auto twice =
      std::adjacent_find(out.order_.begin(), out.order_.end(),
                         [&](const auto& a, const auto& b) { return id(a) == id(b); });
  if (twice != out.order_.end()) {
    fail_at(Errc::invalid_metadata, out.shards[twice[1].shard].name,
            {"scenario ", id(*twice), " is also in ", out.shards[twice->shard].name});
  }
  return out;
}

}  // namespace bev::futures
