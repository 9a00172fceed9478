#include <cstdint>
#include <string_view>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/scan/plan_options.hpp"
#include "native/scan/sample_plan.hpp"
#include "native/scan/scan.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage scan_usage() {
  return {
      .command = "scan",
      .synopsis =
          "DATASET [--from TABLE] [--where FILTER] [--fields F,G] "
          "[--window P,F]\n[--shuffle [MODE]] [--shard I/N] [--format FORMAT] "
          "[-o OUT] [OPTION]...",
      .summary = "Writes the rows, windows or samples that a filter chooses.",
      .description =
          "Reads only what is needed: scenes first, then their frames, then the\n"
          "rows of the frames that can pass.\n"
          "\n"
          "Besides the fields of TABLE, FILTER and --fields can name those of the\n"
          "row's frame and scene, and derived columns: row, scene, frame,\n"
          "frame_index, time, agent_count, face_count, speed, distance_to_ego,\n"
          "label, label_probability, class, kept, state. --explain lists them.\n"
          "\n"
          "Formats are those of `bevscope cat`, and Arrow's; a window is the first\n"
          "axis of each field. The order of --shuffle depends on --seed and --epoch\n"
          "alone.",
      .options = with_plan_options(with_sample_options({
          {"fields", "F,G", "Columns, in this order. Default: the table's fields."},
          {"shuffle",
           "[MODE]",
           "blocks (without MODE): scenes in random order, and rows within\n"
           "groups of eight scenes; full: all rows in random order; tracks:\n"
           "each scene sorted by track and frame; none: as stored, the default.",
           "",
           {"blocks", "full", "tracks", "none"}},
          {"seed", "N", "Seed of the random order. Default: 0."},
          {"epoch", "N", "Pass over the data: each has another order. Default: 0."},
          {"format", "FORMAT", "csv (default), json, npy or arrow (an IPC file)."},
          {"output", "OUT",
           "Output file, created when complete. Default and -: standard\n"
           "output.",
           "o"},
          {"explain", "",
           "Write what is read as JSON instead of rows: columns, conditions,\n"
           "and how many parts of chunks are tested, excluded and included."},
          {"threads", "N",
           "Threads that decode rows, 1 (default) to 64; at most as many as\n"
           "there are processors. The output is the same."},
          {"quiet", "", "Do not show progress."},
      })),
      .examples =
          "  bevscope scan sample.zarr --where \"speed > 10 and label == 'CAR'\" \\\n"
          "    --fields scene,frame,track_id,speed\n"
          "  bevscope scan sample.zarr --from frames --window 10,50 \\\n"
          "    --fields timestamp,ego_translation --format npy -o windows.npy\n"
          "  bevscope scan sample.zarr --shuffle --seed 7 --shard 1/4 -o "
          "part.csv\n"
          "  bevscope scan sample.zarr --from frames --sample config.yaml \\\n"
          "    --fields track_id,target_positions --format npy -o samples.npy",
  };
}

cli::Usage count_usage() {
  return {
      .command = "count",
      .synopsis = "DATASET [--from TABLE] [--where FILTER] [--window P,F] [OPTION]...",
      .summary = "Counts the rows that a filter chooses.",
      .description = "Prints the number alone. See `bevscope scan --help`.",
      .options = with_plan_options({{"quiet", "", "Do not show progress."}}),
      .examples =
          "  bevscope count sample.zarr --where \"class == 'PEDESTRIAN'\"\n"
          "  bevscope count sample.zarr --from frames --where \"agent_count > 50\"",
  };
}

}  // namespace

int scan_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(scan_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(scan_usage()));
    return 0;
  }
  ScanOptions options;
  options.plan = plan_from(arguments);
  options.assets = add_samples(arguments, options.plan);
  options.format = arguments.choice("format", {"csv", "json", "npy", "arrow"});
  const auto epoch = arguments.value("epoch").value_or("0");
  options.epoch =
      static_cast<std::uint64_t>(cli::whole_number(epoch, "--epoch", 0, 1'000'000'000));
  options.threads = static_cast<std::size_t>(
      cli::whole_number(arguments.value("threads").value_or("1"), "--threads", 1, 64));
  const auto output = arguments.value("output").value_or("-");
  cli::require_legible(output, options.format);
  options.shown = shown_by("scan", arguments.has("quiet"), output == "-");
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  cli::Output out(output);
  at_dataset(dataset_of(arguments), [&] {
    if (arguments.has("explain")) {
      out.write(explain(*source, options.plan, options.assets) + "\n");
    } else {
      scan(*source, options,
           [&](std::span<const std::byte> bytes) { out.write(bytes); });
    }
  });
  source->check_unchanged();
  out.commit();
  return 0;
}

int count_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(count_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(count_usage()));
    return 0;
  }
  const auto plan = plan_from(arguments);
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  const auto count = at_dataset(dataset_of(arguments), [&] {
    return count_items(*source, plan, shown_by("count", arguments.has("quiet"), true));
  });
  source->check_unchanged();
  cli::print(std::to_string(count) + "\n");
  return 0;
}

}  // namespace bev::native
