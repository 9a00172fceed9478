#include "native/publish/publish_dataset.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/sha256.hpp"
#include "core/engine/host_loop.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scene/dataset.hpp"
#include "native/copy/copy_dataset.hpp"
#include "native/files/file.hpp"
#include "native/files/new_store.hpp"
#include "native/files/write_file.hpp"
#include "native/index/index_facts.hpp"
#include "native/index/thumbnails.hpp"
#include "native/publish/site_folder.hpp"
#include "native/s3/s3_address.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kMap = "semantic_map/semantic_map.pb";
constexpr const char* kMeta = "meta.json";
constexpr const char* kAerial = "aerial_map/aerial_map.png";
constexpr const char* kNotes = "scenes/notes.json";
/// The document of no notes, for which the viewer would otherwise ask in vain.
constexpr std::string_view kNoNotes =
    "{\"format\": \"bevscope-notes\", \"version\": 1, \"notes\": []}\n";
/// Changes when the same input gives other bytes.
constexpr const char* kLayout = "2";
constexpr std::uint64_t kPart = std::uint64_t{16} << 20U;
constexpr std::int64_t kSampleScenes = 3;

std::vector<std::byte> content(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::not_found, path.string(), {"not a file"});
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
  if (file->read_at(0, bytes) == bytes.size()) return bytes;
  fail_at(Errc::changed, path.string(), {"truncated while it was read"});
}

/// Returns the data set's name: "scenes/town.zarr.zip" is "town".
std::string name_of_path(const std::string& path) {
  auto text = path.substr(0, path.find_first_of("?#"));
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  text = text.substr(text.rfind('/') + 1);
  for (const std::string_view ending : {".zip", ".zarr"}) {
    if (text.ends_with(ending)) text.resize(text.size() - ending.size());
  }
  for (char& letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool is_plain =
        (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
        (byte >= 'A' && byte <= 'Z') || letter == '-' || letter == '_' || letter == '.';
    if (!is_plain) letter = '-';
  }
  const bool has_name = text.find_first_not_of(".-") != text.npos;
  return has_name && text.front() != '.' ? text : "data";
}

void add_words(Sha256& hash, std::string_view text) {
  hash.add(std::as_bytes(std::span(text)));
}

/// Adds an object of a source in parts.
void add_object(Sha256& hash, Source& source, const Listed& object) {
  add_words(hash, object.key + "\n" + std::to_string(object.size) + "\n");
  for (std::uint64_t at = 0; at < object.size; at += kPart) {
    const ByteRange range{at, std::min(at + kPart, object.size)};
    const auto bytes = source.read(object.key, range);
    if (!bytes || bytes->size() != range.end - range.begin) {
      fail_at(Errc::changed, object.key, {"changed while it was read"});
    }
    hash.add(*bytes);
  }
}

std::uint64_t length_of(Engine& engine, std::string_view path) {
  const auto* const array = engine.array(path);
  return array == nullptr ? 0 : array->length();
}

scene::CopyLayout layout_for_viewing() {
  return scene::viewing_layout({});
}

/// Moves all of a folder to a folder in it. Readers believe the facts of data below
/// data-IDENTITY, which does not change, without asking for the state of each object.
void move_below(const fs::path& folder, const std::string& name) {
  std::vector<fs::path> entries;
  for (const auto& entry : fs::directory_iterator(folder))
    entries.push_back(entry.path());
  fs::create_directory(folder / name);
  for (const auto& entry : entries) fs::rename(entry, folder / name / entry.filename());
}

/// Writes a folder's files as the members of an archive, and removes the folder.
void archive(const fs::path& folder, const std::string& path) {
  const auto store = create_store(path);
  for (const auto& file : files_below(folder)) {
    store->put(file.key, content(folder / file.key));
  }
  store->commit();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
}

/// Returns Croissant's name of a field's type; "" for one that it does not have.
std::string type_for_croissant(const zarr::DType& type) {
  switch (type.kind) {
    case zarr::Kind::boolean: return "sc:Boolean";
    case zarr::Kind::signed_int:
    case zarr::Kind::unsigned_int: return "sc:Integer";
    case zarr::Kind::real: return "sc:Float";
    case zarr::Kind::bytes:
    case zarr::Kind::unicode: return "sc:Text";
    default: return "";
  }
}

std::vector<SiteArray> describe_arrays(const Engine& engine) {
  std::vector<SiteArray> out;
  for (const auto path : scene::kArrays) {
    const auto* const array = engine.array(path);
    if (array == nullptr || array->meta.dtype.fields.empty()) continue;
    out.push_back({std::string(path)});
    for (const auto& field : array->meta.dtype.fields) {
      auto type = type_for_croissant(field.type);
      if (type.empty()) continue;
      out.back().fields.push_back(
          {field.name, std::move(type), !field.type.shape.empty()});
    }
  }
  return out;
}

/// Counts a folder's files, and hashes those that Croissant describes.
void describe_files(const fs::path& folder, SiteDataset& out) {
  for (const auto& file : files_below(folder)) {
    ++out.objects;
    out.bytes += file.size;
    const auto name = fs::path(file.key).filename();
    const bool is_described = name == ".zmetadata" || name == "facts.zip" ||
                              name == "semantic_map.pb" || name == "aerial_map.png" ||
                              name == kMeta || file.key.ends_with(".zarr.zip");
    if (!is_described) continue;
    out.documents.push_back({file.key, file.size, hash_of_file(folder / file.key)});
  }
}

}  // namespace

