#include "native/cat/cat_command.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "native/cat/cat.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/output.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage usage() {
  return {
      .command = "cat",
      .synopsis =
          "DATASET/ARRAY [--rows A:B[:S] | --select N|A:B[:S],..] [--fields F,G]\n"
          "[--format FORMAT] [-o OUT] [OPTION]...",
      .summary = "Writes rows of an array as npy, csv or json.",
      .description =
          "DATASET/ARRAY is an array in a zarr store, which is a folder, a .zip, or\n"
          "the http(s) address of either: town.zarr/agents, town.zip/agents. Any\n"
          "dtype, any number of axes; rows are counted along the first one. Rows are\n"
          "written as they are read, so a long range takes no more memory than a\n"
          "short one.\n"
          "\n"
          "npy   A packed structured array of the fields in the order given; exactly "
          "one\n"
          "      field makes a plain array. Dtype and byte order are those of the "
          "store.\n"
          "csv   A line of column names, then a line per row. The elements of a field "
          "with\n"
          "      a shape are columns of their own: centroid_0, centroid_1. Fields of "
          "nested\n"
          "      records have dots: pose.x. Texts are quoted where they must be.\n"
          "json  A list of rows: objects of the fields, or values where there is one "
          "field.\n"
          "      Integers of 64 bits are numbers; NaN, Infinity and -Infinity are "
          "strings.\n"
          "\n"
          "In csv and json reals have the fewest digits that read back as the same "
          "value,\n"
          "dates are ISO 8601 and raw bytes hexadecimal. Complex numbers are 1.0+2.0j "
          "in\n"
          "csv and pairs in json.",
      .options = with_read_options({
          {"rows", "A:B[:S]",
           "Rows A up to, not including, B, every S-th: a slice as in\n"
           "Python, with parts left out and negative A and B counting\n"
           "from the end. Default: all rows."},
          {"select", "N|A:B[:S],..",
           "Of each axis an index, which takes the axis away, or a slice,\n"
           "as between NumPy's brackets: 0,::-1,3:. Axes not named are\n"
           "taken whole. In place of --rows; it is all read at once."},
          {"fields", "F,G", "Fields of the records, in this order. Default: all."},
          {"format", "FORMAT", "npy (default), csv or json."},
          {"output", "OUT",
           "File to write, which appears once it is complete.\n"
           "Default and -: standard output.",
           "o"},
          {"quiet", "", "No progress."},
      }),
      .examples =
          "  bevscope cat sample.zarr/agents --rows 0:1000 -o agents.npy\n"
          "  bevscope cat sample.zarr/frames --fields timestamp,ego_translation "
          "--format csv\n"
          "  bevscope cat sample.zarr/scenes --rows -1: --format json",
  };
}

/// Returns the comma-separated names; none for an empty text.
std::vector<std::string> names_in(const std::string& list) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from < list.size();) {
    const auto comma = std::min(list.find(',', from), list.size());
    if (comma == from) throw cli::UsageError("--fields: a name is missing in " + list);
    names.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  if (list.ends_with(','))
    throw cli::UsageError("--fields: a name is missing in " + list);
  return names;
}

/// Returns a callback that shows progress on a terminal, unless rows go to the same
/// one.
decltype(CatOptions::progress) progress_on_terminal(bool quiet, bool to_stdout) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1 &&
                     !(to_stdout && ::isatty(STDOUT_FILENO) == 1);
  if (!shown) return {};
  return [](std::uint64_t done, std::uint64_t all) {
    std::fprintf(stderr, "\rbevscope: cat: row %llu of %llu%s",
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
}

}  // namespace

int cat_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one array, DATASET/ARRAY");
  }
  CatOptions options;
  options.rows = arguments.value("rows");
  options.box = arguments.value("select");
  if (options.rows && options.box) {
    throw cli::UsageError("--rows and --select: expected one of them");
  }
  options.fields = names_in(arguments.value("fields").value_or(""));
  options.format = arguments.value("format").value_or("npy");
  if (options.format != "npy" && options.format != "csv" && options.format != "json") {
    throw cli::UsageError("--format: \"" + options.format +
                          "\", expected npy, csv or json");
  }
  const auto reading = read_options(arguments);
  const auto address = find_array(arguments.operands().front(), reading);
  const auto source = open_source(address.dataset, reading);
  const auto output = arguments.value("output").value_or("-");
  options.progress = progress_on_terminal(arguments.has("quiet"), output == "-");
  cli::Output out(output);
  cat(*source, address.array, options,
      [&](std::span<const std::byte> bytes) { out.write(bytes); });
  source->check_unchanged();
  out.commit();
  warn_of_missing(*source);
  return 0;
}

}  // namespace bev::native
