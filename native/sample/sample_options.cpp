#include "native/sample/sample_options.hpp"

#include <unistd.h>

#include <cstdio>
#include <limits>

#include "native/config/config_file.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

SampleKind kind_of(const cli::Arguments& arguments) {
  const auto kind = arguments.choice("kind", {"ego", "agent", "egoagent"});
  if (kind == "ego") return SampleKind::ego;
  return kind == "agent" ? SampleKind::agent : SampleKind::ego_agent;
}

std::uint32_t frames_of(const cli::Arguments& arguments, const std::string& option,
                        std::uint32_t usual) {
  const auto text = arguments.value(option);
  constexpr long long kMax = std::numeric_limits<std::uint32_t>::max();
  return text ? static_cast<std::uint32_t>(
                    cli::whole_number(*text, "--" + option, 0, kMax))
              : usual;
}

}  // namespace

std::vector<cli::Option> sample_option_list() {
  return with_read_options({
      {"config", "C", "L5Kit config, a YAML or JSON file. Required."},
      {"root", "DIR",
       "Folder that the config's semantic_map_key,\n"
       "satellite_map_key and dataset_meta_key refer to. Default:\n"
       "the environment variable L5KIT_DATA_FOLDER."},
      {"kind", "KIND",
       "ego       A sample per frame (EgoDataset). Default.\n"
       "agent     A sample per agent selected by a mask\n"
       "          (AgentDataset).\n"
       "egoagent  A sample per frame, with the ego vehicle among the\n"
       "          agents (EgoAgentDatasetVectorized)."},
      {"mask", "M",
       "Agents to select: a .npy, .npz or zarr array of bool (n),\n"
       "or of integers (n, 2): frames before and after. Default:\n"
       "the mask stored in the data set, otherwise computed."},
      {"min-history", "N", "Minimum frames before an agent. Default: 10."},
      {"min-future", "N",
       "Minimum frames after it. Default: 1. Both apply to\n"
       "masks of frames only."},
  });
}

SampleRequest sample_request(const cli::Arguments& arguments) {
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  const auto config = arguments.value("config");
  if (!config) throw cli::UsageError("--config is required");
  SampleRequest request;
  request.dataset = arguments.operands().front();
  request.reading = read_options(arguments);
  request.options.kind = kind_of(arguments);
  request.options.vectorized =
      arguments.has("vectorized") || request.options.kind == SampleKind::ego_agent;
  request.options.eval = arguments.has("eval");
  if (request.options.eval && request.options.kind != SampleKind::ego_agent) {
    throw cli::UsageError("--eval requires --kind egoagent");
  }
  request.root = arguments.value("root");
  request.mask = arguments.value("mask");
  request.minima.history = frames_of(arguments, "min-history", request.minima.history);
  request.minima.future = frames_of(arguments, "min-future", request.minima.future);
  request.options.config = read_config(*config);
  return request;
}

SampleTarget sample_target(const cli::Arguments& arguments) {
  const auto index = arguments.value("index");
  const auto output = arguments.value("output");
  if (!index) throw cli::UsageError("--index is required");
  if (!output) throw cli::UsageError("--output is required");
  return {*index, *output};
}

SelectionProgress selection_on_terminal(const std::string& command, bool quiet) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  return [shown, command](std::uint64_t done, std::uint64_t all) {
    if (!shown || all == 0) return;
    std::fprintf(stderr, "\rbevscope: %s: selecting, agent %llu of %llu%s",
                 command.c_str(), static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
}

}  // namespace bev::native
