#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/scan/scan.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// The options that choose rows.
std::vector<cli::Option> with_plan_options(std::vector<cli::Option> own) {
  std::vector<cli::Option> out{
      {"from", "TABLE",
       "agents (default), frames, scenes, traffic_light_faces or another\n"
       "array of the store."},
      {"where", "FILTER",
       "The rows to choose, such as \"speed > 10 and label == 'CAR'\";\n"
       "docs/filters.md has the language. Default: all rows."},
      {"window", "PAST,FUTURE[,STEP]",
       "Instead of rows, windows of PAST rows before each chosen one and\n"
       "FUTURE after it: of the same track, or of frames, within a scene,\n"
       "STEP frames apart (default 1)."},
      {"edges", "HOW",
       "What becomes of windows with absent rows: drop (default), pad with\n"
       "zeros, or clamp to the nearest row."},
      {"shard", "I/N", "Part I of N, counted from 0: every N-th item."},
  };
  out.insert(out.end(), own.begin(), own.end());
  return with_read_options(std::move(out));
}

cli::Usage scan_usage() {
  return {
      .command = "scan",
      .synopsis =
          "DATASET [--from TABLE] [--where FILTER] [--fields F,G] "
          "[--window P,F]\n[--shuffle MODE] [--shard I/N] [--format FORMAT] "
          "[-o OUT] [OPTION]...",
      .summary = "Writes the rows or windows that a filter chooses.",
      .description =
          "Reads only what is needed: scenes first, then their frames, then the\n"
          "rows of the frames that can pass.\n"
          "\n"
          "Besides the fields of TABLE, FILTER and --fields can name those of the\n"
          "row's frame and scene, and derived columns: row, scene, frame,\n"
          "frame_index, time, agent_count, face_count, speed, distance_to_ego,\n"
          "label, label_probability, class, kept, state. --explain lists them.\n"
          "\n"
          "Formats are those of `bevscope cat`; a window is the first axis of each\n"
          "field. The order of --shuffle depends on --seed and --epoch alone.",
      .options = with_plan_options({
          {"fields", "F,G", "Columns, in this order. Default: the table's fields."},
          {"shuffle", "MODE",
           "none (default); blocks: scenes in random order, and rows within\n"
           "groups of eight scenes; full: all rows in random order."},
          {"seed", "N", "Seed of the random order. Default: 0."},
          {"epoch", "N", "Pass over the data: each has another order. Default: 0."},
          {"format", "FORMAT", "csv (default), json or npy."},
          {"output", "OUT",
           "Output file, created when complete. Default and -: standard\n"
           "output.",
           "o"},
          {"explain", "",
           "Write what is read as JSON instead of rows: columns, conditions,\n"
           "and how many parts of chunks are tested, excluded and included."},
          {"quiet", "", "Do not show progress."},
      }),
      .examples =
          "  bevscope scan sample.zarr --where \"speed > 10 and label == 'CAR'\" \\\n"
          "    --fields scene,frame,track_id,speed\n"
          "  bevscope scan sample.zarr --from frames --window 10,50 \\\n"
          "    --fields timestamp,ego_translation --format npy -o windows.npy\n"
          "  bevscope scan sample.zarr --shuffle blocks --seed 7 --shard 1/4 -o "
          "part.csv",
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

/// Returns the parts of a list; throws UsageError for an empty one.
std::vector<std::string> split(const std::string& list, char separator,
                               const std::string& option) {
  std::vector<std::string> parts;
  for (std::size_t from = 0; from <= list.size();) {
    const auto end = std::min(list.find(separator, from), list.size());
    if (end == from) {
      throw cli::UsageError(option + ": empty part (found \"" + list + "\")");
    }
    parts.push_back(list.substr(from, end - from));
    from = end + 1;
  }
  return parts;
}

constexpr long long kMaxNumber = 1'000'000'000;

json window_from(const cli::Arguments& arguments) {
  const auto parts = split(*arguments.value("window"), ',', "--window");
  if (parts.size() < 2 || parts.size() > 3) {
    throw cli::UsageError("--window: expected PAST,FUTURE[,STEP] (found \"" +
                          *arguments.value("window") + "\")");
  }
  json window{{"past", cli::whole_number(parts[0], "--window", 0, kMaxNumber)},
              {"future", cli::whole_number(parts[1], "--window", 0, kMaxNumber)}};
  if (parts.size() == 3) {
    window["step"] = cli::whole_number(parts[2], "--window", 1, kMaxNumber);
  }
  if (const auto edges = arguments.value("edges")) window["edges"] = *edges;
  return window;
}

json plan_from(const cli::Arguments& arguments) {
  json plan = json::object();
  if (const auto from = arguments.value("from")) plan["from"] = *from;
  if (const auto where = arguments.value("where")) plan["where"] = *where;
  if (const auto fields = arguments.value("fields")) {
    plan["fields"] = split(*fields, ',', "--fields");
  }
  if (arguments.has("window")) plan["window"] = window_from(arguments);
  if (arguments.has("edges") && !arguments.has("window")) {
    throw cli::UsageError("--edges: needs --window");
  }
  if (const auto shard = arguments.value("shard")) {
    const auto parts = split(*shard, '/', "--shard");
    if (parts.size() != 2) {
      throw cli::UsageError("--shard: expected I/N (found \"" + *shard + "\")");
    }
    const auto count = cli::whole_number(parts[1], "--shard", 1, kMaxNumber);
    const auto index = cli::whole_number(parts[0], "--shard", 0, count - 1);
    plan["shard"] = {{"index", index}, {"count", count}};
  }
  const auto shuffle = arguments.value("shuffle");
  if (arguments.has("seed") && !shuffle) {
    throw cli::UsageError("--seed: needs --shuffle");
  }
  if (shuffle) {
    const auto seed = arguments.value("seed").value_or("0");
    plan["order"] = {{"mode", *shuffle},
                     {"seed", cli::whole_number(seed, "--seed", 0, 1LL << 53)}};
  }
  plan["batch"] = {{"size", 10'000}};
  return plan;
}

const std::string& dataset_of(const cli::Arguments& arguments) {
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  return arguments.operands().front();
}

/// Returns a callback that shows progress on a terminal, unless rows go to the same
/// one.
decltype(ScanOptions::progress) progress_of(const char* command, bool quiet,
                                            bool to_stdout) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1 &&
                     !(to_stdout && ::isatty(STDOUT_FILENO) == 1);
  if (!shown) return {};
  return [command](std::uint64_t done, std::uint64_t all) {
    std::fprintf(stderr, "\rbevscope: %s: block %llu of %llu%s", command,
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
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
  options.plan = plan_from(arguments).dump();
  options.format = arguments.value("format").value_or("csv");
  if (options.format != "npy" && options.format != "csv" && options.format != "json") {
    throw cli::UsageError("--format: unknown format \"" + options.format +
                          "\" (expected csv, json or npy)");
  }
  const auto epoch = arguments.value("epoch").value_or("0");
  options.epoch =
      static_cast<std::uint64_t>(cli::whole_number(epoch, "--epoch", 0, kMaxNumber));
  const auto output = arguments.value("output").value_or("-");
  options.progress = progress_of("scan", arguments.has("quiet"), output == "-");
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  cli::Output out(output);
  if (arguments.has("explain")) {
    out.write(explain(*source, options.plan) + "\n");
  } else {
    scan(*source, options, [&](std::span<const std::byte> bytes) { out.write(bytes); });
  }
  source->check_unchanged();
  out.commit();
  warn_of_missing(*source);
  return 0;
}

int count_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(count_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(count_usage()));
    return 0;
  }
  const auto plan = plan_from(arguments).dump();
  const auto source = open_source(dataset_of(arguments), read_options(arguments));
  const auto count =
      count_items(*source, plan, progress_of("count", arguments.has("quiet"), true));
  source->check_unchanged();
  cli::print(std::to_string(count) + "\n");
  warn_of_missing(*source);
  return 0;
}

}  // namespace bev::native
