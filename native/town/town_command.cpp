#include "native/town/town_command.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/output.hpp"
#include "native/files/new_folder.hpp"
#include "native/town/town_files.hpp"

namespace bev::town {
namespace {

namespace fs = std::filesystem;

cli::Usage usage() {
  return {
      .command = "town",
      .synopsis = "OUTDIR [OPTION]...",
      .summary = "Makes a data set of a made-up town's traffic.",
      .description =
          "Writes OUTDIR/scenes/town.zarr, semantic_map/semantic_map.pb,\n"
          "aerial_map/aerial_map.png, meta.json and config.yaml, the layout that "
          "L5Kit\n"
          "reads. The same options give the same records on every machine, and scene "
          "i\n"
          "is the same however many there are. OUTDIR is made; one that holds files "
          "is\n"
          "refused without --force.",
      .options =
          {
              {"scenes", "N", "Scenes, each half a minute apart. Default 4."},
              {"frames", "N", "Frames of a scene, 10 a second. Default 248."},
              {"seed", "N", "Another number, another town. Default 1."},
              {"density", "PERCENT", "How busy it is, 20 to 200. Default 100."},
              {"agents-min", "N",
               "Agents of a frame that are recorded even if far, up to\n"
               "140 m. Default 30."},
              {"agents-max", "N", "The most agents of a frame. Default 120."},
              {"reach", "METRES", "How far the recording car sees. Default 70."},
              {"chunk-scenes", "N", "Records of a chunk. Default 10000."},
              {"chunk-frames", "N", "Default 10000."},
              {"chunk-agents", "N", "Default 20000."},
              {"chunk-faces", "N", "Default 10000."},
              {"codec", "NAME",
               "none, zlib, gzip, zstd, lz4, blosc:lz4, blosc:lz4hc,\n"
               "blosc:blosclz, blosc:zlib or blosc:zstd. Default blosc:lz4."},
              {"zip", "",
               "The records as scenes/town.zarr.zip, one file to serve, in\n"
               "which chunks lie as they are. Default: a folder."},
              {"no-aerial", "", "Leave out the aerial image."},
              {"force", "",
               "Replace the town in OUTDIR, at once when the new one is\n"
               "complete. Other files there are kept."},
              {"quiet", "", "Say nothing on standard error."},
          },
      .examples =
          "  bevscope town build/town\n"
          "  bevscope town /tmp/busy --scenes 100 --seed 7 --density 150",
  };
}

// Returns an integer option's value.
long long number(const cli::Arguments& arguments, const std::string& name,
                 long long usual, long long least, long long most) {
  const auto given = arguments.value(name);
  return given ? cli::whole_number(*given, "--" + name, least, most) : usual;
}

TownOptions options_of(const cli::Arguments& arguments) {
  const auto get = [&](const std::string& name, long long usual, long long least,
                       long long most) {
    return number(arguments, name, usual, least, most);
  };
  TownOptions out;
  out.scenes = static_cast<int>(get("scenes", 4, 0, 100'000));
  out.scene.frames = static_cast<int>(get("frames", 248, 1, 100'000));
  out.scene.seed = static_cast<std::uint64_t>(get("seed", 1, 0, INT64_MAX));
  out.scene.density = static_cast<double>(get("density", 100, 20, 200)) / 100;
  out.scene.reach.metres = static_cast<double>(get("reach", 70, 10, 200));
  out.scene.reach.at_most = static_cast<std::size_t>(get("agents-max", 120, 0, 2000));
  out.scene.reach.at_least = static_cast<std::size_t>(get("agents-min", 30, 0, 2000));
  if (out.scene.reach.at_least > out.scene.reach.at_most) {
    throw cli::UsageError("--agents-min is above --agents-max");
  }
  const auto rows = [&](const std::string& name, std::uint64_t usual) {
    constexpr long long kMost = 10'000'000;  // records of 140 bytes: 1.4 GB per chunk
    return static_cast<std::uint64_t>(
        get(name, static_cast<long long>(usual), 1, kMost));
  };
  out.layout.scenes_per_chunk = rows("chunk-scenes", out.layout.scenes_per_chunk);
  out.layout.frames_per_chunk = rows("chunk-frames", out.layout.frames_per_chunk);
  out.layout.agents_per_chunk = rows("chunk-agents", out.layout.agents_per_chunk);
  out.layout.faces_per_chunk = rows("chunk-faces", out.layout.faces_per_chunk);
  out.layout.codec = arguments.value("codec").value_or(out.layout.codec);
  out.zip = arguments.has("zip");
  out.aerial = !arguments.has("no-aerial");
  return out;
}

/// The paths that a town consists of: replaced by --force; others are kept.
native::NewFolder::Paths town_paths() {
  return {"scenes/town.zarr",
          "scenes/town.zarr.zip",
          "semantic_map/semantic_map.pb",
          "aerial_map/aerial_map.png",
          "meta.json",
          "config.yaml"};
}

native::NewFolder new_folder(const fs::path& folder, bool force) {
  if (force) return native::NewFolder(folder, town_paths());
  try {
    return native::NewFolder(folder);
  } catch (const Error& error) {
    if (!std::string_view(error.what()).ends_with(": not empty")) throw;
    throw Error(error.code(),
                error.what() + std::string("; --force replaces a town in it"));
  }
}

}  // namespace

int town_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one folder to write into, OUTDIR");
  }
  const TownOptions options = options_of(arguments);
  const fs::path folder = arguments.operands().front();
  auto town = new_folder(folder, arguments.has("force"));
  const bool quiet = arguments.has("quiet");
  write_town(town.path(), options, [&](const std::string& piece) {
    if (!quiet) std::fprintf(stderr, "bevscope: town: %s\n", piece.c_str());
  });
  town.commit();
  return 0;
}

}  // namespace bev::town
