#include <cstdio>

#include "core/base/secrets.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/info/info.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage info_usage() {
  return {
      .command = "info",
      .synopsis = "DATASET [--json] [--allow-missing]",
      .summary = "Describes a data set: counts, dtypes, codecs, sizes.",
      .description =
          "DATASET is a zarr store (a group of arrays, or a single array) in a\n"
          "folder, in a .zip, or at the http(s) URL or S3 address (s3://bucket/key)\n"
          "of either. For an L5Kit data set, L5Kit's summary table is printed first.\n"
          "Reads only metadata and the few timestamps that the table needs.\n"
          "\n"
          "--json prints one object: {format, attrs, arrays: {path: {shape,\n"
          "chunks, dtype, order, fill_value, compressor, filters, stored_bytes,\n"
          "stored_chunks, missing_chunks}}, table}. Stored and missing chunks are\n"
          "null if the server cannot list objects; table is null for other data.\n"
          "Missing chunks of L5Kit's arrays cause an error at the end. An array\n"
          "that cannot be read has an \"error\" with the reason.",
      .options = with_read_options({{"json", "", "Print JSON."}}),
      .examples =
          "  bevscope info sample.zarr\n"
          "  bevscope info sample.zarr --json | jq '.arrays.agents.shape'",
  };
}

/// Calls info(). If there is no store, adds its path to the error.
nlohmann::json info_at(const std::string& dataset, const ReadOptions& options) {
  const auto source = open_source(dataset, options);
  return at_dataset(dataset, [&] { return info(*source); });
}

}  // namespace

int info_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(info_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(info_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one data set, DATASET");
  }
  const auto& dataset = arguments.operands().front();
  const auto options = read_options(arguments);
  const auto found = info_at(dataset, options);
  cli::print(arguments.has("json") ? found.dump(2) + "\n"
                                   : info_text(found, without_secrets(dataset)));
  const auto missing = missing_text(found);
  if (missing.empty()) return 0;
  std::fprintf(stderr, "bevscope: %s%s\n", options.allow_missing ? "warning: " : "",
               missing.c_str());
  return options.allow_missing ? 0 : 1;
}

}  // namespace bev::native
