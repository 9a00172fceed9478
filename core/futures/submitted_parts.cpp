#include "core/futures/submitted_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/nuscenes_predictions.hpp"

namespace bev::futures {
namespace {

/// The id of an agent that the scene lacks; its row follows.
constexpr std::uint64_t kUnknownAgent = std::uint64_t{1} << 63U;

std::vector<SubmittedPart> predictions_in(const Submission& submission,
                                          const RecordedScene& scene,
                                          JoinReport& report) {
  if (scene.samples.empty() && !scene.names.empty()) {
    fail(Errc::invalid_metadata,
         {"scenario ", scene.scenario.id,
          ": no tokens of samples; convert the version of nuScenes again"});
  }
  const std::map<std::string, std::int64_t> names(scene.names.begin(),
                                                  scene.names.end());
  std::vector<SubmittedPart> out;
  std::set<std::string> found;
  for (std::size_t i = 0; i < scene.samples.size(); ++i) {
    for (const auto& [instance, id] : names) {
      auto name = nuscenes_id(instance, scene.samples[i]);
      const auto place = submission.find(name);
      if (!place) continue;
      out.push_back({*place, instance, static_cast<std::int64_t>(i)});
      found.insert(std::move(name));
    }
  }
  for (const auto& [instance, frame] : scene.predicted) {
    const auto name =
        nuscenes_id(instance, scene.samples.at(static_cast<std::size_t>(frame)));
    if (!found.contains(name)) {
      report.add(Mismatch::agent_missing, joined({scene.scenario.id, "/", name}));
    }
  }
  return out;
}

}  // namespace

std::vector<SubmittedPart> submitted_parts(const Submission& submission,
                                           const RecordedScene& scene,
                                           JoinReport& report) {
  auto out = submission.kind == SubmissionKind::nuscenes
                 ? predictions_in(submission, scene, report)
                 : std::vector<SubmittedPart>();
  if (submission.kind != SubmissionKind::nuscenes) {
    if (const auto place = submission.find(scene.scenario.id)) out.push_back({*place});
  }
  const bool is_missing = out.empty() && scene.predicted.empty();
  if (is_missing) report.add(Mismatch::scenario_missing, scene.scenario.id);
  return out;
}

void begin_part(const SubmittedPart& part, RecordedScene& scene,
                std::vector<FuturesData>& futures) {
  for (auto& one : futures) {
    for (std::size_t a = 0; a < one.names.size(); ++a) {
      const auto found = scene.names.find(one.names[a]);
      one.ids[a] = found == scene.names.end()
                       ? kUnknownAgent + a
                       : static_cast<std::uint64_t>(found->second);
    }
  }
  if (part.instance.empty()) return;
  for (auto& one : futures) one.first_step += part.frame;
  auto& scenario = scene.scenario;
  scenario.current_time_index = part.frame;
  scenario.predictions.clear();
  const auto is_asked = [&](const auto& one) {
    return one.first == part.instance && one.second == part.frame;
  };
  if (!scene.predicted.empty() &&
      std::none_of(scene.predicted.begin(), scene.predicted.end(), is_asked)) {
    return;
  }
  const auto id = scene.names.at(part.instance);
  const auto track = std::find_if(scenario.tracks.begin(), scenario.tracks.end(),
                                  [&](const auto& one) { return one.id == id; });
  if (track == scenario.tracks.end()) return;
  scenario.predictions.push_back(
      {static_cast<std::int64_t>(track - scenario.tracks.begin()), 0});
}

}  // namespace bev::futures
