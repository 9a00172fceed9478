#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/base/secrets.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/copy/copy.hpp"
#include "native/eval/chopped.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

constexpr const char* kComplete =
    "Each output appears under its name when it is complete, as an archive if the\n"
    "name ends in .zip. It must not exist unless --force is given.\n"
    "Records are unchanged; chunks and codec are L5Kit's defaults.";

cli::Option force_option() {
  return {"force", "", "Replace existing outputs when the new ones are complete."};
}

Existing existing(const cli::Arguments& arguments) {
  return arguments.has("force") ? Existing::replace : Existing::refuse;
}

cli::Option quiet_option() {
  return {"quiet", "", "Do not show progress or the result."};
}

cli::Usage concat_usage() {
  return {
      .command = "concat",
      .synopsis = "OUT IN... [OPTION]...",
      .summary = "Concatenates the scenes of data sets.",
      .description =
          std::string("Writes the data set OUT with the scenes of every IN, in this\n"
                      "order. An IN is a folder, a .zip, an http(s) URL or an\n"
                      "address of S3 (s3://bucket/key).\n\n") +
          kComplete + " This is L5Kit's zarr_concat.",
      .options = with_cache_options(
          {{"skip-invalid", "",
            "Skip inputs that are not data sets, with a warning, as\n"
            "L5Kit does. Default: they are an error."},
           force_option(),
           quiet_option()}),
      .examples = "  bevscope concat all.zarr monday.zarr tuesday.zarr",
  };
}

cli::Usage split_usage() {
  return {
      .command = "split",
      .synopsis = "IN OUTDIR NAME=GB... NAME [--force] [--quiet]",
      .summary = "Splits a data set by size.",
      .description =
          std::string("Writes one data set OUTDIR/NAME per part. A part gets the\n"
                      "share of scenes that corresponds to its size in GB (2^30\n"
                      "bytes, as stored); the last part, without a size, gets the\n"
                      "rest. IN is a folder or a .zip.\n\n") +
          kComplete + " This is L5Kit's zarr_split.",
      .options = {force_option(), quiet_option()},
      .examples = "  bevscope split all.zarr parts train.zarr=8 val.zarr=1 test.zarr",
  };
}

cli::Usage chop_usage() {
  return {
      .command = "chop",
      .synopsis =
          "IN OUT --frames N [--force] [--quiet]\n"
          "       bevscope chop IN --frames N --future F [OPTION]...",
      .summary = "Shortens every scene to its first frames.",
      .description =
          std::string("Writes the data set OUT with the first N frames of every\n"
                      "scene of IN; every scene must have more than that.\n\n"
                      "With --future, creates the folder NAME_chopped_N beside IN\n"
                      "(NAME.zarr): the chopped data set, mask.npz with the agents\n"
                      "to predict, and gt.csv with the next F positions of each,\n"
                      "starting from the last frame. IN is not modified.\n\n") +
          kComplete + "\nThis is L5Kit's zarr_scenes_chop and create_chopped_dataset.",
      .options = with_cache_options(
          {{"frames", "N", "Frames to keep of each scene. Required."},
           {"future", "F", "Create a test set with F future positions."},
           {"threshold", "P",
            "With --future: minimum sum of label probabilities of an\n"
            "agent (exclusive). Default: 0.5."},
           {"min-future", "M",
            "With --future: minimum future frames of an agent.\n"
            "Default: 10."},
           force_option(),
           quiet_option()}),
      .examples =
          "  bevscope chop sample.zarr short.zarr --frames 100\n"
          "  bevscope chop sample.zarr --frames 100 --future 50",
  };
}

/// Prints --help if it is requested.
bool is_help(const cli::Arguments& arguments, const cli::Usage& usage) {
  if (!arguments.has("help")) return false;
  cli::print(cli::help_text(usage));
  return true;
}

/// Shows the number of written scenes on a terminal.
CopyProgress scenes_on_terminal(const std::string& command,
                                const cli::Arguments& arguments) {
  if (arguments.has("quiet") || ::isatty(STDERR_FILENO) != 1) return {};
  return [command](std::uint64_t scenes) {
    std::fprintf(stderr, "\rbevscope: %s: scene %llu", command.c_str(),
                 static_cast<unsigned long long>(scenes));
  };
}

/// Ends the line of progress, and prints the result.
void report_copy_command(const cli::Arguments& arguments, const std::string& result) {
  if (arguments.has("quiet")) return;
  if (::isatty(STDERR_FILENO) == 1) std::fputs("\n", stderr);
  cli::print(without_secrets(result));
}

