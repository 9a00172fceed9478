#include <utility>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/scan/description_text.hpp"
#include "native/scan/plan_options.hpp"
#include "native/scan/scan.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

/// The options that choose rows, but not windows.
std::vector<cli::Option> with_row_options(std::vector<cli::Option> own) {
  auto out = with_plan_options(std::move(own));
  std::erase_if(out, [](const cli::Option& option) {
    return option.name == "window" || option.name == "edges";
  });
  return out;
}

cli::Usage describe_usage() {
  return {
      .command = "describe",
      .synopsis =
          "DATASET [--from TABLE] [--where FILTER] [--fields F,G] [--by COLUMN]\n"
          "[--format FORMAT] [-o OUT] [OPTION]...",
      .summary = "Describes the values of fields of the rows that a filter chooses.",
      .description =
          "Writes count, limits, mean, standard deviation, quantiles and histogram of\n"
          "each element of the numeric fields. NaN is counted; infinities are in the\n"
          "limits only. Quantiles are exact for up to 16,384 values, after that their\n"
          "rank is off by at most 0.2 %. See `bevscope scan --help` for rows and "
          "fields.",
      .options = with_row_options({
          {"fields", "F,G", "Columns to describe. Default: the table's fields."},
          {"by", "COLUMN",
           "Describe the rows of each value of an integer, boolean or string\n"
           "column, such as label or scene."},
          {"format", "FORMAT", "table (default), or json with all quantiles and bins."},
          {"output", "OUT",
           "Output file, created when complete. Default and -: standard\n"
           "output.",
           "o"},
          {"quiet", "", "Do not show progress."},
      }),
      .examples =
          "  bevscope describe sample.zarr --fields speed,distance_to_ego --by label\n"
          "  bevscope describe sample.zarr --from frames --fields agent_count",
  };
}

}  // namespace

int describe_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(describe_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(describe_usage()));
    return 0;
  }
  const auto format = arguments.choice("format", {"table", "json"});
  const auto plan = plan_from(arguments);
  const auto output = arguments.value("output").value_or("-");
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  cli::Output out(output);
  const auto described = at_dataset(dataset_of(arguments), [&] {
    return describe(*source, plan, arguments.value("by"),
                    shown_by("describe", arguments.has("quiet"), output == "-"));
  });
  out.write(format == "json" ? described + "\n" : description_text(described));
  source->check_unchanged();
  out.commit();
  return 0;
}

}  // namespace bev::native
