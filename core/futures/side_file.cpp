#include "core/futures/side_file.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_events.hpp"
#include "core/futures/own_csv.hpp"

namespace bev::futures {
namespace {

constexpr const char* kSideFormat = "bevscope-submission-index";
constexpr std::uint64_t kHashedBytes = 4'096;

[[noreturn]] void invalid_side_file(Message problem) {
  fail(Errc::invalid_metadata, problem);
}

bool is_own(SubmissionKind kind) {
  return kind == SubmissionKind::futures || kind == SubmissionKind::predictions;
}

/// Takes the index of a side file from its text, and nothing else.
class SideFileReader final : public JsonEvents {
 public:
  std::string format, ends, kind;
  std::uint64_t version = 0, size = 0;
  ModelCard card;
  std::vector<ScenarioRange> scenarios;

  bool null() override { return false; }
  bool boolean(bool) override { return false; }
  bool number_integer(std::int64_t) override { return false; }
  bool number_float(double, const std::string&) override { return false; }
  bool binary(nlohmann::json::binary_t&) override { return false; }
  bool parse_error(std::size_t, const std::string&,
                   const nlohmann::detail::exception&) override {
    return false;
  }

  bool start_object(std::size_t) override { return depth_++ == 0; }
  bool end_object() override { return true; }
  bool key(std::string& name) override {
    key_ = std::move(name);
    return true;
  }

  bool start_array(std::size_t) override {
    values_ = 0;
    if (depth_ == kInScenarios) scenarios.push_back({});
    const bool is_list = depth_ == kInIndex || depth_ == kInScenarios;
    ++depth_;
    return is_list && key_ == "scenarios" && scenarios.size() <= kMaxScenarios;
  }
  bool end_array() override { return --depth_ == kInIndex || values_ == 3; }

  bool string(std::string& value) override {
    if (depth_ == kInScenario) {
      scenarios.back().id = std::move(value);
      return values_++ == 0 && scenarios.back().id.size() <= kMaxScenarioIdBytes;
    }
    const std::array<std::pair<const char*, std::string*>, 7> texts{
        {{"format", &format},
         {"ends", &ends},
         {"kind", &kind},
         {"method", &card.method},
         {"affiliation", &card.affiliation},
         {"link", &card.link},
         {"parameters", &card.parameters}}};
    for (const auto& [name, text] : texts) {
      if (key_ == name) *text = std::move(value);
    }
    return depth_ == kInIndex;
  }

  bool number_unsigned(std::uint64_t value) override {
    if (depth_ == kInScenario) {
      auto& bytes = scenarios.back().bytes;
      (values_ == 1 ? bytes.begin : bytes.end) = value;
      return values_++ != 0;
    }
    if (key_ == "version") version = value;
    if (key_ == "size") size = value;
    return depth_ == kInIndex;
  }

 private:
  static constexpr int kInIndex = 1, kInScenarios = 2, kInScenario = 3;

