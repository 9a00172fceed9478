#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/interrupt.hpp"
#include "native/cli/output.hpp"
#include "native/publish/publish.hpp"
#include "native/serve/site.hpp"
#include "native/source/read_options.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

cli::Option about_option(const char* name, const char* value, const char* help) {
  return {name, value, help};
}

cli::Usage publish_usage() {
  return {
      .command = "publish",
      .synopsis = "SRC... -o SITE [OPTION]...",
      .summary = "Writes a static site of data sets, to look at and to search.",
      .description =
          "Each SRC is an L5Kit data set (a folder, a .zip, a URL), a folder of such\n"
          "data sets, or files of scenarios of CommonRoad, INTERACTION, nuPlan,\n"
          "nuScenes, ScenarioNet or Waymo or a folder of them; those of a format\n"
          "become one data set. Argoverse 2 scenarios are Parquet files, which the\n"
          "Python package reads:\n"
          "  python -m bevscope publish SRC... -o SITE\n"
          "\n"
          "SITE gets the data in the layout for viewing, with statistics, facts, map\n"
          "and aerial image; the viewer; a start page; README.md and croissant.json,\n"
          "which describe the data. Any server of files serves it, below any path.\n"
          "\n"
          "The folders of SITE are named after their contents. They are written\n"
          "first, and the start page last: whatever happens, SITE is the old site or\n"
          "the new one. The same command continues after an interruption, and writes\n"
          "only data sets that have changed. Folders that the new page does not name\n"
          "are removed. See docs/publish.md.",
      .options = with_read_options({
          {"output", "SITE", "The site's folder. Required.", "o"},
          about_option("title", "TEXT", "Default: the names of the data sets."),
          about_option("description", "TEXT",
                       "What is in the data. What is not given is left out."),
          about_option("licence", "TEXT", "Its name (cc-by-4.0), or its URL."),
          about_option("author", "TEXT", "Who made the data."),
          about_option("citation", "TEXT", "How to cite it."),
          about_option("url", "URL",
                       "Where the site will be. Previews of links need it."),
          {"picture", "FILE", "PNG, JPEG or WebP for previews of links."},
          {"map", "FILE",
           "Semantic map, with meta.json beside or above it. Default: that of\n"
           "the data set."},
          {"aerial", "FILE", "Aerial image, PNG. Default: that of the map's folder."},
          {"no-map", "", "Do not convert the maps of scenarios."},
          {"predictions",
           "FILE",
           "Predictions that the page opens with the data, as CSV or\n"
           "Parquet. May be given several times.",
           "",
           {},
           true},
          {"rollouts", "FILE", "Rollouts, likewise.", "", {}, true},
          {"zip", "",
           "Each data set is one object, for hosts that dislike many files.\n"
           "The host must support range requests."},
          {"keep", "", "Do not remove folders of older versions."},
          {"app", "DIR", "Folder of the viewer. Default: the one built or installed."},
          {"dry-run", "", "Print sizes and numbers of objects; write nothing."},
          {"quiet", "", "Do not show progress or the result."},
      }),
      .examples =
          "  bevscope publish sample.zarr -o site --title 'Our drives'\n"
          "  bevscope publish town/ -o site --url https://example.org/town/\n"
          "  bevscope publish sample.zarr -o site --predictions model.csv\n"
          "  bevscope publish sample.zarr -o site --dry-run",
  };
}

/// Ends the command if the user wants that, and shows the progress on a terminal.
PublishProgress progress_of_publish(bool quiet) {
  const bool shown = !quiet && ::isatty(STDERR_FILENO) == 1;
  return [shown](const std::string& step, std::uint64_t done, std::uint64_t all) {
    cli::Interrupt::check();
    if (!shown) return;
    std::fprintf(stderr, "\rbevscope: publish: %s %llu of %llu%s", step.c_str(),
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(all), done >= all ? "\n" : "");
  };
}

std::string app_of(const cli::Arguments& arguments) {
  if (const auto app = arguments.value("app")) return *app;
  if (const auto app = serve::find_app_folder()) return *app;
  throw cli::UsageError("--app: no viewer beside the program (expected its folder)");
}

