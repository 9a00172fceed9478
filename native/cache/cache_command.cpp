#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

#include "core/base/error.hpp"
#include "include/bevscope/cache.hpp"
#include "native/cache/cache_folder.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"

namespace bev::native {
namespace {

cli::Usage cache_usage() {
  return {
      .command = "cache",
      .synopsis = "[DIR] [--clear]",
      .summary = "Counts or removes what is kept of data sets read over HTTP.",
      .description =
          "DIR is the folder that was given to --cache, by default the value of the\n"
          "environment variable BEVSCOPE_CACHE. Prints the number of entries and the\n"
          "size of all their files. Programs that read DIR meanwhile fetch what was\n"
          "removed. Other files in DIR are not touched.",
      .options = {{"clear", "", "Remove all entries, and print what was removed."}},
      .examples =
          "  bevscope info https://host/town.zarr --cache ~/.cache/bevscope\n"
          "  bevscope cache ~/.cache/bevscope\n"
          "  bevscope cache ~/.cache/bevscope --clear",
  };
}

std::string cache_folder_of(const cli::Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.size() > 1) throw cli::UsageError("expected one folder, DIR");
  if (!operands.empty()) return operands.front();
  const char* const usual = std::getenv("BEVSCOPE_CACHE");
  if (usual != nullptr && *usual != '\0') return usual;
  throw cli::UsageError("expected DIR, or BEVSCOPE_CACHE in the environment");
}

std::string text_of(const CacheTotals& totals) {
  return std::to_string(totals.entries) +
         (totals.entries == 1 ? " entry, " : " entries, ") +
         std::to_string(totals.bytes) + " bytes\n";
}

}  // namespace

int cache_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(cache_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(cache_usage()));
    return 0;
  }
  const auto path = cache_folder_of(arguments);
  std::error_code error;
  if (!std::filesystem::is_directory(path, error)) {
    throw Error(Errc::not_found, path + ": not a folder");
  }
  CacheFolder folder(path, CacheOptions().limit);
  if (!arguments.has("clear")) {
    cli::print(path + ": " + text_of(folder.totals()));
    return 0;
  }
  const auto removed = folder.clear();
  if (!removed) {
    throw Error(Errc::io, path + ": remove failed: " +
                              std::generic_category().message(folder.last_error()));
  }
  cli::print(path + ": removed " + text_of(*removed));
  return 0;
}

}  // namespace bev::native
