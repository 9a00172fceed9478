#include "native/save/parts_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <span>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/write_file.hpp"
#include "native/http/url_text.hpp"
#include "native/s3/s3_store.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using save::DataConfig;

/// Returns where parts of data sets in S3 are collected.
fs::path state_folder() {
  constexpr std::array<std::pair<const char*, const char*>, 3> kPlaces = {
      {{"BEVSCOPE_PARTS", ""},
       {"XDG_STATE_HOME", "bevscope/parts"},
       {"HOME", ".local/state/bevscope/parts"}}};
  for (const auto& [variable, below] : kPlaces) {
    const char* const value = std::getenv(variable);
    if (value != nullptr && *value != '\0') return fs::path(value) / below;
  }
  fail(Errc::invalid_argument,
       {"BEVSCOPE_PARTS: not set (expected a folder for what is saved to S3)"});
}

fs::path parts_folder_of(std::string store) {
  if (!is_s3(store) && store.find("://") != store.npos) {
    fail_at(Errc::unsupported, store,
            {"rows are saved to a folder, a .zip file or S3 (found another URL)"});
  }
  while (store.size() > 1 && store.ends_with('/')) store.pop_back();
  if (!is_s3(store)) {
    // One folder, and so one lock, for all names of a store
    std::error_code error;
    auto place = fs::weakly_canonical(fs::absolute(store), error);
    if (error) fail_write(store, error.value());
    place += ".parts";
    return place;
  }
  const auto [bucket, key] = S3Address::parse(store);
  const auto service = s3_settings().endpoint;
  const auto path = state_folder() / url_encoded(service.empty() ? "s3" : service, "") /
                    bucket / (key + ".parts");
  return fs::absolute(path).lexically_normal();
}

/// Returns the settings of the store's first saver; checks that the mode allows it.
save::SaveSettings settings_of(const std::string& store, const DataConfig& config,
                               SaveMode mode) {
  if (mode != SaveMode::create) {
    return save::first_settings(config, mode, committed_at(store), store);
  }
  const bool exists = is_s3(store) ? is_s3_store(store, s3_settings())
                                   : fs::exists(fs::symlink_status(store));
  if (!exists) return save::first_settings(config, mode, std::nullopt, store);
  fail_at(Errc::invalid_argument, store,
          {"already exists (append and replace must be asked for)"});
}

/// Whether a folder has nothing but what a writer of it creates first.
bool is_unused_folder(const fs::path& folder) {
  if (!fs::is_directory(folder)) return false;
  const fs::directory_iterator entries(folder);
  return std::all_of(begin(entries), end(entries), [](const auto& entry) {
    return entry.path().filename() == ".partial";
  });
}

}  // namespace

std::optional<std::string> text_of_file(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) return std::nullopt;
  if (file->size() > save::Manifest::kMaxJson) {
    fail_at(Errc::limit_exceeded, path.string(),
            {"too long (found ", file->size(), " bytes)"});
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  return text;
}

std::optional<save::Committed> committed_at(const std::string& store) {
  if (is_s3(store)) {
    if (!is_s3_store(store, s3_settings())) return std::nullopt;
  } else {
    recover_replaced(store);
    if (!fs::exists(fs::symlink_status(store)) || is_unused_folder(store)) {
      return std::nullopt;
    }
  }
  if (auto found = committed_in(*open_store(store), store)) return found;
  fail_at(Errc::invalid_argument, store, {"not a data set written by a saver"});
}

std::optional<save::Committed> committed_in(Source& source, const std::string& store) {
  for (const char* const key : {".zattrs", "zarr.json"}) {
    const auto bytes = source.read(key, std::nullopt);
    if (!bytes) continue;
    return save::committed_from(
        {reinterpret_cast<const char*>(bytes->data()), bytes->size()},
        store + "/" + key);
  }
  return std::nullopt;
}

fs::path PartsFolder::path_of(const std::string& store) {
  return parts_folder_of(store);
}

PartsFolder::PartsFolder(const std::string& store, const DataConfig& config,
                         SaveMode mode)
    : PartsFolder(parts_folder_of(store)) {
  create();
  try {
    if (!fs::exists(folder_ / "settings.json")) {
      write_settings(settings_of(store, config, mode));
    }
  } catch (...) {
    ::rmdir(folder_.c_str());  // fails if other savers use it, which is intended
    throw;
  }
  read_settings();
  check_settings(*settings_, config, mode, folder_.string());
}

