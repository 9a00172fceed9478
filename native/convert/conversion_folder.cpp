#include "native/convert/conversion_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

// Names beside the objects.
constexpr const char* kState = ".state.";
constexpr const char* kProgress = ".progress.json";
constexpr std::size_t kMaxProgress = std::size_t{1} << 30U;

fs::path without_slash(const std::string& path) {
  fs::path out(path);
  return out.has_filename() ? out : out.parent_path();
}

fs::path partial_of(fs::path path) {
  path += ".partial";
  return path;
}

void check_system(const std::error_code& error, const fs::path& path) {
  if (error) fail_at(Errc::io, path.string(), {error.message()});
}

}  // namespace

ConversionFolder::ConversionFolder(const std::string& path, const json& identity)
    : path_(without_slash(path)),
      partial_(partial_of(path_)),
      identity_(identity.dump()),
      sink_(partial_) {
  if (fs::exists(fs::symlink_status(path_))) {
    fail_at(Errc::invalid_argument, path, {"already exists"});
  }
  lock();
  try {
    restore();
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

ConversionFolder::~ConversionFolder() {
  ::close(lock_);
}

void ConversionFolder::lock() {
  std::error_code error;
  fs::create_directories(partial_, error);
  check_system(error, partial_);
  lock_ = ::open(partial_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) check_system({errno, std::generic_category()}, partial_);
  if (::flock(lock_, LOCK_EX | LOCK_NB) == 0 && is_named(lock_, partial_)) return;
  ::close(lock_);
  fail_at(Errc::invalid_argument, partial_.string(), {"another process is writing it"});
}

void ConversionFolder::restore() {
  if (!fs::exists(partial_ / kProgress)) {
    clear(true);
    return;
  }
  const auto saved = json::parse(text_of(kProgress), nullptr, false);
  const auto identity = json::parse(identity_);
  if (!saved.is_object() || !saved.contains("done") ||
      !saved["done"].is_number_unsigned()) {
    fail_at(Errc::corrupt_chunk, (partial_ / kProgress).string(),
            {"not a checkpoint; remove ", partial_.string()});
  }
  for (const auto& [name, value] : identity.items()) {
    if (saved.contains(name) && saved[name] == value) continue;
    fail_at(Errc::invalid_argument, partial_.string(),
            {"left by a conversion with other sources or options; remove it or repeat "
             "that command"});
  }
  done_ = saved["done"].get<std::uint64_t>();
  if (saved.contains("report")) {
    report_ = saved["report"].dump();
  } else {
    state_ = text_of(kState + std::to_string(done_));
  }
}

std::string ConversionFolder::text_of(const std::string& name) const {
  const auto path = (partial_ / name).string();
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  if (file->size() > kMaxProgress) {
    fail_at(Errc::limit_exceeded, path, {"too large (found ", file->size(), " bytes)"});
  }
  std::string out(static_cast<std::size_t>(file->size()), '\0');
  out.resize(file->read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

void ConversionFolder::put(std::string_view key, std::span<const std::byte> bytes) {
  sink_.put(key, bytes);
}

void ConversionFolder::append(std::string_view key, std::span<const std::byte> bytes) {
  const auto path = partial_ / fs::path(key);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(
      std::fopen(path.c_str(), "ab"),
      [](std::FILE* open) { return std::fclose(open); });
  if (!file) fail_write(std::string(key), errno);
  if (std::fwrite(bytes.data(), 1, bytes.size(), file.get()) != bytes.size() ||
      std::fflush(file.get()) != 0) {
    fail_write(std::string(key), errno);
  }
}

void ConversionFolder::replace(const std::string& name, std::string_view content) {
  const auto path = partial_ / name;
  auto made = path;
  made += ".new";
  write_file(made, std::as_bytes(std::span(content)), name);
  std::error_code error;
  fs::rename(made, path, error);
  check_system(error, path);
}

void ConversionFolder::save(std::uint64_t done, const std::string& state) {
  replace(kState + std::to_string(done), state);
  sync_tree(partial_);
  save_progress(done, nullptr);
}

void ConversionFolder::save_report(std::uint64_t done, const std::string& report) {
  sync_tree(partial_);
  save_progress(done, &report);
  report_ = report;
}

/// Replaces the progress, which names the state, and then removes older states.
void ConversionFolder::save_progress(std::uint64_t done, const std::string* report) {
  auto progress = json::parse(identity_);
  progress["done"] = done;
  if (report != nullptr) progress["report"] = json::parse(*report);
  replace(kProgress, progress.dump());
  const auto current = kState + std::to_string(done);
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(partial_, error)) {
    const auto name = entry.path().filename().string();
    if (name.starts_with(kState) && name != current) fs::remove(entry.path(), error);
  }
  check_system(error, partial_);
}

/// Removes all entries, or those that are not objects.
void ConversionFolder::clear(bool everything) {
  std::error_code error;
  std::vector<fs::path> removed;
  for (const auto& entry : fs::directory_iterator(partial_, error)) {
    const auto name = entry.path().filename().string();
    if (everything || name.starts_with(".state") || name.starts_with(kProgress)) {
      removed.push_back(entry.path());
    }
  }
  check_system(error, partial_);
  for (const auto& path : removed) {
    fs::remove_all(path, error);
    check_system(error, path);
  }
}

void ConversionFolder::commit() {
  clear(false);
  sync_tree(partial_);
  std::error_code error;
  fs::rename(partial_, path_, error);
  check_system(error, path_);
  sync_folder(fs::absolute(path_).parent_path());
}

}  // namespace bev::native
