#include "native/mask/mask_command.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "native/cli/arguments.hpp"
#include "native/cli/output.hpp"
#include "native/mask/mask.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage usage() {
  return {
      .command = "mask",
      .synopsis = "DATASET --threshold P [--yaw D] [--extent R] [--distance M] -o OUT",
      .summary =
          "Selects agents: for each, the frames before and after it that show it.",
      .description =
          "For every row of DATASET/agents two numbers: how many frames of its scene, "
          "one\n"
          "after the other, show the same track before it, and how many after it. A "
          "frame\n"
          "shows an agent if its labels 3 to 15 (CAR to ANIMAL) sum up to more than P "
          "and\n"
          "it is less than M metres from the ego vehicle. A track begins anew after a\n"
          "gap, a turn of D degrees or more, or where the areas of its boxes in two\n"
          "frames differ by a factor of R or more. This is L5Kit's select_agents.\n"
          "\n"
          "OUT.npy   A (n, 2) array of uint32.\n"
          "OUT.zarr  The array agents_mask/P in that store, which is where L5Kit "
          "keeps\n"
          "          and looks for it; OUT.zarr may be DATASET. Rules other than "
          "L5Kit's\n"
          "          are told in the name: agents_mask/0.5_y5.0_e1.1_d50.0. A mask "
          "that\n"
          "          is there already is not replaced.\n"
          "\n"
          "A report follows on standard output (on standard error where OUT is -).",
      .options = with_read_options({
          {"threshold", "P", "Least sum of probabilities, not included. Required."},
          {"yaw", "D", "Degrees from frame to frame. Default: 30."},
          {"extent", "R", "Ratio of areas from frame to frame. Default: 1.1."},
          {"distance", "M",
           "Metres from the ego vehicle. Default: 50. All three\n"
           "may be inf: no limit."},
          {"output", "OUT",
           "NAME.npy, NAME.zarr, or - for npy on standard output.\n"
           "Required.",
           "o"},
          {"quiet", "", "No progress and no report."},
      }),
      .examples =
          "  bevscope mask sample.zarr --threshold 0.5 -o mask.npy\n"
          "  bevscope mask sample.zarr --threshold 0.5 -o sample.zarr",
  };
}

double number(const cli::Arguments& arguments, const std::string& option,
              double usual) {
  const auto text = arguments.value(option);
  if (!text) return usual;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  if (text->empty() || *end != '\0' || value != value) {
    throw cli::UsageError("--" + option + ": \"" + *text + "\", expected a number");
  }
  return value;
}

scene::SelectionRules rules_of(const cli::Arguments& arguments) {
  if (!arguments.has("threshold")) throw cli::UsageError("--threshold is missing");
  const scene::SelectionRules usual;
  return {
      .label_threshold = number(arguments, "threshold", usual.label_threshold),
      .max_yaw_step_deg = number(arguments, "yaw", usual.max_yaw_step_deg),
      .max_extent_ratio = number(arguments, "extent", usual.max_extent_ratio),
      .max_distance_to_ego = number(arguments, "distance", usual.max_distance_to_ego)};
}

MaskProgress progress_to_terminal(bool quiet) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  return [shown](std::uint64_t done, std::uint64_t all) {
    if (!shown) return;
    std::fprintf(stderr, "\rbevscope: mask: scene %llu of %llu%s",
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
}

}  // namespace

int mask_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  const auto rules = rules_of(arguments);
  const auto output = arguments.value("output").value_or("");
  const bool zarr = output.ends_with(".zarr") || output.ends_with(".zarr/");
  if (!zarr && output != "-" && !output.ends_with(".npy")) {
    throw cli::UsageError("--output: \"" + output +
                          "\", expected NAME.npy, NAME.zarr or -");
  }
  const bool quiet = arguments.has("quiet");
  const auto source =
      open_source(arguments.operands().front(), read_options(arguments));
  const auto progress = progress_to_terminal(quiet);
  const auto report = zarr ? write_mask_zarr(*source, rules, output, progress)
                           : write_mask_npy(*source, rules, output, progress);
  warn_of_missing(*source);
  if (quiet) return 0;
  if (output == "-") {
    std::fputs(report.c_str(), stderr);
  } else {
    cli::print(report);
  }
  return 0;
}

}  // namespace bev::native
