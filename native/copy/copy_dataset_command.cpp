#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/scan/patched_scenes.hpp"
#include "core/zarr/version3_store.hpp"
#include "native/cat/selection.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/interrupt.hpp"
#include "native/cli/output.hpp"
#include "native/convert/map_text.hpp"
#include "native/copy/copy_dataset.hpp"
#include "native/s3/s3_address.hpp"
#include "native/source/at_dataset.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

cli::Usage copy_dataset_usage() {
  return {
      .command = "copy",
      .synopsis = "IN OUT [OPTION]...",
      .summary = "Copies scenes of a data set in another layout.",
      .description =
          "Writes the data set OUT with scenes of IN, an L5Kit data set in a folder,\n"
          "in a .zip or at an http(s) URL. Records keep their fields and values;\n"
          "intervals are shifted. Chunks and codec are those of IN unless options\n"
          "say otherwise. Attributes are copied, arrays beyond L5Kit's four are not.\n"
          "\n"
          "OUT appears under its name when it is complete, as an archive if the name\n"
          "ends in .zip. It must not exist unless --force is given. Control-C leaves\n"
          "nothing. docs/layouts.md compares the layouts.",
      .options = with_read_options({
          {"scenes", "A:B[:S]",
           "Scenes to copy, as a Python slice, or the number of one\n"
           "scene. Default: all."},
          {"fields", "NAMES",
           "Fields to copy, separated by commas: agents.centroid. Arrays\n"
           "that are not named keep all fields, and all keep intervals."},
          {"chunk", "SIZES",
           "Rows per chunk, separated by commas: agents=20000,frames=64."},
          {"codec", "NAME",
           "none, zlib, gzip, zstd, lz4, or blosc:lz4, blosc:lz4hc,\n"
           "blosc:zstd, blosc:zlib, blosc:blosclz."},
          {"level", "N", "Level of the codec, 0 to 22."},
          {"for", "viewing",
           "Small chunks, statistics, and the codec blosc:lz4hc: a page\n"
           "that shows a random frame reads little. --chunk and --codec\n"
           "take precedence."},
          {"columnar", "",
           "One plain array per field, agents/centroid, which any zarr\n"
           "library opens. Strings become UTF-8, zero-padded."},
          {"split-vectors", "",
           "One plain array per element of a field with axes,\n"
           "agents/centroid/0: filters on one element read only its bytes.\n"
           "Needs --columnar."},
          {"zarr-format", "N",
           "2 (default), or 3, which has no types for records and so\n"
           "needs --columnar."},
          {"shard", "N",
           "Chunks per object, one object each without. Needs\n"
           "--zarr-format 3."},
          {"patch", "FILE", "Edit scenes by a what-if patch: docs/patches.md."},
          {"statistics", "",
           "Also write the limits of each chunk's values, as bevscope\n"
           "index does."},
          {"force", "", "Replace OUT when the new store is complete."},
          {"quiet", "", "Do not show progress or the result."},
      }),
      .examples =
          "  bevscope copy sample.zarr web.zarr --for viewing\n"
          "  bevscope copy sample.zarr ten.zarr --scenes :10\n"
          "  bevscope copy sample.zarr small.zarr --codec zstd --level 9\n"
          "  bevscope copy sample.zarr edited.zarr --patch blocker.json\n"
          "  bevscope copy sample.zarr columns.zarr --columnar\n"
          "  bevscope copy sample.zarr v3.zarr --columnar --zarr-format 3 --shard 64",
  };
}

std::vector<std::string> parts_of(const std::string& text, const std::string& option) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(',', at), text.size());
    out.push_back(text.substr(at, end - at));
    if (out.back().empty()) throw cli::UsageError("--" + option + ": empty name");
    at = end + 1;
  }
  return out;
}

store::AxisSlice scenes_of(const cli::Arguments& arguments) {
  const auto text = arguments.value("scenes");
  if (!text) return {};
  try {
    const auto axes = parse_axis_slices(*text);
    if (axes.size() == 1) return axes.front();
  } catch (const cli::UsageError&) {
    // reported below, with the option's name
  }
  throw cli::UsageError("--scenes: invalid slice (found \"" + *text +
                        "\", expected N, A:B or A:B:S, S not 0)");
}

scene::CopyLayout layout_of_copy_dataset_command(const cli::Arguments& arguments) {
  scene::CopyLayout layout;
  if (const auto sizes = arguments.value("chunk")) {
    for (const auto& part : parts_of(*sizes, "chunk")) {
      constexpr long long kMax = 1'000'000'000;
      const auto equals = part.find('=');
      if (equals == part.npos) {
        throw cli::UsageError("--chunk: invalid size (found \"" + part +
                              "\", expected ARRAY=ROWS)");
      }
      layout.chunk_rows[part.substr(0, equals)] = static_cast<std::uint64_t>(
          cli::whole_number(part.substr(equals + 1), "--chunk", 1, kMax));
    }
  }
  if (const auto fields = arguments.value("fields")) {
    layout.fields = parts_of(*fields, "fields");
  }
  layout.codec = arguments.value("codec");
  if (const auto level = arguments.value("level")) {
    constexpr long long kMax = 22;
    layout.level = static_cast<int>(cli::whole_number(*level, "--level", 0, kMax));
  }
  layout.columnar = arguments.has("columnar");
  layout.split_vectors = arguments.has("split-vectors");
  return layout;
}

