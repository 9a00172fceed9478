#include "native/results/score.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/futures/scores.hpp"
#include "core/futures/submitted_parts.hpp"
#include "core/zarr/dtype.hpp"
#include "native/results/recorded_scenarios.hpp"
#include "native/source/workers.hpp"

namespace bev::native {
namespace {

using futures::ScenarioScore;
using futures::Submission;

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// A column of numbers.
struct ScoreColumn {
  const char* name;
  bool is_count = false;
};

/// Packs rows of a scenario's id and numbers.
class ScoreRows {
 public:
  ScoreRows(std::size_t id_length, std::span<const ScoreColumn> columns)
      : columns_(columns) {
    row_.kind = zarr::Kind::record;
    add("scenario_id", "<U" + std::to_string(id_length));
    for (const auto& [name, is_count] : columns) add(name, is_count ? "<u4" : "<f8");
  }

  const zarr::DType& type() const noexcept { return row_; }

  void append(std::string_view id, std::initializer_list<double> values) {
    const auto begin = bytes_.size();
    bytes_.resize(begin + row_.item_size);
    auto* to = bytes_.data() + begin;
    for (const char letter : id) {  // ids that are not ASCII are refused before
      store_le(to, static_cast<std::uint32_t>(letter));
      to += 4;
    }
    const auto* value = values.begin();
    for (std::size_t i = 0; i < columns_.size(); ++i, ++value) {
      to = bytes_.data() + begin + row_.fields[i + 1].offset;
      if (columns_[i].is_count) {
        store_le(to, static_cast<std::uint32_t>(*value));
      } else {
        store_le(to, *value);
      }
    }
    ++count_;
  }

  std::uint64_t count() const noexcept { return count_; }
  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  void clear() {
    bytes_.clear();
    count_ = 0;
  }

 private:
  void add(const char* name, const std::string& code) {
    zarr::Field field;
    field.name = name;
    field.offset = row_.item_size;
    field.type = zarr::parse_dtype(nlohmann::json(code), "scores");
    row_.item_size += field.type.size();
    row_.fields.push_back(std::move(field));
  }

  std::span<const ScoreColumn> columns_;
  zarr::DType row_;
  std::vector<std::byte> bytes_;
  std::uint64_t count_ = 0;
};

constexpr ScoreColumn kScenarioColumns[] = {{"agents", true},
                                            {"evaluated", true},
                                            {"rollouts", true},
                                            {"mismatches", true},
                                            {"ade"},
                                            {"min_ade"},
                                            {"fde"},
                                            {"min_fde"},
                                            {"collision_rate"},
                                            {"off_lane_rate"},
                                            {"best_rollout"}};
constexpr ScoreColumn kRolloutColumns[] = {
    {"rollout", true}, {"ade"}, {"fde"}, {"colliding"}, {"leaving_lanes"}};

void append_score(ScoreRows& rows, const ScenarioScore& score, bool by_rollout,
                  bool has_lanes, bool has_headings) {
  if (!by_rollout) {
    rows.append(score.scenario_id,
                {double(score.agents), double(score.evaluated), double(score.rollouts),
                 static_cast<double>(score.mismatches), score.ade.value_or(kNone),
                 score.min_ade.value_or(kNone), score.fde.value_or(kNone),
                 score.min_fde.value_or(kNone), score.collision_rate.value_or(kNone),
                 score.off_lane_rate.value_or(kNone),
                 score.best_rollout ? double(*score.best_rollout) : kNone});
    return;
  }
  for (std::size_t r = 0; r < score.by_rollout.size(); ++r) {
    const auto& one = score.by_rollout[r];
    rows.append(score.scenario_id,
                {static_cast<double>(r), one.ade.value_or(kNone),
                 one.fde.value_or(kNone), has_headings ? double(one.colliding) : kNone,
                 has_lanes ? double(one.leaving_lanes) : kNone});
  }
}

/// Returns the length of the longest id.
std::size_t longest_id(const Submission& submission) {
  std::size_t longest = 1;
  for (const auto& shard : submission.shards) {
    for (const auto& scenario : shard.scenarios) {
      longest = std::max(longest, scenario.id.size());
      const bool is_ascii = std::all_of(scenario.id.begin(), scenario.id.end(),
                                        [](char c) { return c >= ' ' && c <= '~'; });
      if (is_ascii) continue;
      fail_at(
          Errc::unsupported, shard.name,
          {"scores of scenarios whose ids are not ASCII (found ", scenario.id, ")"});
    }
  }
  return longest;
}

/// Scores scenarios, some at the same time.
class Scorer {
 public:
  Scorer(const SubmissionFiles& submission, const ScoreOptions& options,
         const Write& write)
      : submission_(submission),
        options_(options),
        rows_(longest_id(submission.all()),
              options.by_rollout ? std::span<const ScoreColumn>(kRolloutColumns)
                                 : std::span<const ScoreColumn>(kScenarioColumns)),
        write_(write) {
    for (const auto& shard : submission.all().shards) {
      is_found_.emplace_back(shard.scenarios.size());
    }
    if (options.format != "npy") begin(0);
  }

