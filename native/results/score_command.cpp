#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/results/planner_scores.hpp"
#include "native/results/score.hpp"
#include "native/results/simulation_files.hpp"
#include "native/results/simulation_score.hpp"
#include "native/results/submission_files.hpp"
#include "native/scan/plan_options.hpp"

namespace bev::native {
namespace {

cli::Usage score_usage() {
  return {
      .command = "score",
      .synopsis = "SUBMISSION... --data SRC [OPTION]...",
      .summary = "Scores a submission to a challenge beside the recorded scenarios.",
      .description =
          "SUBMISSION is a shard of the Waymo Open Dataset Challenges (sim agents,\n"
          "scenario generation, motion or interaction prediction), a folder of files\n"
          "*.binproto*, a file of the nuScenes prediction challenge, results of\n"
          "PufferDrive or MTR, or futures as CSV, NPZ or Parquet. Scenarios and "
          "agents\n"
          "are joined by their ids.\n"
          "\n"
          "Writes a row per scenario, of nuScenes per prediction, and a summary as "
          "JSON:\n"
          "means, the challenge's metrics over the set, and what does not match, by "
          "name.\n"
          "docs/results.md defines the columns. The realism score of the Sim Agents\n"
          "challenge is not computed.\n"
          "\n"
          "Instead, SUBMISSION may be simulations of nuPlan's planners: logs\n"
          "(.msgpack.xz, .pkl.xz), serialized scenes (.json, .msgpack.xz), or folders "
          "of\n"
          "them. They need no --data: written are those of nuPlan's metrics that need "
          "no\n"
          "map, each as nuPlan defines it or, if lanes decide, as unknown. Or tables "
          "of\n"
          "nuPlan's metrics (*.parquet, or folders of them): written is a row per "
          "planner\n"
          "and scenario with the metrics of all tables.",
      .options =
          {{"data",
            "SRC",
            "TFRecord files of Waymo or folders of them, folders of versions of\n"
            "nuScenes, or converted data sets (.zarr, .zip). Required for\n"
            "submissions; may be repeated.",
            "",
            {},
            true},
           {"by-rollout", "", "Write a row per rollout or mode."},
           {"format", "FORMAT", "csv (default), json, npy or arrow (an IPC file)."},
           {"output", "OUT",
            "File of the rows, created when complete; the summary is then\n"
            "printed. Default and -: rows to standard output, no summary.",
            "o"},
           {"jobs", "N",
            "Scenarios that are scored at the same time. Default: one per\n"
            "processor."},
           {"quiet", "", "Do not show progress."}},
      .examples =
          "  bevscope score submission.binproto-* --data validation/ -o scores.csv\n"
          "  bevscope score motion.binproto --data val.zarr --format json\n"
          "  bevscope score simulation_log/ -o planners.csv\n"
          "  bevscope score metrics/ aggregator_metric/ -o planners.csv",
  };
}

cli::Usage futures_usage() {
  return {
      .command = "futures",
      .synopsis = "SUBMISSION... [--scenario ID | --index]",
      .summary = "Lists the scenarios of a submission to a challenge.",
      .description =
          "Prints, as JSON, the kind of the submission, what it states about its "
          "model\n"
          "(never account or e-mail address), and its scenarios with their bytes; "
          "with\n"
          "--scenario, the agents, rollouts and steps of one.",
      .options = {{"scenario", "ID", "Describe this scenario's futures."},
                  {"index", "",
                   "Write the index of each file beside it, as NAME.index.json, with\n"
                   "which large files open at once, also from a server."}},
      .examples =
          "  bevscope futures submission.binproto-*\n"
          "  bevscope futures submission.binproto-* --index",
  };
}

nlohmann::json described(const futures::FuturesData& one) {
  nlohmann::json out = {{"agents", one.ids},
                        {"rollouts", one.rollouts},
                        {"steps", one.steps},
                        {"firstStep", one.first_step},
                        {"stepStride", one.step_stride},
                        {"joint", one.is_joint},
                        {"values", one.pose_values == 4 ? "x,y,z,yaw" : "x,y"},
                        {"sizes", !one.sizes.empty()}};
  if (!one.scores.empty()) out["scores"] = one.scores;
  return out;
}

nlohmann::json listing(const futures::Submission& all) {
  auto scenarios = nlohmann::json::array();
  for (const auto& shard : all.shards) {
    for (const auto& scenario : shard.scenarios) {
      scenarios.push_back({{"id", scenario.id},
                           {"file", shard.name},
                           {"bytes", scenario.bytes.size()}});
    }
  }
  return {{"kind", futures::to_string(all.kind)},
          {"model",
           {{"method", all.card.method},
            {"affiliation", all.card.affiliation},
            {"link", all.card.link},
            {"parameters", all.card.parameters}}},
          {"files", all.shards.size()},
          {"scenarios", scenarios}};
}

/// Tells which side files are ignored.
void print_notices(const SubmissionFiles& submission) {
  for (const auto& one : submission.all().notices()) {
    std::fprintf(stderr, "bevscope: warning: %s\n", one.c_str());
  }
}

void print_json(const nlohmann::json& value) {
  cli::print(value.dump(1, ' ', true, nlohmann::json::error_handler_t::replace) + "\n");
}

/// Writes rows that need no data; `write_rows` returns the summary.
template <class WriteRows>
int score_alone(const cli::Arguments& arguments, WriteRows write_rows) {
  if (arguments.has("by-rollout")) {
    throw cli::UsageError("--by-rollout is not for simulations and planners' scores");
  }
  const auto format = arguments.choice("format", {"csv", "json", "npy", "arrow"});
  const auto output = arguments.value("output").value_or("-");
  cli::require_legible(output, format);
  cli::Output out(output);
  const nlohmann::json summary =
      write_rows(arguments.operands(), format,
                 [&](std::span<const std::byte> bytes) { out.write(bytes); });
  out.commit();
  if (output != "-") print_json(summary);
  return 0;
}

}  // namespace

int score_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(score_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(score_usage()));
    return 0;
  }
  if (arguments.operands().empty()) {
    throw cli::UsageError("no files given, expected SUBMISSION...");
  }
  ScoreOptions options;
  options.data = arguments.all("data");
  if (options.data.empty() && are_planner_scores(arguments.operands())) {
    return score_alone(arguments, write_planner_scores);
  }
  if (options.data.empty() && are_simulations(arguments.operands())) {
    return score_alone(arguments, [](const auto&... given) {
      return nlohmann::json{{"simulations", score_simulations(given...)}};
    });
  }
  if (options.data.empty()) throw cli::UsageError("no data given, expected --data SRC");
  options.by_rollout = arguments.has("by-rollout");
  options.format = arguments.choice("format", {"csv", "json", "npy", "arrow"});
  const auto jobs = arguments.value("jobs");
  options.jobs =
      jobs ? static_cast<std::size_t>(cli::whole_number(*jobs, "--jobs", 1, 1024))
           : std::max(1U, std::thread::hardware_concurrency());
  const auto output = arguments.value("output").value_or("-");
  cli::require_legible(output, options.format);
  options.progress = shown_by("score", arguments.has("quiet"), output == "-").progress;
  const SubmissionFiles submission(arguments.operands());
  print_notices(submission);
  cli::Output out(output);
  const auto summary = score_submission(
      submission, options, [&](std::span<const std::byte> bytes) { out.write(bytes); });
  out.commit();
  if (output != "-") cli::print(summary + "\n");
  return 0;
}

int futures_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(futures_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(futures_usage()));
    return 0;
  }
  if (arguments.operands().empty()) {
    throw cli::UsageError("no files given, expected SUBMISSION...");
  }
  const auto scenario = arguments.value("scenario");
  if (arguments.has("index")) {
    if (scenario) throw cli::UsageError("--scenario and --index exclude each other");
    const SubmissionFiles submission(arguments.operands(), SideFiles::ignore);
    for (const auto& path : submission.write_side_files()) cli::print(path + "\n");
    return 0;
  }
  const SubmissionFiles submission(arguments.operands());
  print_notices(submission);
  if (!scenario) {
    print_json(listing(submission.all()));
    return 0;
  }
  const auto place = submission.all().find(*scenario);
  if (!place) fail(Errc::not_found, {"submission: no scenario ", *scenario});
  auto out = nlohmann::json::array();
  for (const auto& one : submission.read(*place)) out.push_back(described(one));
  print_json(out);
  return 0;
}

}  // namespace bev::native
