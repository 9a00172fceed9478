#include <array>
#include <csignal>
#include <string>
#include <vector>

#include "native/cat/cat_command.hpp"
#include "native/cli/command.hpp"
#include "native/info/info_command.hpp"
#include "native/mask/mask_command.hpp"
#include "native/render/render_command.hpp"
#include "native/sample/sample_command.hpp"
#include "native/serve/serve_command.hpp"
#include "native/town/town_command.hpp"

namespace {

// In the order of the help. Add new commands here.
constexpr std::array kCommands = std::to_array<bev::cli::Command>({
    {"info", "says what a data set holds: counts, dtypes, codecs, sizes",
     &bev::native::info_main},
    {"cat", "writes rows of an array as npy, csv or json", &bev::native::cat_main},
    {"mask", "selects agents by track length", &bev::native::mask_main},
    {"sample", "writes what L5Kit hands a model, as npy", &bev::native::sample_main},
    {"render", "draws the image of a sample as png", &bev::native::render_main},
    {"serve", "serves the viewer and a folder of data on this machine",
     &bev::serve::serve_main},
    {"town", "makes a data set of a made-up town's traffic", &bev::town::town_main},
});

}  // namespace

int main(int count, char** words) {
  std::signal(SIGXFSZ, SIG_IGN);  // exceeding the file size limit is a write error
  const std::vector<std::string> all(words + (count > 0 ? 1 : 0), words + count);
  return bev::cli::run(kCommands, all);
}