PublishOptions publish_options_of(const cli::Arguments& arguments) {
  PublishOptions options;
  options.app = app_of(arguments);
  options.about = {.title = arguments.value("title"),
                   .description = arguments.value("description"),
                   .licence = arguments.value("licence"),
                   .author = arguments.value("author"),
                   .url = arguments.value("url"),
                   .citation = arguments.value("citation")};
  if (options.about.url && !options.about.url->starts_with("https://") &&
      !options.about.url->starts_with("http://")) {
    throw cli::UsageError("--url: not a URL (found \"" + *options.about.url +
                          "\", expected http or https)");
  }
  options.zip = arguments.has("zip");
  options.keep = arguments.has("keep");
  options.with_maps = !arguments.has("no-map");
  options.picture = arguments.value("picture");
  options.predictions = arguments.all("predictions");
  options.rollouts = arguments.all("rollouts");
  options.read = read_options(arguments);
  options.progress = progress_of_publish(arguments.has("quiet"));
  return options;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kMega = 1'000'000, kKilo = 1'000;
  if (bytes >= 10 * kMega) return with_groups((bytes + kMega / 2) / kMega) + " MB";
  return with_groups((bytes + kKilo - 1) / kKilo) + " kB";
}

void print_estimate(const PublishEstimate& estimate) {
  cli::print("scenes                 " + with_groups(estimate.scenes) +
             "\nobjects          about " + with_groups(estimate.objects) +
             "\nsize             about " + size_text(estimate.bytes) +
             "\nlargest object   about " + size_text(estimate.largest) +
             "\nthe page loads         " + size_text(estimate.page_bytes) +
             ", uncompressed\na frame loads    about " +
             size_text(estimate.frame_bytes) + "\n");
}

void report_site(const Published& made, const std::string& site, bool quiet) {
  for (const auto& notice : made.notices) {
    std::fprintf(stderr, "bevscope: warning: %s\n", notice.c_str());
  }
  if (quiet) return;
  std::uint64_t scenes = 0;
  for (const auto& data : made.site.data) scenes += data.scenes;
  cli::print(site + ": " + with_groups(scenes) +
             (scenes == 1 ? " scene, " : " scenes, ") + with_groups(made.objects) +
             " objects, " + size_text(made.bytes) +
             (made.kept > 0 ? "; unchanged: " + std::to_string(made.kept) + " of " +
                                  std::to_string(made.site.data.size()) + " data sets"
                            : "") +
             "\nlook at it: python3 -m http.server --directory " + site + "\n");
}

void publish_all(const cli::Arguments& arguments, const std::string& site) {
  const auto options = publish_options_of(arguments);
  std::vector<PublishSource> sources;
  for (const auto& path : arguments.operands()) sources.push_back({path});
  for (const auto* name : {"map", "aerial"}) {
    const auto path = arguments.value(name);
    if (!path) continue;
    if (sources.size() != 1) {
      throw cli::UsageError("--" + std::string(name) + " needs one data set of L5Kit");
    }
    (name == std::string("map") ? sources.front().map : sources.front().aerial) = path;
  }
  if (arguments.has("dry-run")) {
    print_estimate(estimate_site(sources, options));
  } else {
    report_site(publish(sources, site, options), site, arguments.has("quiet"));
  }
}

}  // namespace

int publish_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(publish_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(publish_usage()));
    return 0;
  }
  if (arguments.operands().empty()) throw cli::UsageError("expected SRC...");
  const auto site = arguments.value("output");
  if (!site) throw cli::UsageError("no output given, expected -o SITE");
  const cli::Interrupt interrupt;
  try {
    publish_all(arguments, *site);
  } catch (const cli::Interrupted& interrupted) {
    cli::Interrupt::resume(interrupted);
  } catch (const fs::filesystem_error& error) {
    fail_at(Errc::io, error.path1().string(), {error.code().message()});
  }
  return 0;
}

}  // namespace bev::native