void set_format(CopyOptions& options, const cli::Arguments& arguments) {
  if (const auto format = arguments.value("zarr-format")) {
    options.zarr_format =
        static_cast<int>(cli::whole_number(*format, "--zarr-format", 2, 3));
  }
  if (const auto chunks = arguments.value("shard")) {
    constexpr auto kMax = static_cast<long long>(zarr::Version3Store::kMaxChunks);
    options.chunks_per_shard =
        static_cast<std::uint64_t>(cli::whole_number(*chunks, "--shard", 1, kMax));
  }
}

/// Throws if the copy would be a part of the data set that is copied.
void check_outside(const std::string& in, const std::string& out) {
  if (is_remote(in) || is_remote(out)) return;
  namespace fs = std::filesystem;
  const auto from = fs::weakly_canonical(in), to = fs::weakly_canonical(out);
  const auto rest = to.lexically_relative(from);
  if (!rest.empty() && rest != "." && *rest.begin() != "..")
    throw cli::UsageError("OUT is inside IN (found " + out + ", in " + in + ")");
}

/// Returns the scenes that the patch in a file edits.
std::shared_ptr<const scene::Overlay> edited_scenes(Source& source,
                                                    const std::string& path) {
  const auto patch = patch::read_patch(read_map_text(path), path);
  Engine engine(Engine::kByteBudget, source.missing());
  return patched_scenes(engine, source, patch);
}

/// Ends the copy if the user wants that, and shows the number of written scenes on a
/// terminal.
CopyProgress terminal_progress(const cli::Arguments& arguments) {
  const bool shown = !arguments.has("quiet") && ::isatty(STDERR_FILENO) == 1;
  return [shown](std::uint64_t scenes) {
    cli::Interrupt::check();
    if (!shown) return;
    std::fprintf(stderr, "\rbevscope: copy: scene %llu",
                 static_cast<unsigned long long>(scenes));
  };
}

void report_copy_dataset_command(const cli::Arguments& arguments, const Copied& copied,
                                 bool viewing) {
  for (const auto& path : copied.left_out) {
    std::fprintf(stderr, "bevscope: warning: %s: not copied\n", path.c_str());
  }
  if (!copied.has_statistics && (viewing || arguments.has("statistics"))) {
    std::fprintf(stderr, "bevscope: warning: statistics: not written, too large\n");
  }
  if (arguments.has("quiet")) return;
  if (::isatty(STDERR_FILENO) == 1) std::fputs("\n", stderr);
  cli::print(arguments.operands()[1] + ": " + std::to_string(copied.scenes) +
             (copied.scenes == 1 ? " scene copied\n" : " scenes copied\n"));
}

}  // namespace

int copy_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(copy_dataset_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(copy_dataset_usage()));
    return 0;
  }
  const auto& operands = arguments.operands();
  if (operands.size() != 2) throw cli::UsageError("expected IN and OUT");
  const auto purpose = arguments.value("for");
  if (purpose && *purpose != "viewing") {
    throw cli::UsageError("--for: unknown purpose (found \"" + *purpose +
                          "\", expected viewing)");
  }
  const bool viewing = purpose.has_value();
  if (viewing && arguments.has("columnar")) {
    throw cli::UsageError("--for viewing cannot be used with --columnar");
  }
  CopyOptions options;
  options.scenes = scenes_of(arguments);
  options.layout = layout_of_copy_dataset_command(arguments);
  if (viewing) options.layout = scene::viewing_layout(std::move(options.layout));
  options.statistics = viewing || arguments.has("statistics");
  set_format(options, arguments);
  options.progress = terminal_progress(arguments);
  options.existing = arguments.has("force") ? Existing::replace : Existing::refuse;
  check_outside(operands[0], operands[1]);
  const cli::Interrupt interrupt;
  try {
    const auto source = open_source(operands[0], read_options(arguments));
    if (const auto patch = arguments.value("patch")) {
      options.overlay = edited_scenes(*source, *patch);
    }
    const auto copied = at_dataset(
        operands[0], [&] { return copy_dataset(*source, operands[1], options); });
    warn_of_missing(*source, copied.absent);
    report_copy_dataset_command(arguments, copied, viewing);
  } catch (const cli::Interrupted& interrupted) {
    cli::Interrupt::resume(interrupted);
  }
  return 0;
}

}  // namespace bev::native
