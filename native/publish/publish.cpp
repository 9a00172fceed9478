#include "native/publish/publish.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/write_file.hpp"
#include "native/publish/publish_dataset.hpp"
#include "native/publish/site_folder.hpp"
#include "native/publish/site_sources.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using Datasets = std::vector<std::unique_ptr<DatasetToPublish>>;

constexpr const char* kTemplate = "site.html";
constexpr std::uint64_t kMaxTemplate = std::uint64_t{1} << 20U;
/// Parts of the viewer's folder that a site does not need.
constexpr std::array kLeftOut = {"example", "index.html", kTemplate};

std::string text_of_file(const fs::path& path, std::uint64_t max_bytes) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::not_found, path.string(), {"not a file"});
  if (file->size() > max_bytes) {
    fail_at(Errc::limit_exceeded, path.string(),
            {"too large (found ", file->size(), " bytes, expected at most ", max_bytes,
             ")"});
  }
  std::string out(static_cast<std::size_t>(file->size()), '\0');
  out.resize(file->read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

Datasets open_all(const std::vector<PublishSource>& sources,
                  const PublishOptions& options) {
  if (sources.empty()) fail(Errc::invalid_argument, {"publish: no data set"});
  const bool has_results = !options.predictions.empty() || !options.rollouts.empty();
  if (has_results && sources.size() > 1) {
    fail(Errc::invalid_argument,
         {"publish: predictions and rollouts need one data set (found ", sources.size(),
          ")"});
  }
  Datasets out;
  for (const auto& source : sources) {
    out.push_back(std::make_unique<DatasetToPublish>(source, options));
    const auto& name = out.back()->name();
    const bool is_known =
        std::any_of(out.begin(), out.end() - 1,
                    [&](const auto& other) { return other->name() == name; });
    if (is_known) {
      fail(Errc::invalid_argument, {"publish: two data sets are named ", name});
    }
  }
  return out;
}

/// Returns the viewer's files: paths below its folder.
std::vector<TreeFile> files_of_viewer(const std::string& app) {
  if (!fs::is_regular_file(fs::path(app) / kTemplate)) {
    fail_at(Errc::not_found, app,
            {"not a viewer with a start page (expected ", kTemplate,
             "; scripts/build app makes it)"});
  }
  auto files = files_below(app);
  std::erase_if(files, [](const TreeFile& file) {
    const auto first = file.key.substr(0, file.key.find('/'));
    return std::find(kLeftOut.begin(), kLeftOut.end(), first) != kLeftOut.end();
  });
  return files;
}

std::string put_viewer(SiteFolder& site, const std::string& app) {
  const auto folder = site.work("viewer");
  for (const auto& file : files_of_viewer(app)) {
    copy_in_parts(fs::path(app) / file.key, folder / file.key);
  }
  return site.adopt(folder, "viewer");
}

SiteDataset put_dataset(SiteFolder& site, DatasetToPublish& dataset, Published& out) {
  const auto identity = dataset.identity();
  for (const auto& name : site.folders("data")) {
    const auto known = published_with(site.path() / name, identity);
    if (!known) continue;
    ++out.kept;
    return *known;
  }
  const auto folder = site.work("data");
  auto made = dataset.write(folder, identity, out.notices);
  made.folder = site.adopt(folder, "data");
  return made;
}

/// Publishes predictions and rollouts; returns their folder, "" without any.
std::string put_results(SiteFolder& site, const PublishOptions& options,
                        SiteDescription& out) {
  if (options.predictions.empty() && options.rollouts.empty()) return "";
  const auto folder = site.work("results");
  std::set<std::string> names;
  const auto put_all = [&](const std::vector<std::string>& paths, const char* kind) {
    std::vector<SiteFile> files;
    for (const auto& path : paths) {
      const auto name = std::string(kind) + "/" + fs::path(path).filename().string();
      if (!names.insert(name).second) {
        fail(Errc::invalid_argument, {"publish: two files are named ", name});
      }
      const auto hash = copy_in_parts(path, folder / name);
      files.push_back({name, fs::file_size(folder / name), hash});
    }
    return files;
  };
  out.predictions = put_all(options.predictions, "predictions");
  out.rollouts = put_all(options.rollouts, "rollouts");
  const auto name = site.adopt(folder, "results");
  for (auto* files : {&out.predictions, &out.rollouts}) {
    for (auto& file : *files) file.path = name + "/" + file.path;
  }
  return name;
}

/// Puts the picture for previews of links; returns its name.
std::string put_picture(SiteFolder& site, const std::string& path) {
  constexpr std::uint64_t kMaxPicture = std::uint64_t{16} << 20U;
  const auto bytes = text_of_file(path, kMaxPicture);
  std::string ending;
  if (bytes.starts_with("\x89PNG")) ending = ".png";
  if (bytes.starts_with("\xff\xd8\xff")) ending = ".jpg";
  if (bytes.starts_with("RIFF") && bytes.substr(8, 4) == "WEBP") ending = ".webp";
  if (ending.empty()) {
    fail_at(Errc::unsupported, path, {"not a picture (expected PNG, JPEG or WebP)"});
  }
  site.put("preview" + ending, bytes);
  return "preview" + ending;
}

void count_files(const fs::path& folder, Published& out) {
  for (const auto& file : files_below(folder)) {
    ++out.objects;
    out.bytes += file.size;
  }
}

/// A folder that is removed at the end.
class TemporaryFolder {
 public:
  TemporaryFolder() : path_((fs::temp_directory_path() / "bevscope-XXXXXX").string()) {
    if (::mkdtemp(path_.data()) == nullptr) fail_write(path_, errno);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// Adds a data set to an estimate, by its first scenes.
///
/// @param scale  all scenarios by those that were converted; their maps grow with them
void add_estimate(DatasetToPublish& dataset, double scale, bool zip,
                  PublishEstimate& out) {
  const TemporaryFolder folder;
  const auto store = folder.path() + "/sample.zarr";
  const auto sample = dataset.copy_sample(store);
  const auto copied = sample.first;
  const auto scaled = [&](std::uint64_t of) {
    return static_cast<std::uint64_t>(std::llround(static_cast<double>(of) * scale));
  };
  const auto scenes = scaled(sample.second);
  std::uint64_t objects = 0, bytes = 0, documents = 0, document_bytes = 0, frame = 0;
  std::string array;
  for (const auto& file : files_below(store)) {
    // Documents do not grow with the data.
    const bool grows = !fs::path(file.key).filename().string().starts_with(".z");
    (grows ? objects : documents) += 1;
    (grows ? bytes : document_bytes) += file.size;
    out.largest = std::max(out.largest, file.size);
    // A frame reads a chunk of each array, which is the first one here or a similar one.
    const auto own = file.key.substr(0, file.key.find('/'));
    if (own == array || own.starts_with('.')) continue;
    if (file.key.find("/.") != file.key.npos) continue;
    array = own;
    frame += file.size;
  }
  const auto all = [&](std::uint64_t of) {
    return copied == 0 ? of : of * scenes / copied;
  };
  out.scenes += scenes;
  const auto whole = all(bytes) + document_bytes;
  out.objects += zip ? 1 : all(objects) + documents;
  out.bytes += whole + scaled(dataset.map_bytes());
  if (zip) out.largest = std::max(out.largest, whole);
  out.frame_bytes = std::max(out.frame_bytes, frame);
}

/// Calls `work`; errors of the file system become `io`.
template <class Work>
auto on_files(Work work) {
  try {
    return work();
  } catch (const fs::filesystem_error& error) {
    fail_at(Errc::io, error.path1().string(), {error.code().message()});
  }
}

}  // namespace

Published publish(const std::vector<PublishSource>& sources, const std::string& site,
                  const PublishOptions& options) {
  return on_files([&] {
    const SiteSources given(sources, options);
    const auto page = text_of_file(fs::path(options.app) / kTemplate, kMaxTemplate);
    site_page({}, page);      // refuses another template before the work
    SiteFolder folder(site);  // refuses another folder, too, and a second process
    const auto datasets = open_all(given.convert(site), options);
    Published out;
    out.site.about = options.about;
    std::set<std::string> used;
    for (const auto& dataset : datasets) {
      out.site.data.push_back(put_dataset(folder, *dataset, out));
      used.insert(out.site.data.back().folder);
    }
    out.site.viewer = put_viewer(folder, options.app);
    used.insert(out.site.viewer);
    used.insert(put_results(folder, options, out.site));
    const auto& first = out.site.data.front();
    if (first.has_preview) out.site.picture = first.folder + "/" + kPreview;
    if (options.picture) out.site.picture = put_picture(folder, *options.picture);
    const auto start_page = site_page(out.site, page);
    folder.put(".nojekyll", "");  // GitHub Pages would leave out .zarray and others
    folder.put("README.md", site_card(out.site));
    folder.put("croissant.json", site_croissant(out.site));
    folder.put("site.json", site_json(out.site));
    folder.finish(start_page, used, options.keep);
    SiteSources::remove_converted(site);
    count_files(folder.path(), out);
    return out;
  });
}

PublishEstimate estimate_site(const std::vector<PublishSource>& sources,
                              const PublishOptions& options) {
  return on_files([&] {
    PublishEstimate out;
    const TemporaryFolder converted;
    const auto sampled = SiteSources(sources, options).convert_first(converted.path());
    std::vector<PublishSource> stores;
    for (const auto& one : sampled) stores.push_back(one.source);
    const auto datasets = open_all(stores, options);
    for (std::size_t i = 0; i < datasets.size(); ++i) {
      add_estimate(*datasets[i], sampled[i].scale, options.zip, out);
    }
    const auto page = text_of_file(fs::path(options.app) / kTemplate, kMaxTemplate);
    out.page_bytes = page.size();
    for (const auto& file : files_of_viewer(options.app)) {
      ++out.objects;
      out.bytes += file.size;
      out.largest = std::max(out.largest, file.size);
      const bool is_named = page.find("\"./" + file.key + "\"") != page.npos;
      if (is_named) out.page_bytes += file.size;
    }
    for (const auto* files : {&options.predictions, &options.rollouts}) {
      for (const auto& path : *files) {
        ++out.objects;
        out.bytes += fs::file_size(path);
      }
    }
    return out;
  });
}

}  // namespace bev::native