DatasetToPublish::DatasetToPublish(const PublishSource& source,
                                   const PublishOptions& options)
    : options_(options),
      path_(source.path),
      name_(source.name.empty() ? name_of_path(source.path) : source.name),
      source_(open_source(source.path, options.read)) {
  if (name_ != name_of_path(name_)) {
    fail(Errc::invalid_argument, {"publish: invalid name (found \"", name_,
                                  "\", expected letters, digits, -, _ and .)"});
  }
  find_map(source);
}

/// Finds map, meta.json and aerial image where the viewer does.
void DatasetToPublish::find_map(const PublishSource& source) {
  has_own_map_ = !source.map && source_->read(kMap, ByteRange{0, 1}).has_value();
  fs::path root;
  if (source.map) {
    const auto meta = fs::absolute(*source.map).parent_path() / kMeta;
    root = fs::exists(meta) ? meta.parent_path() : meta.parent_path().parent_path();
    add_file(kMap, *source.map);
    add_file(kMeta, (root / kMeta).string());
  } else if (!is_remote(path_)) {
    auto store = fs::absolute(path_).lexically_normal();
    if (!store.has_filename()) store = store.parent_path();
    const auto above = store.parent_path();
    std::array folders = {above, above.parent_path()};
    if (above.filename() == "scenes") std::swap(folders[0], folders[1]);
    for (const auto& folder : folders) {
      if (!fs::is_regular_file(folder / kMeta)) continue;
      root = folder;
      add_file(kMeta, (root / kMeta).string());
      if (!has_own_map_ && fs::is_regular_file(root / kMap)) {
        add_file(kMap, (root / kMap).string());
      }
      break;
    }
    const auto notes = above / "notes.json";
    if (fs::is_regular_file(notes)) add_file(kNotes, notes.string());
  }
  if (source.aerial) {
    add_file(kAerial, *source.aerial);
  } else if (!root.empty() && fs::is_regular_file(root / kAerial)) {
    add_file(kAerial, (root / kAerial).string());
  }
  const bool has_meta = std::any_of(beside_.begin(), beside_.end(),
                                    [](const auto& file) { return file.key == kMeta; });
  if (source.aerial && !has_meta) {
    fail_at(Errc::not_found, *source.aerial,
            {"an aerial image needs the map's meta.json"});
  }
}

void DatasetToPublish::add_file(const std::string& key, const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not a file"});
  beside_.push_back({key, path, file->size()});
}

