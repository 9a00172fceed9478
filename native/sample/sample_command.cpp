#include "native/sample/sample_command.hpp"

#include <unistd.h>

#include <cstdio>

#include "native/cli/output.hpp"
#include "native/sample/index_list.hpp"
#include "native/sample/npy_folder.hpp"
#include "native/sample/sample_options.hpp"

namespace bev::native {
namespace {

cli::Usage usage() {
  auto options = sample_option_list();
  options.insert(
      options.end(),
      {
          {"vectorized", "",
           "What a vectorized model is given, in place of an image.\n"
           "Goes without saying for egoagent."},
          {"eval", "",
           "Of egoagent: frame 99 of every scene, with all valid\n"
           "agents' track ids."},
          {"index", "I",
           "Items 0,5,-1 or a slice A:B[:S], as in Python. Required;\n"
           "write --index=-5: for what begins with a minus."},
          {"output", "DIR", "Folder to write into; it is made. Required.", "o"},
          {"quiet", "", "No progress."},
      });
  return {
      .command = "sample",
      .synopsis = "DATASET --config C --root DIR [OPTION]... --index I -o DIR",
      .summary = "Writes what L5Kit hands a model, one folder a sample.",
      .description =
          "For every item DIR/00005/KEY.npy: each key of L5Kit's sample with its name, "
          "its\n"
          "dtype and its shape. What is a number in Python is an array without axes; "
          "the\n"
          "image is float32 (channels, height, width). An item is a frame, or with "
          "--kind\n"
          "agent an agent of the mask, counted as L5Kit's data sets count them; its "
          "number\n"
          "in five digits or more is the folder's name.",
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
  const auto arguments = cli::parse_arguments(usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage()));
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
