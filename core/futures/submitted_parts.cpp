#include "core/futures/submitted_parts.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/base/error.hpp"
#include "core/futures/nuscenes_predictions.hpp"
#include "core/futures/own_form.hpp"

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

/// Returns the scenario that a submission has of a scene, but of nuScenes.
const std::string& id_in(SubmissionKind kind, const RecordedScene& scene) {
  return kind == SubmissionKind::interpret ? scene.case_id : scene.scenario.id;
}

/// Returns the frame of a prediction's sample; nullopt if the scene lacks it.
std::optional<std::int64_t> sample_frame(const FuturesData& prediction,
                                         const RecordedScene& scene) {
  for (std::size_t i = 0; i < scene.samples.size(); ++i) {
    const auto id = nuscenes_id(prediction.names.front(), scene.samples[i]);
    if (id == prediction.scenario_id) return static_cast<std::int64_t>(i);
  }
  return std::nullopt;
}

/// Gives agents with names the ids of their tracks.
void number_agents(const RecordedScene& scene, std::vector<FuturesData>& futures) {
  for (auto& one : futures) {
    for (std::size_t a = 0; a < one.names.size(); ++a) {
      const auto found = scene.names.find(one.names[a]);
      if (found != scene.names.end()) {
        one.ids[a] = static_cast<std::uint64_t>(found->second);
        continue;
      }
      const auto number = own_agent_id(one.names[a]);
      one.ids[a] = number && *number != kEgoId ? *number : kUnknownAgent + a;
    }
  }
}

/// Makes an instance one to be predicted, if the challenge asks for it.
void predict(const std::string& instance, std::int64_t frame, RecordedScene& scene) {
  auto& scenario = scene.scenario;
  const auto is_asked = [&](const auto& one) {
    return one.first == instance && one.second == frame;
  };
  if (!scene.predicted.empty() &&
      std::none_of(scene.predicted.begin(), scene.predicted.end(), is_asked)) {
    return;
  }
  const auto id = scene.names.find(instance);
  if (id == scene.names.end()) return;
  const auto track =
      std::find_if(scenario.tracks.begin(), scenario.tracks.end(),
                   [&](const auto& one) { return one.id == id->second; });
  if (track == scenario.tracks.end()) return;
  scenario.predictions.push_back(
      {static_cast<std::int64_t>(track - scenario.tracks.begin()), 0});
}

/// Begins futures at a sample.
void begin_at(std::int64_t frame, RecordedScene& scene,
              std::vector<FuturesData>& futures) {
  for (auto& one : futures) one.first_step += frame;
  scene.scenario.current_time_index = frame;
  scene.scenario.predictions.clear();
}

}  // namespace

std::vector<SubmittedPart> submitted_parts(const Submission& submission,
                                           const RecordedScene& scene,
                                           JoinReport& report) {
  auto out = submission.kind == SubmissionKind::nuscenes
                 ? predictions_in(submission, scene, report)
                 : std::vector<SubmittedPart>();
  if (submission.kind != SubmissionKind::nuscenes) {
    if (const auto place = submission.find(id_in(submission.kind, scene))) {
      out.push_back({*place});
    }
  }
  const bool is_missing = out.empty() && scene.predicted.empty();
  if (is_missing) report.add(Mismatch::scenario_missing, scene.scenario.id);
  return out;
}

void begin_part(const SubmittedPart& part, RecordedScene& scene,
                std::vector<FuturesData>& futures) {
  number_agents(scene, futures);
  if (part.instance.empty()) return;
  begin_at(part.frame, scene, futures);
  predict(part.instance, part.frame, scene);
}

void begin_parts(SubmissionKind kind, RecordedScene& scene,
                 std::vector<FuturesData>& futures) {
  std::optional<std::int64_t> frame;
  for (const auto& one : futures) {
    const bool is_sample = kind == SubmissionKind::nuscenes;
    const auto found = is_sample ? sample_frame(one, scene) : std::nullopt;
    const bool is_of_scene = is_sample ? found && (!frame || *frame == *found)
                                       : one.scenario_id == id_in(kind, scene);
    if (!is_of_scene) {
      fail(Errc::invalid_argument,
           {"futures of scenario ", one.scenario_id, ": the scene is another (found ",
            is_sample ? scene.scenario.id : id_in(kind, scene), ")"});
    }
    frame = found;
  }
  number_agents(scene, futures);
  if (!frame) return;
  begin_at(*frame, scene, futures);
  if (scene.predicted.empty()) {
    for (const auto& one : futures) predict(one.names.front(), *frame, scene);
  }
  for (const auto& [instance, at] : scene.predicted) {
    if (at == *frame) predict(instance, at, scene);
  }
}

}  // namespace bev::futures