std::uint64_t DatasetToPublish::map_bytes() const {
  std::uint64_t bytes = 0;
  if (has_own_map_) bytes += source_->read(kMap, std::nullopt)->size();
  for (const auto& file : beside_) bytes += file.size;
  return bytes;
}

std::string DatasetToPublish::identity() {
  Sha256 hash;
  add_words(hash, std::string(kLayout) + (options_.zip ? " zip " : " ") + name_ + "\n");
  for (auto& file : beside_) {
    file.sha256 = hash_of_file(file.path);
    add_words(hash, file.key + "\n" + file.sha256 + "\n");
  }
  const auto listed = source_->list("");
  if (!listed) return "";
  keys_.clear();
  std::uint64_t done = 0;
  for (const auto& object : *listed) {
    // Statistics and facts are made anew, of the copy.
    if (object.key.starts_with(".bevscope/")) continue;
    keys_.push_back(object.key);
    add_object(hash, *source_, object);
    if (options_.progress) options_.progress(name_ + ": read", ++done, listed->size());
  }
  return hash.hex();
}

void DatasetToPublish::copy_store(const std::string& store,
                                  std::vector<std::string>& notices) {
  Engine engine;
  run(engine, *engine.open(), *source_);
  const auto scenes = length_of(engine, scene::kScenes);
  CopyOptions copying;
  copying.layout = layout_for_viewing();
  copying.statistics = true;
  if (options_.progress) {
    copying.progress = [&](std::uint64_t done) {
      options_.progress(name_ + ": copy", done, scenes);
    };
  }
  const auto copied = copy_dataset(*source_, store, copying);
  for (const auto& path : copied.left_out) {
    if (has_own_map_ && path.starts_with("semantic_map")) continue;
    notices.push_back(name_ + "/" + path + ": not copied");
  }
  if (!copied.has_statistics) notices.push_back(name_ + ": statistics are too large");
}

/// Copies a map that is in the store.
void DatasetToPublish::copy_inside(const std::string& store) {
  if (!has_own_map_) return;
  for (const std::string key : {kMap, kMeta}) {
    const auto bytes = source_->read(key, std::nullopt);
    if (!bytes) fail(Errc::missing_key, {name_, "/", key, ": not found"});
    const auto path = fs::path(store) / key;
    fs::create_directories(path.parent_path());
    write_file(path, *bytes, name_ + "/" + key);
  }
}

std::string DatasetToPublish::map_beside(const fs::path& folder) const {
  for (const auto& file : beside_) {
    if (file.key == kMap) return (folder / kMap).string();
  }
  return "";
}

std::optional<std::uint64_t> DatasetToPublish::write_facts(
    const std::string& store, std::vector<std::string>& notices) {
  const auto copy = open_source(store);
  IndexFactsOptions making;
  const auto map = has_own_map_ ? store + "/" + kMap : map_beside(folder_);
  if (!map.empty()) making.map = map;
  std::optional<reader::Statistics> statistics;
  if (const auto bytes = copy->read(std::string(reader::Statistics::kKey), {})) {
    statistics = reader::Statistics::parse(
        {reinterpret_cast<const char*>(bytes->data()), bytes->size()});
    making.statistics = &*statistics;
  }
  if (options_.progress) {
    making.progress = [&](std::uint64_t done, std::uint64_t all) {
      options_.progress(name_ + ": facts", done, all);
    };
  }
  const auto path = fs::path(store) / std::string(FactArchive::kKey);
  const auto made = index_facts(*copy, path.string(), making);
  if (!made) {
    notices.push_back(name_ + ": no facts of such data");
    return std::nullopt;
  }
  facts_identity_ = made->identity;
  return made->tracks;
}

/// Throws `changed` if a file differs from what was read first.
void DatasetToPublish::check_unchanged() {
  source_->check_unchanged();
  for (const auto& key : keys_) {
    if (source_->version(key) != "absent") continue;
    fail(Errc::changed, {path_, ": ", key, " was removed while it was read"});
  }
}

