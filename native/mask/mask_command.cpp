#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/mask/mask.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage mask_usage() {
  return {
      .command = "mask",
      .synopsis = "DATASET --threshold P [--yaw D] [--extent R] [--distance M] -o OUT",
      .summary = "Selects agents by track length.",
      .description =
          "Computes two numbers per row of DATASET/agents: in how many consecutive\n"
          "frames of its scene the same track is visible before this frame, and\n"
          "after it. An agent is visible if the probabilities of labels 3 to 15\n"
          "(CAR to ANIMAL) add up to more than P and it is less than M metres from\n"
          "the ego vehicle. A track ends at a gap, at a turn of D degrees or more,\n"
          "and if the box area changes by a factor of R or more between two\n"
          "frames. This is L5Kit's select_agents.\n"
          "\n"
          "OUT.npy   An array of uint32, shape (n, 2).\n"
          "OUT.zarr  The array agents_mask/P in that store, where L5Kit expects\n"
          "          it; OUT.zarr may be DATASET. Rules other than L5Kit's are\n"
          "          part of the name: agents_mask/0.5_y5.0_e1.1_d50.0. An\n"
          "          existing mask is not replaced.\n"
          "\n"
          "Prints a report to standard output, or to standard error if OUT is -.",
      .options = with_read_options({
          {"threshold", "P", "Minimum sum of probabilities (exclusive). Required."},
          {"yaw", "D", "Maximum turn between frames in degrees. Default: 30."},
          {"extent", "R", "Maximum ratio of box areas between frames. Default: 1.1."},
          {"distance", "M",
           "Maximum distance from the ego vehicle in metres. Default: 50.\n"
           "The three limits may be inf."},
          {"output", "OUT",
           "NAME.npy, NAME.zarr, or - for npy on standard output.\n"
           "Required.",
           "o"},
          {"quiet", "", "Do not show progress or the report."},
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
    throw cli::UsageError("--" + option + ": not a number (found \"" + *text + "\")");
  }
  return value;
}

scene::SelectionRules rules_of(const cli::Arguments& arguments) {
  if (!arguments.has("threshold")) throw cli::UsageError("--threshold is required");
  const scene::SelectionRules usual;
  return {
      .label_threshold = number(arguments, "threshold", usual.label_threshold),
      .max_yaw_step_deg = number(arguments, "yaw", usual.max_yaw_step_deg),
      .max_extent_ratio = number(arguments, "extent", usual.max_extent_ratio),
      .max_distance_to_ego = number(arguments, "distance", usual.max_distance_to_ego)};
}

MaskProgress mask_progress(bool quiet) {
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
  const auto arguments = cli::parse_arguments(mask_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(mask_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  const auto rules = rules_of(arguments);
  const auto output = arguments.value("output").value_or("");
  const bool zarr = output.ends_with(".zarr") || output.ends_with(".zarr/");
  if (!zarr && output != "-" && !output.ends_with(".npy")) {
    throw cli::UsageError("--output: unknown type (found \"" + output +
                          "\", expected NAME.npy, NAME.zarr or -)");
  }
  const bool quiet = arguments.has("quiet");
  const auto& dataset = arguments.operands().front();
  const auto source = open_source(dataset, read_options(arguments));
  const auto progress = mask_progress(quiet);
  const auto report = at_dataset(dataset, [&] {
    return zarr ? write_mask_zarr(*source, rules, output, progress)
                : write_mask_npy(*source, rules, output, progress);
  });
  if (quiet) return 0;
  if (output == "-") {
    std::fputs(report.c_str(), stderr);
  } else {
    cli::print(report);
  }
  return 0;
}

}  // namespace bev::native
