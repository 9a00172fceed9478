#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/interrupt.hpp"
#include "native/cli/output.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "native/publish/publish.hpp"
#include "native/s3/s3_address.hpp"
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
          "data sets, or files of scenarios of Waymo or ScenarioNet or a folder of\n"
          "them; those of a format become one data set. Argoverse 2 scenarios are\n"
          "Parquet files, which the Python package reads:\n"
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

/// Returns whether a file below a folder, at most three levels deep, has such a name.
template <class Matches>
bool has_file(const std::string& folder, Matches matches) {
  constexpr int kMaxDepth = 3;
  std::error_code error;
  fs::recursive_directory_iterator at(folder, error);
  for (const fs::recursive_directory_iterator end; !error && at != end;
       at.increment(error)) {
    if (at.depth() >= kMaxDepth) at.disable_recursion_pending();
    if (matches(at->path().filename().string())) return true;
  }
  return false;
}

bool is_tfrecord(const std::string& name) {
  return name.find(".tfrecord") != name.npos;
}

bool is_scenario(const std::string& name) {
  return name.starts_with("scenario_") && name.ends_with(".parquet");
}

bool is_pickle(const std::string& name) {
  return name.ends_with(".pkl");
}

/// Files and folders of scenarios, by format.
using ScenarioPaths = std::map<ScenarioFormat, std::vector<std::string>>;

/// Adds the data sets of a source, or the source itself to `scenarios`.
void sort_source(const std::string& path, std::vector<PublishSource>& stores,
                 ScenarioPaths& scenarios) {
  std::error_code error;
  const auto name = fs::path(path).filename().string();
  if (is_remote(path) || path.ends_with(".zip")) {
    stores.push_back({path});
  } else if (!fs::exists(path, error)) {
    fail_at(Errc::not_found, path, {"no such file or folder"});
  } else if (is_scenario(name)) {
    fail_at(Errc::unsupported, path,
            {"Parquet files need Python: python -m bevscope publish"});
  } else if (is_tfrecord(name) && !fs::is_directory(path, error)) {
    scenarios[ScenarioFormat::waymo].push_back(path);
  } else if (is_pickle(name) && !fs::is_directory(path, error)) {
    scenarios[ScenarioFormat::scenarionet].push_back(path);
  } else if (const auto found = serve::find_data_sets(path); !found.empty()) {
    for (const auto& one : found) {
      stores.push_back({one.empty() ? path : (fs::path(path) / one).string()});
    }
  } else if (has_file(path, is_tfrecord)) {
    scenarios[ScenarioFormat::waymo].push_back(path);
  } else if (has_file(path, is_pickle)) {
    scenarios[ScenarioFormat::scenarionet].push_back(path);
  } else if (has_file(path, is_scenario)) {
    fail_at(Errc::unsupported, path,
            {"Argoverse 2 scenarios need Python: python -m bevscope publish"});
  } else {
    fail_at(Errc::unsupported, path,
            {"not a data set (expected a zarr store of L5Kit, or files of scenarios of "
             "Waymo or ScenarioNet)"});
  }
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

/// Converted data sets, beside the site until it is published.
class ConvertedFolder {
 public:
  explicit ConvertedFolder(std::string site) : path_(std::move(site)) {
    while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
    path_ += ".converted";
  }

  /// Converts scenarios, unless an interrupted command has done so.
  PublishSource convert(ScenarioFormat format, const std::vector<std::string>& sources,
                        bool with_map, const PublishProgress& progress) const {
    const bool is_waymo = format == ScenarioFormat::waymo;
    const std::string format_name = is_waymo ? "waymo" : "scenarionet";
    ScenarioConversion conversion;
    conversion.format = format;
    if (!is_waymo) conversion.tables = convert::scenarionet_tables();
    conversion.files = find_scenarios(format, sources);
    conversion.with_map = with_map;
    conversion.jobs = std::max(1U, std::thread::hardware_concurrency());
    std::string identity = format_name + (with_map ? ", map\n" : "\n");
    for (const auto& file : conversion.files) {
      identity += fs::absolute(file).string() + " " +
                  std::to_string(fs::file_size(file)) + " " +
                  std::to_string(fs::last_write_time(file).time_since_epoch().count()) +
                  "\n";
    }
    const auto hash = sha256_hex(std::as_bytes(std::span(identity))).substr(0, 16);
    const auto folder = fs::path(path_) / hash;
    fs::create_directories(folder);
    auto name = fs::path(sources.front()).lexically_normal();
    if (!name.has_filename()) name = name.parent_path();
    auto stem = name.filename().string();
    stem = stem.substr(0, stem.find(is_waymo ? ".tfrecord" : ".pkl"));
    const auto store = (folder / "converted.zarr").string();
    if (!fs::exists(store)) {
      convert_scenarios(conversion, store, [&](std::uint64_t done, std::uint64_t all) {
        progress("convert scenario", done, all);
      });
    }
    return {store, stem.empty() ? format_name : stem};
  }

  void remove() const {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }

 private:
  std::string path_;
};

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
             "\n");
}

void publish_all(const cli::Arguments& arguments, const std::string& site) {
  const auto options = publish_options_of(arguments);
  const ConvertedFolder converted(site);
  std::vector<PublishSource> stores;
  ScenarioPaths scenarios;
  for (const auto& path : arguments.operands()) sort_source(path, stores, scenarios);
  const bool is_dry = arguments.has("dry-run");
  if (is_dry && !scenarios.empty()) {
    throw cli::UsageError("--dry-run: scenarios are not converted for that");
  }
  for (const auto& [format, paths] : scenarios) {
    stores.push_back(
        converted.convert(format, paths, !arguments.has("no-map"), options.progress));
  }
  for (const auto* name : {"map", "aerial"}) {
    const auto path = arguments.value(name);
    if (!path) continue;
    if (stores.size() != 1 || !scenarios.empty()) {
      throw cli::UsageError("--" + std::string(name) + " needs one data set of L5Kit");
    }
    (name == std::string("map") ? stores.front().map : stores.front().aerial) = path;
  }
  if (is_dry) {
    print_estimate(estimate_site(stores, options));
    return;
  }
  const auto made = publish(stores, site, options);
  converted.remove();
  report_site(made, site, arguments.has("quiet"));
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