/// Copies the files beside the store.
void DatasetToPublish::copy_beside(const fs::path& folder) const {
  for (const auto& file : beside_) {
    const auto hash = copy_in_parts(file.path, folder / file.key);
    if (!file.sha256.empty() && file.sha256 != hash) {
      fail_at(Errc::changed, file.path, {"changed while it was read"});
    }
  }
  if (!fs::exists(folder / kNotes)) {
    fs::create_directories(folder / "scenes");
    write_file(folder / kNotes, std::as_bytes(std::span(kNoNotes)), kNotes);
  }
}

SiteDataset DatasetToPublish::write(const fs::path& folder, const std::string& identity,
                                    std::vector<std::string>& notices) {
  folder_ = folder;
  copy_beside(folder);
  SiteDataset out;
  out.name = name_;
  out.store = "scenes/" + name_ + ".zarr";
  const auto store = (folder / out.store).string();
  copy_store(store, notices);
  copy_inside(store);
  out.tracks = write_facts(store, notices);
  check_unchanged();

  const auto copy = open_source(store);
  Engine engine;
  run(engine, *engine.open(), *copy);
  out.scenes = length_of(engine, scene::kScenes);
  out.frames = length_of(engine, scene::kFrames);
  out.agents = length_of(engine, scene::kAgents);
  out.arrays = describe_arrays(engine);
  out.has_facts = out.tracks.has_value();
  out.has_map = has_own_map_ || !map_beside(folder).empty();
  out.has_aerial = fs::exists(folder / kAerial);
  const auto map = has_own_map_ ? store + "/" + kMap : map_beside(folder);
  const auto preview = draw_preview(*copy, map);
  out.has_preview = !preview.empty();
  if (options_.zip) {
    out.store += ".zip";
    archive(store, (folder / out.store).string());
  }
  if (!facts_identity_.empty()) {
    move_below(folder, "data-" + facts_identity_);
    out.store = "data-" + facts_identity_ + "/" + out.store;
  }
  if (out.has_preview) write_file(folder / kPreview, preview, kPreview);
  describe_files(folder, out);
  auto document = json_of(out);
  document["source"] = identity;
  const auto text = document.dump(1, ' ', true) + "\n";
  write_file(folder / kDatasetDocument, std::as_bytes(std::span(text)),
             kDatasetDocument);
  return out;
}

std::pair<std::uint64_t, std::uint64_t> DatasetToPublish::copy_sample(
    const std::string& store) {
  Engine engine;
  run(engine, *engine.open(), *source_);
  CopyOptions copying;
  copying.layout = layout_for_viewing();
  copying.statistics = true;
  copying.scenes = {.begin = 0, .end = kSampleScenes};
  const auto copied = copy_dataset(*source_, store, copying);
  const auto copy = open_source(store);
  const auto facts = store + "/" + std::string(FactArchive::kKey);
  index_facts(*copy, facts, {});
  return {copied.scenes, length_of(engine, scene::kScenes)};
}

std::optional<SiteDataset> published_with(const fs::path& folder,
                                          const std::string& identity) {
  const auto path = (folder / kDatasetDocument).string();
  const auto file = File::open(path, path);
  constexpr std::uint64_t kMaxDocument = std::uint64_t{1} << 20U;
  if (!file || file->size() > kMaxDocument || identity.empty()) return std::nullopt;
  const auto bytes = content(path);
  const auto document = json::parse(
      std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()),
      nullptr, false);
  if (!document.is_object() || document.value("source", json()) != json(identity)) {
    return std::nullopt;
  }
  auto out = dataset_of(document, path);
  std::uint64_t objects = 0, size = 0;
  for (const auto& one : files_below(folder)) {
    if (one.key == kDatasetDocument) continue;
    ++objects;
    size += one.size;
  }
  if (objects != out.objects || size != out.bytes) return std::nullopt;
  out.folder = folder.filename().string();
  return out;
}

}  // namespace bev::native
