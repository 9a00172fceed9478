#include <span>
#include <string>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"

namespace bev::native {
namespace {

cli::Usage usage() {
  return {
      .command = "convert",
      .synopsis = "argoverse2 SRC... -o OUT.zarr",
      .summary = "Converts other data sets to L5Kit's format.",
      .description =
          "Argoverse 2 motion forecasting scenarios are Parquet files, which this\n"
          "program does not read. The Python package does:\n"
          "  pip install bevscope[arrow]\n"
          "  python -m bevscope convert argoverse2 SRC... -o OUT.zarr",
      .options = {{"output", "OUT.zarr", "The data set to write."}},
      .examples = "  python -m bevscope convert argoverse2 train/ -o train.zarr --map",
  };
}

}  // namespace

int convert_main(std::span<const std::string> words) {
  // The options are the Python command's.
  for (const auto& word : words) {
    if (word != "--help" && word != "-h") continue;
    cli::print(cli::help_text(usage()));
    return 0;
  }
  if (words.empty()) throw cli::UsageError("no format given, expected argoverse2");
  if (words.front() != "argoverse2") {
    throw cli::UsageError("unknown format \"" + words.front() +
                          "\", expected argoverse2");
  }
  fail(Errc::unsupported,
       {"convert: Parquet files need Python: python -m bevscope convert argoverse2"});
}

}  // namespace bev::native
