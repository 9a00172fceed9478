#include <unistd.h>

#include <cstdio>

#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/sample/index_list.hpp"
#include "native/sample/npy_folder.hpp"
#include "native/sample/sample_options.hpp"

namespace bev::native {
namespace {

cli::Usage sample_usage() {
  auto options = sample_option_list();
  options.insert(
      options.end(),
      {
          {"vectorized", "",
           "Write vectorized inputs instead of an image. Implied by\n"
           "--kind egoagent."},
          {"eval", "",
           "With --kind egoagent: frame 99 of every scene, with the\n"
           "track ids of all valid agents."},
          {"index", "I",
           "Items 0,5,-1 or a Python slice A:B[:S]. Required. Write\n"
           "--index=-5: if the value begins with a minus."},
          {"output", "DIR", "Output folder, created if necessary. Required.", "o"},
          {"quiet", "", "Do not show progress."},
      });
  return {
      .command = "sample",
      .synopsis = "DATASET --config C --root DIR [OPTION]... --index I -o DIR",
      .summary = "Writes L5Kit's model inputs, one folder per sample.",
      .description =
          "Writes DIR/00005/KEY.npy for each item: every key of L5Kit's sample\n"
          "with its name, dtype and shape. Python numbers become arrays without\n"
          "axes; the image is float32 (channels, height, width). An item is a\n"
          "frame or, with --kind agent, an agent selected by the mask. Items are\n"
          "numbered as in L5Kit's data sets; the folder's name is the item's\n"
          "number in at least five digits. Each folder appears, or replaces an\n"
          "older one, when it is complete.",
      .options = std::move(options),
      .examples =
          "  bevscope sample scenes/sample.zarr --config config.yaml --root . \\\n"
          "      --index 0:100:10 -o samples\n"
          "  bevscope sample scenes/sample.zarr --config config.yaml --root . \\\n"
          "      --kind agent --min-history 0 --index 0,17 -o agents",
  };
}

void tell(bool shown, std::size_t done, std::size_t all) {
  if (!shown) return;
  std::fprintf(stderr, "\rbevscope: sample: %zu of %zu%s", done, all,
               done == all ? "\n" : "");
}

}  // namespace

int sample_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(sample_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(sample_usage()));
    return 0;
  }
  const auto [index, output] = sample_target(arguments);
  const bool quiet = arguments.has("quiet");
  SampleMaker maker(sample_request(arguments), selection_on_terminal("sample", quiet));
  const auto items = parse_indices(index, maker.size());
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  for (std::size_t i = 0; i < items.size(); ++i) {
    write_npy_folder(output, items[i], maker.make(items[i]));
    tell(shown, i + 1, items.size());
  }
  maker.finish();
  return 0;
}

}  // namespace bev::native
