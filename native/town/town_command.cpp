#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/interrupt.hpp"
#include "native/cli/output.hpp"
#include "native/files/new_folder.hpp"
#include "native/s3/s3_address.hpp"
#include "native/s3/s3_store.hpp"
#include "native/town/town_files.hpp"

namespace bev::town {
namespace {

namespace fs = std::filesystem;

cli::Usage town_usage() {
  return {
      .command = "town",
      .synopsis = "OUTDIR [OPTION]...",
      .summary = "Generates a synthetic data set: traffic in a made-up town.",
      .description =
          "Writes OUTDIR/scenes/town.zarr, semantic_map/semantic_map.pb,\n"
          "aerial_map/aerial_map.png, meta.json and config.yaml, the layout that\n"
          "L5Kit reads. Equal options give equal records on every machine, and\n"
          "scene i does not depend on the number of scenes. OUTDIR is created; if\n"
          "it is not empty, --force is required. OUTDIR may be in S3\n"
          "(s3://bucket/key), where a town is not replaced; its scenes become\n"
          "visible last.",
      .options =
          {
              {"scenes", "N",
               "Number of scenes, at least half a minute apart. Default 4."},
              {"frames", "N", "Frames per scene, at 10 Hz. Default 248."},
              {"seed", "N", "Seed of the town and its traffic. Default 1."},
              {"density", "PERCENT", "Traffic density, 20 to 200. Default 100."},
              {"agents-min", "N",
               "Agents recorded per frame even if out of range, up to twice\n"
               "the range. Default 30."},
              {"agents-max", "N", "Maximum agents per frame. Default 120."},
              {"reach", "METRES", "Range of the ego vehicle's sensor. Default 70."},
              {"chunk-scenes", "N", "Records per chunk. Default 10000."},
              {"chunk-frames", "N", "Default 10000."},
              {"chunk-agents", "N", "Default 20000."},
              {"chunk-faces", "N", "Default 10000."},
              {"codec", "NAME",
               "none, zlib, gzip, zstd, lz4, blosc:lz4, blosc:lz4hc,\n"
               "blosc:blosclz, blosc:zlib or blosc:zstd. Default blosc:lz4."},
              {"zip", "",
               "Write the records to scenes/town.zarr.zip, with uncompressed\n"
               "members. Default: a folder."},
              {"no-aerial", "", "Do not create the aerial image."},
              {"force", "",
               "Replace the town in OUTDIR when the new one is complete. Other\n"
               "files are kept."},
              {"quiet", "", "Do not show progress."},
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
  out.scene.reach.max_objects =
      static_cast<std::size_t>(get("agents-max", 120, 0, 2000));
  out.scene.reach.min_objects =
      static_cast<std::size_t>(get("agents-min", 30, 0, 2000));
  if (out.scene.reach.min_objects > out.scene.reach.max_objects) {
    throw cli::UsageError("--agents-min is above --agents-max");
  }
  const auto rows = [&](const std::string& name, std::uint64_t usual) {
    constexpr long long kMax = 10'000'000;  // records of 140 bytes: 1.4 GB per chunk
    return static_cast<std::uint64_t>(
        get(name, static_cast<long long>(usual), 1, kMax));
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

/// Writes a town into a folder. What is there of it is removed if this fails.
void write_town_folder(const fs::path& folder, bool force, const TownOptions& options,
                       const std::function<void(const std::string&)>& progress) {
  auto town = new_folder(folder, force);
  write_town(town.path(), options, progress);
  town.commit();
}

/// Writes a town below a prefix of S3. A run that was killed is completed by repeating it.
void write_s3_town(const std::string& address, const TownOptions& options,
                   const std::function<void(const std::string&)>& progress) {
  auto root = address;
  while (root.ends_with('/')) root.pop_back();
  const auto settings = native::s3_settings();
  const auto store =
      native::create_s3_store(root + "/" + std::string(scenes_path(options)),
                              native::Existing::refuse, settings);
  const auto files = native::create_s3_objects(root, settings);
  write_town({*files, *store}, options, progress);
  store->commit();
}

}  // namespace

int town_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(town_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(town_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) {
    throw cli::UsageError("expected one folder to write into, OUTDIR");
  }
  const TownOptions options = options_of(arguments);
  const auto& output = arguments.operands().front();
  const bool quiet = arguments.has("quiet");
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  const auto progress = [&](const std::string& piece) {
    cli::Interrupt::check();
    if (shown) std::fprintf(stderr, "bevscope: town: %s\n", piece.c_str());
  };
  const bool force = arguments.has("force");
  if (native::is_s3(output)) {
    if (force) {
      throw cli::UsageError(
          "--force: a town in S3 is not replaced (use another prefix)");
    }
    write_s3_town(output, options, progress);
    return 0;
  }
  if (native::is_remote(output)) {
    throw cli::UsageError(
        "OUTDIR must be a folder on this machine, or s3://bucket/key");
  }
  const cli::Interrupt interrupt;
  try {
    write_town_folder(output, force, options, progress);
  } catch (const cli::Interrupted& interrupted) {
    cli::Interrupt::resume(interrupted);
  }
  return 0;
}

}  // namespace bev::town
