#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/files/file.hpp"
#include "native/files/output_path.hpp"
#include "native/files/write_file.hpp"
#include "native/index/index.hpp"
#include "native/index/index_facts.hpp"
#include "native/index/thumbnails.hpp"
#include "native/s3/s3_address.hpp"
#include "native/scan/plan_options.hpp"
#include "native/source/read_options.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

cli::Usage index_usage() {
  return {
      .command = "index",
      .synopsis =
          "DATASET [--array NAMES] [--keys NAMES] [--map FILE] [--no-facts] "
          "[--thumbnails] [--check] [-o FILE]",
      .summary = "Writes limits of chunks' values and facts of scenes, for filters.",
      .description =
          "Computes minimum, maximum and number of NaN of each field in each chunk\n"
          "of DATASET, and writes them to DATASET/.bevscope/statistics.json. With\n"
          "these statistics, readers do not fetch chunks that a filter excludes.\n"
          "Fields with more than 4 elements per row are left out. See\n"
          "docs/filters.md.\n"
          "\n"
          "DATASET is a zarr store in a folder. For a .zip, a URL or an address\n"
          "of S3, -o is required. If the statistics exist, only new and changed\n"
          "files are read; a changed file is one with another size or modification\n"
          "time.\n"
          "\n"
          "Of a data set in a folder also writes the facts of scenes and tracks\n"
          "(docs/scenarios.md) to DATASET/.bevscope/facts.zip, which searches then\n"
          "read instead of the data. If it exists, only facts of scenes in new or\n"
          "changed chunks are computed.\n"
          "\n"
          "With --thumbnails, also draws a small picture of each scene, which the\n"
          "viewer shows instead of drawing scenes. If there are pictures, those of\n"
          "new and changed scenes are drawn.\n"
          "\n"
          "Prints a table to standard output: chunks, chunks read, fields with\n"
          "limits, and bytes of the statistics.",
      .options = with_read_options({
          {"array", "NAMES",
           "Arrays, separated by commas. Default: scenes, frames, agents\n"
           "and traffic_light_faces, those that exist."},
          {"keys", "NAMES",
           "Fields, separated by commas, of which every value is kept for\n"
           "each chunk: track_id,host. A filter track_id == 317 then reads\n"
           "only the chunks that have it. Integers and strings. Default:\n"
           "those of the existing statistics."},
          {"map", "FILE",
           "Semantic map for facts of lights, as for bevscope facts, and for\n"
           "thumbnails. Default: none; the light is unknown."},
          {"no-facts", "", "Do not write facts."},
          {"thumbnails", "", "Write pictures of scenes."},
          {"check", "",
           "Read every chunk, compare with the existing statistics and facts\n"
           "and write nothing. Exit status 1 if they differ."},
          {"output", "FILE", "Write to FILE, or to standard output if it is -.", "o"},
          {"quiet", "", "Do not show progress or the table."},
      }),
      .examples =
          "  bevscope index sample.zarr\n"
          "  bevscope index scenes/town.zarr --map semantic_map/semantic_map.pb\n"
          "  bevscope index sample.zarr --check\n"
          "  bevscope index https://example.org/a.zarr -o a.json",
  };
}

/// @param option  for messages: "--array"
std::vector<std::string> names_in_index_command(const std::optional<std::string>& list,
                                                const std::string& option) {
  std::vector<std::string> out;
  if (!list) return out;
  for (std::size_t at = 0; at <= list->size();) {
    const auto end = std::min(list->find(',', at), list->size());
    out.push_back(list->substr(at, end - at));
    if (out.back().empty()) throw cli::UsageError(option + ": empty name");
    at = end + 1;
  }
  return out;
}

/// The path beside which statistics and facts are written.
std::string place_of_dataset(const Source& source, const cli::Arguments& arguments) {
  return source.beside().value_or(arguments.operands().front());
}

/// The place of the statistics.
std::string target_of(const Source& source, const cli::Arguments& arguments) {
  if (const auto file = arguments.value("output")) return *file;
  const auto dataset = place_of_dataset(source, arguments);
  if (is_remote(dataset) || !fs::is_directory(dataset)) {
    throw cli::UsageError("-o FILE is required for a data set that is not a folder");
  }
  return (fs::path(dataset) / reader::Statistics::kKey).string();
}

std::optional<reader::Statistics> known_at(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) return std::nullopt;
  if (file->size() > reader::Statistics::kMaxBytes) {
    throw Error(Errc::limit_exceeded, path + ": too long for statistics");
  }
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
  bytes.resize(file->read_at(0, bytes));
  return parse_statistics(bytes);
}

/// The same for statistics to complete: unreadable ones are replaced, with a warning.
reader::Statistics earlier_at(const std::string& path) {
  try {
    return known_at(path).value_or(reader::Statistics());
  } catch (const Error& error) {
    if (error.code() == Errc::io) throw;
    std::fprintf(stderr, "bevscope: warning: %s; all chunks are read again\n",
                 error.what());
    return {};
  }
}