PartsFolder::PartsFolder(const std::string& store, const Settings& settings)
    : PartsFolder(parts_folder_of(store)) {
  create();
  if (!fs::exists(folder_ / "settings.json")) write_settings(settings);
  read_settings();
  if (settings_->to_json() == settings.to_json()) return;
  fail_at(Errc::invalid_argument, folder_.string(),
          {"parts of another config, mode or data set are there"});
}

/// Creates the folder and holds its lock together with other savers.
void PartsFolder::create() {
  do {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error) fail_write(folder_.string(), error.value());
  } while (!lock(Lock::shared));
}

std::optional<PartsFolder> PartsFolder::open(const std::string& store, Lock lock) {
  const auto folder = parts_folder_of(store);
  PartsFolder out(folder);
  do {
    if (!fs::exists(folder / "settings.json")) return std::nullopt;
  } while (!out.lock(lock));
  out.read_settings();
  return out;
}

PartsFolder::PartsFolder(PartsFolder&& other) noexcept
    : folder_(std::move(other.folder_)),
      lock_(std::exchange(other.lock_, -1)),
      settings_(std::move(other.settings_)) {}

PartsFolder::~PartsFolder() {
  if (lock_ >= 0) ::close(lock_);
}

/// Returns false if the folder was removed meanwhile.
bool PartsFolder::lock(Lock how) {
  const int descriptor = ::open(folder_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return false;
  if (descriptor < 0) fail_write(folder_.string(), errno);
  const int kind = how == Lock::shared ? LOCK_SH : LOCK_EX;
  if (::flock(descriptor, kind | LOCK_NB) != 0) {
    ::close(descriptor);
    fail_at(Errc::invalid_argument, folder_.string(),
            {how == Lock::shared ? "locked (the data set is being committed)"
                                 : "locked (savers are running)"});
  }
  if (!is_named(descriptor, folder_)) {
    ::close(descriptor);
    return false;
  }
  lock_ = descriptor;
  return true;
}

void PartsFolder::write_settings(const Settings& settings) const {
  const auto text = settings.to_json();
  try {
    NewFile file((folder_ / "settings.json").string(), Existing::refuse);
    file.write(std::as_bytes(std::span(text)));
    file.commit();
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_argument) throw;  // another saver was first
  }
}

void PartsFolder::read_settings() {
  const auto path = folder_ / "settings.json";
  const auto text = text_of_file(path);
  if (!text) fail_at(Errc::missing_key, path.string(), {"not found"});
  settings_ = Settings::parse(*text, path.string());
}

fs::path PartsFolder::part(std::uint64_t saver) const {
  return folder_ / save::part_name(saver);
}

std::vector<save::Manifest> PartsFolder::manifests() const {
  std::vector<save::Manifest> out;
  for (const auto saver : savers()) {
    const auto path = part(saver) / "manifest.json";
    const auto text = text_of_file(path);
    if (!text) {
      fail_at(Errc::invalid_argument, path.string(),
              {"not found (resume and finish the saver, or abort it)"});
    }
    out.push_back(save::Manifest::parse(*text, settings_->config, path.string()));
    if (out.back().saver != saver) {
      fail_at(Errc::invalid_metadata, path.string(),
              {"belongs to saver ", out.back().saver});
    }
  }
  return out;
}

std::vector<std::uint64_t> PartsFolder::savers() const {
  std::vector<std::uint64_t> out;
  for (const auto& entry : fs::directory_iterator(folder_)) {
    const auto saver = save::saver_of(entry.path().filename().string());
    if (entry.is_directory() && saver) out.push_back(*saver);
  }
  std::sort(out.begin(), out.end());
  return out;
}

void PartsFolder::remove_if_empty(const std::string& store) {
  try {
    auto folder = open(store, Lock::exclusive);
    if (folder && folder->savers().empty()) folder->remove();
  } catch (const Error& error) {
    if (error.code() != Errc::invalid_argument) throw;  // other savers use it
  }
}

void PartsFolder::remove_leftovers(const std::string& store) {
  auto removed = parts_folder_of(store);
  removed += ".removed";
  std::error_code error;
  fs::remove_all(removed, error);
  if (error) fail_write(removed.string(), error.value());
}

void PartsFolder::remove() {
  auto removed = folder_;
  removed += ".removed";
  std::error_code error;
  fs::remove_all(removed, error);  // left by a killed process
  // By one rename: a part that is left alone would look like all that was saved
  if (!error) fs::rename(folder_, removed, error);
  if (error) fail_write(folder_.string(), error.value());
  fs::remove_all(removed, error);
}

}  // namespace bev::native
