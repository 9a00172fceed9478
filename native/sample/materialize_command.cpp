#include <unistd.h>

#include <cstdio>

#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/sample/materialize.hpp"
#include "native/sample/sample_options.hpp"

namespace bev::native {
namespace {

cli::Usage materialize_usage() {
  auto options = sample_option_list();
  options.insert(
      options.end(),
      {
          {"vectorized", "", "Store vectorized inputs instead of an image."},
          {"index", "I", "Items 0,5,-1 or a Python slice A:B[:S]. Default: all."},
          {"output", "DIR", "Folder of the stores. Required.", "o"},
          {"delete", "", "Remove the stored samples of these options instead."},
          {"quiet", "", "Do not show progress."},
      });
  return {
      .command = "materialize",
      .synopsis = "DATASET --config C --root DIR [OPTION]... -o DIR [--delete]",
      .summary = "Stores L5Kit's model inputs as arrays, once.",
      .description =
          "Stores samples as a zarr group, DIR/samples-HASH.zarr, with an array per\n"
          "key and a row per sample, and prints its path. The hash is that of the\n"
          "options, the config, and size and modification time of every file that\n"
          "samples depend on: asked for the same samples again, the command prints\n"
          "the path at once. After a change of any of them, samples are made anew.\n"
          "A run that was killed is continued when it is repeated.\n"
          "\n"
          "bevscope.DataLoader reads the rows. DATASET is a folder or a .zip.",
      .options = std::move(options),
      .examples =
          "  bevscope materialize scenes/sample.zarr --config config.yaml --root . \\\n"
          "      -o samples\n"
          "  bevscope materialize scenes/sample.zarr --config config.yaml --root . \\\n"
          "      -o samples --delete",
  };
}

MaterializeProgress progress_on_terminal(bool quiet) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  return [shown](std::uint64_t done, std::uint64_t all) {
    if (!shown) return;
    std::fprintf(stderr, "\rbevscope: materialize: %llu of %llu%s",
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done == all ? "\n" : "");
  };
}

}  // namespace

int materialize_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(materialize_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(materialize_usage()));
    return 0;
  }
  const auto output = arguments.value("output");
  if (!output) throw cli::UsageError("--output is required");
  const MaterializeRequest request{sample_request(arguments),
                                   arguments.value("index").value_or(":"), *output};
  const bool quiet = arguments.has("quiet");
  if (arguments.has("delete")) {
    const bool removed = remove_materialized(request);
    if (!quiet) cli::print(removed ? "removed\n" : "nothing was stored\n");
    return 0;
  }
  const auto stored = materialize(request, selection_on_terminal("materialize", quiet),
                                  progress_on_terminal(quiet));
  cli::print(stored.path + "\n");
  return 0;
}

}  // namespace bev::native
