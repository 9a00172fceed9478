#include <cstdint>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/images/image_file.hpp"
#include "native/sample/index_list.hpp"
#include "native/sample/sample_options.hpp"

namespace bev::native {
namespace {

cli::Usage render_usage() {
  auto options = sample_option_list();
  options.insert(
      options.end(),
      {
          {"index", "I", "Item; -1 is the last. Required."},
          {"output", "PNG", "Output file, - for standard output. Required.", "o"},
          {"quiet", "", "Do not show progress."},
      });
  return {
      .command = "render",
      .synopsis = "DATASET --config C --root DIR [OPTION]... --index I -o PNG",
      .summary = "Renders a sample's image as PNG.",
      .description =
          "Writes the result of L5Kit's rasterizer.to_rgb(): the map, agents in\n"
          "blue and the ego vehicle (or the selected agent) in green, paler with\n"
          "age. The config determines content, size and position: map_type,\n"
          "raster_size, pixel_size, ego_center and set_origin_to_bottom.",
      .options = std::move(options),
      .examples =
          "  bevscope render scenes/sample.zarr --config config.yaml --root . \\\n"
          "      --index 5 -o image.png",
  };
}

/// Encodes a sample's image, (height, width, 4), as PNG without alpha.
std::vector<std::byte> png_of(std::span<const ResultArray> sample) {
  for (const auto& array : sample) {
    if (array.name != "image") continue;
    std::vector<std::uint8_t> rgb;
    rgb.reserve(array.bytes.size() / 4 * 3);
    for (std::size_t i = 0; i < array.bytes.size(); ++i) {
      if (i % 4 != 3) rgb.push_back(std::to_integer<std::uint8_t>(array.bytes[i]));
    }
    return encode_png(rgb, static_cast<std::uint32_t>(array.shape.at(0)),
                      static_cast<std::uint32_t>(array.shape.at(1)));
  }
  throw Error(Errc::internal, "a sample without an image");
}

}  // namespace

int render_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(render_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(render_usage()));
    return 0;
  }
  const auto [index, output] = sample_target(arguments);
  if (arguments.value("kind") == "egoagent") {
    throw cli::UsageError("--kind egoagent has no image (expected ego or agent)");
  }
  auto request = sample_request(arguments);
  request.options.image = ImageForm::rgba;
  SampleMaker maker(request, selection_on_terminal("render", arguments.has("quiet")));
  const auto items = parse_indices(index, maker.size());
  if (items.size() != 1) throw cli::UsageError("--index: expected a single item");
  cli::Output out(output);
  out.write(png_of(maker.make(items.front())));
  maker.finish();
  out.commit();
  return 0;
}

}  // namespace bev::native