/// Parses NAME=GB; the last part is NAME alone.
SplitPart part_of(const std::string& text, bool is_last) {
  const auto equals = text.rfind('=');
  if (is_last) {
    if (equals != text.npos) {
      throw cli::UsageError(text + ": the last part gets the rest (expected NAME)");
    }
    return {text, -1};
  }
  const auto size = equals == text.npos ? "" : text.substr(equals + 1);
  char* end = nullptr;
  const double size_gb = std::strtod(size.c_str(), &end);
  const bool is_size = !size.empty() && *end == '\0' && size_gb >= 0;
  if (!is_size) throw cli::UsageError(text + ": not a part (expected NAME=GB)");
  return {text.substr(0, equals), size_gb};
}

std::uint64_t number(const cli::Arguments& arguments, const std::string& option,
                     long long usual, long long least) {
  constexpr long long kMax = 1'000'000'000;
  const auto text = arguments.value(option);
  return static_cast<std::uint64_t>(
      text ? cli::whole_number(*text, "--" + option, least, kMax) : usual);
}

double threshold_of(const cli::Arguments& arguments) {
  const auto text = arguments.value("threshold").value_or("0.5");
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (!text.empty() && *end == '\0' && value == value) return value;
  throw cli::UsageError("--threshold: not a number (found \"" + text + "\")");
}

}  // namespace

int concat_main(std::span<const std::string> words) {
  const auto usage = concat_usage();
  const auto arguments = cli::parse_arguments(usage, words);
  if (is_help(arguments, usage)) return 0;
  const auto& operands = arguments.operands();
  if (operands.size() < 2) throw cli::UsageError("expected OUT and at least one IN");
  const std::vector<std::string> inputs(operands.begin() + 1, operands.end());
  const auto skipped = concat(inputs, operands.front(),
                              {.skip_invalid = arguments.has("skip-invalid"),
                               .progress = scenes_on_terminal("concat", arguments),
                               .cache = cache_settings(arguments),
                               .existing = existing(arguments)});
  report_copy_command(arguments, operands.front() + ": " +
                                     std::to_string(inputs.size() - skipped.size()) +
                                     " data sets concatenated\n");
  for (const auto& input : skipped) {
    std::fprintf(stderr, "bevscope: warning: %s: skipped (%s)\n",
                 without_secrets(input.path).c_str(), input.reason.c_str());
  }
  return 0;
}

int split_main(std::span<const std::string> words) {
  const auto usage = split_usage();
  const auto arguments = cli::parse_arguments(usage, words);
  if (is_help(arguments, usage)) return 0;
  const auto& operands = arguments.operands();
  if (operands.size() < 3) throw cli::UsageError("expected IN, OUTDIR and parts");
  std::vector<SplitPart> parts;
  for (std::size_t i = 2; i < operands.size(); ++i) {
    parts.push_back(part_of(operands[i], i + 1 == operands.size()));
  }
  const auto cuts = split(operands[0], operands[1], parts,
                          {.progress = scenes_on_terminal("split", arguments),
                           .existing = existing(arguments)});
  std::string result;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    result += operands[1] + "/" + parts[i].name + ": scenes " +
              std::to_string(cuts[i].begin) + " to " + std::to_string(cuts[i].end - 1) +
              "\n";
  }
  report_copy_command(arguments, result);
  return 0;
}

int chop_main(std::span<const std::string> words) {
  const auto usage = chop_usage();
  const auto arguments = cli::parse_arguments(usage, words);
  if (is_help(arguments, usage)) return 0;
  const auto& operands = arguments.operands();
  const bool is_test_set = arguments.has("future");
  if (operands.size() != (is_test_set ? 1U : 2U)) {
    throw cli::UsageError(is_test_set ? "expected IN" : "expected IN and OUT");
  }
  for (const auto* option : {"threshold", "min-future"}) {
    if (arguments.has(option) && !is_test_set) {
      throw cli::UsageError("--" + std::string(option) + " requires --future");
    }
  }
  if (arguments.has("force") && is_test_set) {
    throw cli::UsageError("--force: a test set is not replaced");
  }
  if (!arguments.has("frames")) throw cli::UsageError("--frames is required");
  const auto frames = number(arguments, "frames", 0, 1);
  auto progress = scenes_on_terminal("chop", arguments);
  if (!is_test_set) {
    chop(operands[0], operands[1], frames,
         {.progress = progress,
          .cache = cache_settings(arguments),
          .existing = existing(arguments)});
    report_copy_command(arguments, operands[1] + ": complete\n");
    return 0;
  }
  const auto made = create_chopped_dataset(
      operands[0],
      {.threshold = threshold_of(arguments),
       .frames_to_copy = frames,
       .steps_gt = static_cast<std::uint32_t>(number(arguments, "future", 0, 1)),
       .min_future = static_cast<std::uint32_t>(number(arguments, "min-future", 10, 0)),
       .progress = std::move(progress)});
  report_copy_command(arguments, made + ": complete\n");
  return 0;
}

}  // namespace bev::native