  int depth_ = 0, values_ = 0;
  std::string key_;
};

SubmissionKind kind_of(const std::string& text) {
  for (const auto kind : {SubmissionKind::unknown, SubmissionKind::sim_agents,
                          SubmissionKind::motion, SubmissionKind::interaction,
                          SubmissionKind::futures, SubmissionKind::predictions}) {
    if (text == to_string(kind)) return kind;
  }
  invalid_side_file({"unknown kind"});
}

bool is_valid(const ModelCard& card) {
  const auto is_short = [](const std::string& text) {
    return text.size() <= kMaxCardTextBytes;
  };
  return is_short(card.method) && is_short(card.affiliation) && is_short(card.link) &&
         is_short(card.parameters) &&
         (card.link.empty() || card.link.starts_with("https://"));
}

}  // namespace

ByteRange hashed_head(std::uint64_t file_size) noexcept {
  return {0, std::min(file_size, kHashedBytes)};
}

ByteRange hashed_tail(std::uint64_t file_size) noexcept {
  return {file_size - std::min(file_size, kHashedBytes), file_size};
}

std::string side_file_text(const SubmissionShard& shard, std::uint64_t file_size,
                           std::span<const std::byte> head,
                           std::span<const std::byte> tail) {
  if (shard.own && !shard.own->may_have_side_file()) {
    fail_at(Errc::unsupported, shard.name,
            {"no side file for a file of this form (expected a submission to the Waymo "
             "challenges, or CSV of our own form)"});
  }
  if (shard.own && shard.scenarios.front().bytes.begin > head.size()) {
    fail_at(Errc::unsupported, shard.name,
            {"no side file for CSV whose header ends after byte ", head.size()});
  }
  Sha256 hash;
  hash.add(head);
  hash.add(tail);
  auto scenarios = nlohmann::json::array();
  for (const auto& [id, bytes] : shard.scenarios) {
    scenarios.push_back(nlohmann::json::array({id, bytes.begin, bytes.end}));
  }
  const nlohmann::json out = {{"format", kSideFormat},
                              {"version", 1},
                              {"size", file_size},
                              {"ends", hash.hex()},
                              {"kind", to_string(shard.kind)},
                              {"method", shard.card.method},
                              {"affiliation", shard.card.affiliation},
                              {"link", shard.card.link},
                              {"parameters", shard.card.parameters},
                              {"scenarios", std::move(scenarios)}};
  auto text = out.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (text.size() > kMaxSideFileBytes) {
    fail_at(
        Errc::limit_exceeded, shard.name,
        {"too many scenarios for a side file (found ", shard.scenarios.size(), ")"});
  }
  return text;
}

SideFileIndex::SideFileIndex(std::string name, std::uint64_t file_size,
                             std::string_view text)
    : size_(file_size) {
  out_.name = std::move(name);
  if (text.size() > kMaxSideFileBytes) {
    fail(Errc::limit_exceeded, {"too large (found ", text.size(), " bytes)"});
  }
  SideFileReader found;
  if (!parse_json_events(text, found) || found.format != kSideFormat ||
      found.version != 1) {
    invalid_side_file({"not an index of a submission, version 1"});
  }
  if (found.size != size_) invalid_side_file({"of a file of another size"});
  if (!is_valid(found.card)) invalid_side_file({"invalid texts"});
  for (const auto& [id, bytes] : found.scenarios) {
    if (id.empty() || bytes.begin > bytes.end || bytes.end > size_) {
      invalid_side_file({"a scenario is outside of the file"});
    }
  }
  expected_ = std::move(found.ends);
  out_.kind = kind_of(found.kind);
  out_.card = std::move(found.card);
  out_.scenarios = std::move(found.scenarios);
  check_scenarios(out_, "the index of a submission");
}

std::optional<ByteRange> SideFileIndex::missing() const {
  if (is_complete_) return std::nullopt;
  return head_.empty() ? hashed_head(size_) : hashed_tail(size_);
}

void SideFileIndex::supply(std::span<const std::byte> bytes) {
  if (bytes.size() != missing().value().size()) {
    fail(Errc::corrupt_chunk, {"wrong length of what it is compared with"});
  }
  hash_.add(bytes);
  if (head_.empty()) {
    head_.assign(bytes.begin(), bytes.end());
  } else {
    finish();
  }
}

void SideFileIndex::finish() {
  if (hash_.hex() != expected_) {
    invalid_side_file({"of another file, or of an earlier content"});
  }
  if (is_own(out_.kind)) {
    const auto header =
        std::min<std::uint64_t>(out_.scenarios.front().bytes.begin, head_.size());
    const std::string_view text(reinterpret_cast<const char*>(head_.data()),
                                static_cast<std::size_t>(header));
    out_.own = csv_form(out_.name, text);
  }
  is_complete_ = true;
}

SubmissionShard SideFileIndex::take() {
  return std::move(out_);
}

}  // namespace bev::futures
