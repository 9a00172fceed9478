#include <unistd.h>

#include <cstdint>
#include <cstdio>

#include "native/cat/cat.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage cat_usage() {
  return {
      .command = "cat",
      .synopsis =
          "DATASET/ARRAY [--rows A:B[:S] | --select N|A:B[:S],..] [--fields F,G]\n"
          "[--format FORMAT] [-o OUT] [OPTION]...",
      .summary = "Writes rows of an array as npy, csv or json.",
      .description =
          "DATASET/ARRAY is an array in a zarr store: a folder, a .zip, or the\n"
          "http(s) URL or S3 address (s3://bucket/key) of either; for example\n"
          "town.zarr/agents, town.zip/agents.\n"
          "All dtypes and any number of axes are supported; rows are indices of\n"
          "the first axis. Rows are written as they are read, so memory use does\n"
          "not depend on their number.\n"
          "\n"
          "npy   A packed structured array of the fields in the given order; for a\n"
          "      single field a plain array. Dtype and byte order are the store's.\n"
          "      It is binary, so a terminal does not get it.\n"
          "csv   A header line, then a line per row. Elements of a field with a\n"
          "      shape are separate columns: centroid_0, centroid_1. Fields of\n"
          "      nested records have dotted names: pose.x. Text is quoted if\n"
          "      necessary.\n"
          "json  A list of rows: objects, or values for a single field. 64-bit\n"
          "      integers are numbers; NaN, Infinity and -Infinity are strings.\n"
          "\n"
          "In csv and json, reals have the fewest digits that read back as the\n"
          "same value, dates are ISO 8601 and raw bytes hexadecimal. Complex\n"
          "numbers are 1.0+2.0j in csv and pairs in json.",
      .options = with_read_options({
          {"rows", "A:B[:S]",
           "Rows A to B (exclusive), every S-th: a Python slice, in which\n"
           "A, B and S are optional and negative values count from the\n"
           "end. Default: all rows."},
          {"select", "N|A:B[:S],..",
           "Per axis an index (drops the axis) or a slice, as in NumPy's\n"
           "brackets: 0,::-1,3:. Further axes are selected whole. Replaces\n"
           "--rows; the selection is read into memory at once."},
          {"fields", "F,G", "Record fields, in this order. Default: all."},
          {"format", "FORMAT", "npy (default), csv or json."},
          {"output", "OUT",
           "Output file, created when complete. Default and -: standard\n"
           "output.",
           "o"},
          {"quiet", "", "Do not show progress."},
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
    if (comma == from)
      throw cli::UsageError("--fields: empty name (found \"" + list + "\")");
    names.push_back(list.substr(from, comma - from));
    from = comma + 1;
  }
  if (list.ends_with(','))
    throw cli::UsageError("--fields: empty name (found \"" + list + "\")");
  return names;
}

/// Returns a callback that shows progress on a terminal, unless rows go to the same
/// one.
decltype(CatOptions::progress) rows_on_terminal(bool quiet, bool to_stdout) {
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
  const auto arguments = cli::parse_arguments(cat_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(cat_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one array, DATASET/ARRAY");
  }
  CatOptions options;
  options.rows = arguments.value("rows");
  options.box = arguments.value("select");
  if (options.rows && options.box) {
    throw cli::UsageError("--rows and --select exclude each other");
  }
  options.fields = names_in(arguments.value("fields").value_or(""));
  options.format = arguments.choice("format", {"npy", "csv", "json"});
  const auto reading = read_options(arguments);
  const auto address = find_array(arguments.operands().front(), reading);
  const auto source = open_source(address.dataset, reading);
  const auto output = arguments.value("output").value_or("-");
  cli::require_legible(output, options.format);
  options.progress = rows_on_terminal(arguments.has("quiet"), output == "-");
  cli::Output out(output);
  cat(*source, address.array, options,
      [&](std::span<const std::byte> bytes) { out.write(bytes); });
  source->check_unchanged();
  out.commit();
  return 0;
}

}  // namespace bev::native