void write(const std::string& path, const std::string& text) {
  refuse_url(path);
  const auto folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty()) fs::create_directories(folder, error);
  if (error) {
    throw Error(Errc::io, folder.string() + ": cannot be created: " + error.message());
  }
  if (!folder.empty()) native::sync_folder(fs::absolute(folder).parent_path());
  cli::Output out(path);
  out.write(text);
  out.commit();
}

IndexProgress progress_to_terminal(bool quiet) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  return [shown](std::uint64_t done, std::uint64_t all) {
    if (!shown) return;
    std::fprintf(stderr, "\rbevscope: index: chunk %llu of %llu%s",
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
}

/// The names of the keys that statistics have; a column's own name is the last of its path.
std::vector<std::string> keys_in(const reader::Statistics& statistics) {
  std::vector<std::string> out;
  for (const auto& path : statistics.arrays()) {
    for (const auto& key : statistics.keys(path)) {
      out.push_back(key.empty() ? path.substr(path.rfind('/') + 1) : key);
    }
  }
  return out;
}

/// Whether an error says that scenes cannot be read, of which there are statistics.
bool is_damage(Errc code) {
  return code == Errc::corrupt_chunk || code == Errc::missing_key ||
         code == Errc::invalid_metadata;
}

/// Writes the thumbnails beside a data set in a folder, if they are wanted or were there.
void write_thumbnails_of(const std::string& dataset, const cli::Arguments& arguments) {
  if (!arguments.has("thumbnails") && !has_thumbnails(dataset)) return;
  // The one that facts were read of refuses those that were written since.
  const auto source =
      open_source(arguments.operands().front(), read_options(arguments));
  const bool is_quiet = arguments.has("quiet");
  const auto made =
      write_thumbnails(*source, dataset,
                       {arguments.value("map"),
                        shown_by("index: thumbnails", is_quiet, false).progress});
  if (!is_quiet) cli::print(text_of_thumbnails(made));
}

/// Writes the facts beside a data set in a folder, if it has scenes.
void write_facts_of(Source& source, const reader::Statistics& statistics,
                    const cli::Arguments& arguments) {
  const auto dataset = place_of_dataset(source, arguments);
  const bool is_quiet = arguments.has("quiet");
  std::optional<FactFileMade> facts;
  try {
    const auto path = fs::path(dataset) / std::string(FactArchive::kKey);
    facts = index_facts(source, path.string(),
                        {arguments.value("map"), &statistics,
                         shown_by("index", is_quiet, false).progress});
  } catch (const Error& error) {
    if (!is_damage(error.code())) throw;
    std::fprintf(stderr, "bevscope: warning: facts are not written: %s\n",
                 error.what());
  }
  if (!facts) return;
  if (!facts->problem.empty()) {
    std::fprintf(stderr, "bevscope: warning: %s; all are computed again\n",
                 facts->problem.c_str());
  }
  if (!is_quiet) cli::print(text_of_facts(*facts));
  write_thumbnails_of(dataset, arguments);
}

int check_index_command(Source& source, const cli::Arguments& arguments,
                        const std::string& target) {
  const auto known = known_at(target);
  if (!known) {
    throw Error(Errc::not_found, target +
                                     ": no statistics; write them with bevscope "
                                     "index");
  }
  const auto index =
      index_of(source, names_in_index_command(arguments.value("array"), "--array"), {},
               progress_to_terminal(arguments.has("quiet")), keys_in(*known));
  const auto differences = differences_text(index, *known);
  if (!differences.empty()) {
    std::fprintf(stderr, "bevscope: %s: out of date\n%s", target.c_str(),
                 differences.c_str());
    return 1;
  }
  const auto facts = arguments.has("no-facts") || arguments.value("array")
                         ? std::string()
                         : difference_of_facts(source, index.statistics);
  if (!facts.empty()) {
    std::fprintf(stderr, "bevscope: %s\n", facts.c_str());
    return 1;
  }
  if (!arguments.has("quiet")) cli::print(target + ": up to date\n");
  return 0;
}

}  // namespace

int index_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(index_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(index_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  const auto source =
      open_source(arguments.operands().front(), read_options(arguments));
  const auto target = target_of(*source, arguments);
  const bool writes_facts = !arguments.has("no-facts") && !arguments.value("output");
  if (arguments.has("thumbnails") && (!writes_facts || arguments.has("check"))) {
    throw cli::UsageError(
        "--thumbnails needs facts beside the data set (not --no-facts, --output or "
        "--check)");
  }
  if (arguments.has("check") && arguments.value("keys")) {
    throw cli::UsageError("--check compares with the keys that the statistics have");
  }
  if (arguments.has("check")) return check_index_command(*source, arguments, target);
  std::optional<std::vector<std::string>> keys;
  if (const auto list = arguments.value("keys")) {
    keys = names_in_index_command(list, "--keys");
  }
  const auto index =
      index_of(*source, names_in_index_command(arguments.value("array"), "--array"),
               earlier_at(target), progress_to_terminal(arguments.has("quiet")), keys);
  write(target, index.statistics.to_json());
  if (!arguments.has("quiet") && target != "-") cli::print(index_text(index));
  if (writes_facts) {
    write_facts_of(*source, index.statistics, arguments);
  }
  return 0;
}

}  // namespace bev::native
