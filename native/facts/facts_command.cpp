#include <cstdio>
#include <string>
#include <string_view>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/facts/facts.hpp"
#include "native/scan/plan_options.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage facts_usage() {
  return {
      .command = "facts",
      .synopsis =
          "DATASET [--tracks] [--where FILTER] [--map FILE] [--format FORMAT] "
          "[--compute] [-o OUT]",
      .summary = "Writes facts of scenes or tracks, to find scenarios.",
      .description =
          "Computes facts of each scene: how the ego vehicle drives, brakes and\n"
          "turns, how close others come, the least time to collision, cut-ins,\n"
          "the light at the stop line. With --tracks, facts of each track.\n"
          "docs/scenarios.md defines them. Facts that `bevscope index` wrote beside\n"
          "the data set are read; those of changed or new scenes are computed.\n"
          "\n"
          "FILTER is a condition on the facts, in the language of `bevscope scan`.",
      .options = with_read_options({
          {"tracks", "", "Write facts of tracks instead of scenes."},
          {"compute", "", "Compute all facts, also those that bevscope index wrote."},
          {"where", "FILTER", "Write only rows that pass this filter."},
          {"tag", "TAG",
           "Write only rows of scenes with this tag, as the filter\n"
           "has_tag(\"TAG\") does. Logs of nuPlan have scenario tags."},
          {"map", "FILE",
           "Semantic map (semantic_map.pb) for the light at the stop line, with\n"
           "meta.json in its folder or the folder above. Default: none; the\n"
           "light is unknown."},
          {"format", "FORMAT", "csv (default), json, npy or arrow (an IPC file)."},
          {"output", "OUT",
           "Output file, created when complete. Default and -: standard\n"
           "output.",
           "o"},
          {"quiet", "", "Do not show progress."},
      }),
      .examples =
          "  bevscope facts sample.zarr --where \"turn == 'left' and min_ttc < 2\"\n"
          "  bevscope facts sample.zarr --tracks --where \"cut_in\" --format json\n"
          "  bevscope facts scenes/town.zarr --map semantic_map/semantic_map.pb \\\n"
          "    --where \"light == 'yellow'\"",
  };
}

}  // namespace

int facts_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(facts_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(facts_usage()));
    return 0;
  }
  FactsOptions options;
  if (arguments.has("tracks")) options.table = facts::TableKind::tracks;
  options.where = arguments.value("where").value_or("");
  options.tag = arguments.value("tag");
  options.format = arguments.choice("format", {"csv", "json", "npy", "arrow"});
  const auto output = arguments.value("output").value_or("-");
  cli::require_legible(output, options.format);
  options.progress = shown_by("facts", arguments.has("quiet"), output == "-").progress;
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  if (const auto map = arguments.value("map")) {
    options.map = read_semantic_map(*map);
    options.map_mark = semantic_map_mark(*map);
  }
  options.uses_file = !arguments.has("compute");
  options.on_notice = [](const std::string& notice) {
    std::fprintf(stderr, "bevscope: warning: %s\n", notice.c_str());
  };
  cli::Output out(output);
  at_dataset(dataset_of(arguments), [&] {
    write_facts(*source, options,
                [&](std::span<const std::byte> bytes) { out.write(bytes); });
  });
  source->check_unchanged();
  out.commit();
  return 0;
}

}  // namespace bev::native