  void add(PendingScenario scenario) {
    pending_.push_back(std::move(scenario));
    if (pending_.size() >= std::max<std::size_t>(options_.jobs, 1)) flush();
  }

  std::string finish() {
    flush();
    if (found_ == 0) {
      fail(Errc::not_found, {"no recorded scenario is in the submission"});
    }
    if (!writer_) begin(rows_.count());
    writer_->rows(rows_.count(), rows_.bytes());
    writer_->finish();
    report_unknown();
    return scores_.json();
  }

 private:
  /// What a scenario of the submission was found to be.
  struct ScoredPart {
    Submission::Place place;
    futures::SubmissionScores scores{};
    std::optional<ScenarioScore> score{};
  };

  struct Scored {
    futures::JoinReport report;
    std::vector<ScoredPart> parts;
    bool has_lanes = false;
  };

  void begin(std::uint64_t count) {
    writer_ = make_row_writer(options_.format, {rows_.type(), "scores", count}, write_);
  }

  Scored scored(const PendingScenario& pending) const {
    Scored out;
    auto recorded = pending.read();
    out.has_lanes = pending.is_on_lane != nullptr;
    const auto kind = submission_.all().kind;
    for (const auto& part :
         futures::submitted_parts(submission_.all(), recorded, out.report)) {
      auto& one = out.parts.emplace_back(ScoredPart{part.place});
      auto futures = submission_.read(part.place);
      if (futures.empty()) continue;
      futures::begin_part(part, recorded, futures);
      one.score =
          one.scores.add(std::move(futures), kind, recorded, pending.is_on_lane);
    }
    return out;
  }

  void take(Scored& scored) {
    scores_.report().add(scored.report);
    for (auto& part : scored.parts) take(part, scored.has_lanes);
  }

  void take(ScoredPart& one, bool has_lanes) {
    auto&& is_found = is_found_[one.place.shard][one.place.scenario];
    if (is_found) {
      scores_.report().add(futures::Mismatch::scenario_repeated,
                           submission_.all().at(one.place).id);
      return;
    }
    is_found = true;
    ++found_;
    if (!one.score) return;
    scores_.add(one.scores);
    append_score(rows_, *one.score, options_.by_rollout, has_lanes,
                 one.score->collision_rate.has_value());
    if (options_.progress) options_.progress(found_, submission_.all().size());
    if (!writer_) return;
    writer_->rows(rows_.count(), rows_.bytes());
    rows_.clear();
  }

  void flush() {
    std::vector<Scored> all(pending_.size());
    on_threads(all.size(), [&](std::size_t i) { all[i] = scored(pending_[i]); });
    pending_.clear();
    for (auto& one : all) take(one);
  }

  void report_unknown() {
    const auto& shards = submission_.all().shards;
    for (std::size_t s = 0; s < shards.size(); ++s) {
      for (std::size_t i = 0; i < shards[s].scenarios.size(); ++i) {
        if (is_found_[s][i]) continue;
        scores_.report().add(futures::Mismatch::scenario_unknown,
                             shards[s].scenarios[i].id);
      }
    }
  }

  const SubmissionFiles& submission_;
  const ScoreOptions& options_;
  ScoreRows rows_;
  const Write& write_;
  std::unique_ptr<RowWriter> writer_;
  std::vector<std::vector<bool>> is_found_;
  std::vector<PendingScenario> pending_;
  futures::SubmissionScores scores_;
  std::uint64_t found_ = 0;
};

}  // namespace

std::string score_submission(const SubmissionFiles& submission,
                             const ScoreOptions& options, const Write& write) {
  Scorer scorer(submission, options, write);
  each_recorded(options.data, [&](PendingScenario one) { scorer.add(std::move(one)); });
  return scorer.finish();
}

}  // namespace bev::native
