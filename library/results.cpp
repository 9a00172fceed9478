#include "include/bevscope/results.hpp"

#include <limits>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/futures/score_tables.hpp"
#include "core/futures/scores.hpp"
#include "core/futures/shard.hpp"
#include "core/futures/submitted_parts.hpp"

namespace bev {
namespace {

SubmittedFutures submitted(futures::FuturesData from) {
  SubmittedFutures out;
  out.ids = std::move(from.ids);
  out.names = std::move(from.names);
  out.rollouts = from.rollouts;
  out.steps = from.steps;
  out.pose_values = from.pose_values;
  out.first_step = from.first_step;
  out.step_stride = from.step_stride;
  out.is_joint = from.is_joint;
  out.poses = std::move(from.poses);
  out.sizes = std::move(from.sizes);
  out.scores = std::move(from.scores);
  out.valid = std::move(from.valid);
  return out;
}

double or_nan(const std::optional<double>& value) {
  return value.value_or(std::numeric_limits<double>::quiet_NaN());
}

}  // namespace

struct Submission::Impl {
  std::vector<SubmissionFile> files;
  futures::Submission all;

  std::vector<futures::FuturesData> read(futures::Submission::Place place) const {
    const auto& shard = all.shards[place.shard];
    const auto& scenario = all.at(place);
    const auto bytes = files[place.shard].read(scenario.bytes);
    return futures::read_shard(
        {reinterpret_cast<const char*>(bytes.data()), bytes.size()}, shard, scenario);
  }
};

Submission::Submission(std::vector<SubmissionFile> files)
    : impl_(std::make_unique<Impl>()) {
  std::vector<futures::SubmissionShard> shards;
  for (const auto& file : files) {
    futures::ShardIndexer indexer(file.name, file.size,
                                  {file.side_file, file.is_side_file_older});
    while (const auto range = indexer.missing()) {
      const auto bytes = file.read(*range);
      if (bytes.size() != range->size()) {
        fail_at(Errc::changed, file.name, {"shorter than its size"});
      }
      indexer.supply(bytes);
    }
    shards.push_back(indexer.take());
  }
  impl_->all = futures::joined_shards(std::move(shards));
  impl_->files = std::move(files);
}
Submission::Submission(Submission&&) noexcept = default;
Submission& Submission::operator=(Submission&&) noexcept = default;
Submission::~Submission() = default;

std::string_view Submission::kind() const noexcept {
  return futures::to_string(impl_->all.kind);
}

ModelCard Submission::card() const {
  const auto& card = impl_->all.card;
  return {card.method, card.affiliation, card.parameters, card.link};
}

std::vector<std::string> Submission::notices() const {
  return impl_->all.notices();
}

std::vector<std::string> Submission::scenarios() const {
  std::vector<std::string> out;
  for (const auto& shard : impl_->all.shards) {
    for (const auto& scenario : shard.scenarios) out.push_back(scenario.id);
  }
  return out;
}

std::vector<SubmittedFutures> Submission::read(std::string_view scenario) const {
  const auto place = impl_->all.find(scenario);
  if (!place) fail(Errc::not_found, {"submission: no scenario ", scenario});
  std::vector<SubmittedFutures> out;
  for (auto& one : impl_->read(*place)) out.push_back(submitted(std::move(one)));
  return out;
}

struct ScoreReader::Impl {
  futures::ScoreReader reader;
};

ScoreReader::ScoreReader() : impl_(std::make_unique<Impl>()) {}
ScoreReader::ScoreReader(ScoreReader&&) noexcept = default;
ScoreReader& ScoreReader::operator=(ScoreReader&&) noexcept = default;
ScoreReader::~ScoreReader() = default;

void ScoreReader::add(std::span<const std::byte> file, std::string_view name) {
  impl_->reader.add(file, name);
}

std::vector<ScoreTable> ScoreReader::finish() {
  std::vector<ScoreTable> out;
  for (auto& from : impl_->reader.finish()) {
    out.push_back({std::move(from.name), from.is_of_planner, from.is_of_futures,
                   std::move(from.columns), std::move(from.scenarios),
                   std::move(from.first_row), std::move(from.values)});
  }
  return out;
}

struct SubmissionScores::Impl {
  futures::SubmissionScores scores;

  /// Adds all that a submission has of a scene.
  std::vector<SubmissionScore> add(const Submission::Impl& submission,
                                   futures::RecordedScene recorded) {
    std::vector<SubmissionScore> out;
    for (const auto& part :
         futures::submitted_parts(submission.all, recorded, scores.report())) {
      auto read = submission.read(part.place);
      if (read.empty()) {
        scores.report().add(futures::Mismatch::scenario_missing, recorded.scenario.id);
        continue;
      }
      futures::begin_part(part, recorded, read);
      const auto score = scores.add(std::move(read), submission.all.kind, recorded, {});
      out.push_back({score.scenario_id, score.agents, score.evaluated, score.rollouts,
                     score.mismatches, or_nan(score.ade), or_nan(score.min_ade),
                     or_nan(score.fde), or_nan(score.min_fde),
                     or_nan(score.collision_rate)});
    }
    return out;
  }
};

SubmissionScores::SubmissionScores() : impl_(std::make_unique<Impl>()) {}
SubmissionScores::SubmissionScores(SubmissionScores&&) noexcept = default;
SubmissionScores& SubmissionScores::operator=(SubmissionScores&&) noexcept = default;
SubmissionScores::~SubmissionScores() = default;

bool SubmissionScores::add(const Submission& submission,
                           std::span<const std::byte> record, std::uint64_t offset,
                           SubmissionScore& out) {
  const auto content = convert::record_content(record, offset);
  futures::RecordedScene recorded{
      convert::waymo::parse_message(
          {reinterpret_cast<const char*>(content.data()), content.size()}),
      {}};
  const auto found = impl_->add(*submission.impl_, std::move(recorded));
  if (found.empty()) return false;
  out = found.front();
  return true;
}

std::vector<SubmissionScore> SubmissionScores::add(const Submission& submission,
                                                   const RecordedScene& scene) {
  futures::SceneColumns columns;
  const auto copy = [](auto& to, const auto& from) {
    to.assign(from.begin(), from.end());
  };
  copy(columns.timestamps, scene.timestamps);
  copy(columns.ego_translation, scene.ego_translation);
  copy(columns.ego_rotation, scene.ego_rotation);
  for (std::size_t i = 0; i + 1 < scene.agent_index_interval.size(); i += 2) {
    columns.frames.push_back(
        {scene.agent_index_interval[i], scene.agent_index_interval[i + 1]});
  }
  copy(columns.track_ids, scene.track_ids);
  copy(columns.centroids, scene.centroids);
  copy(columns.yaws, scene.yaws);
  copy(columns.extents, scene.extents);
  copy(columns.velocities, scene.velocities);
  copy(columns.label_probabilities, scene.label_probabilities);
  return impl_->add(*submission.impl_,
                    futures::recorded_scene(columns, scene.attributes));
}

std::string SubmissionScores::json() const {
  return impl_->scores.json();
}

}  // namespace bev
