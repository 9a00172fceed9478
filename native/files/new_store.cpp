#include "native/files/new_store.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "core/base/error.hpp"
#include "native/files/file.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/output_path.hpp"
#include "native/files/sinks.hpp"
#include "native/s3/s3_store.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

std::vector<std::byte> content_of(const fs::path& path) {
  const auto file = File::open(path.string(), path.string());
  if (!file) fail_at(Errc::io, path.string(), {"read failed: no such file"});
  std::vector<std::byte> bytes(static_cast<std::size_t>(file->size()));
  if (file->read_at(0, bytes) == bytes.size()) return bytes;
  fail_at(Errc::changed, path.string(), {"truncated while it was read"});
}

class FolderStore final : public LocalStore {
 public:
  FolderStore(const std::string& path, std::optional<NewFolder::Paths> replaced)
      : folder_(path, std::move(replaced)), sink_(folder_.path()) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    // Writing to a link would change the file that it was made of
    if (linked_.contains(key)) remove(key);
    sink_.put(key, bytes);
  }

  void put_file(std::string_view key, const fs::path& file) override {
    check_key(key);
    const auto path = path_of(key);
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    remove(key);
    fs::create_hard_link(file, path, error);
    if (error) {
      sink_.put(key, content_of(file));
    } else {
      linked_.emplace(key);
    }
  }

  void commit() override { folder_.commit(); }

 private:
  fs::path path_of(std::string_view key) const {
    return folder_.path() / fs::path(key);
  }

  void remove(std::string_view key) {
    std::error_code error;
    fs::remove(path_of(key), error);
    if (error) fail_write(std::string(key), error.value());
    linked_.erase(std::string(key));
  }

  NewFolder folder_;
  DirectorySink sink_;
  std::set<std::string, std::less<>> linked_;
};

class ZipStore final : public LocalStore {
 public:
  ZipStore(const std::string& path, Existing existing)
      : file_(path, existing), sink_([this](auto bytes) { file_.write(bytes); }) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    check_key(key);
    sink_.put(key, bytes);
  }

  void put_file(std::string_view key, const fs::path& file) override {
    put(key, content_of(file));
  }

  void commit() override {
    sink_.finish();
    file_.commit();
  }

 private:
  NewFile file_;
  ZipSink sink_;
};

bool is_store(const fs::path& folder) {
  constexpr std::array kDocuments = {".zgroup", ".zarray", ".zmetadata", "zarr.json"};
  return fs::is_empty(folder) ||
         std::any_of(kDocuments.begin(), kDocuments.end(),
                     [&](const auto* name) { return fs::exists(folder / name); });
}

/// Throws unless the path is free, or a store that may be replaced.
void check_target(const std::string& path, Existing existing, bool zip) {
  const auto status = fs::status(path);
  if (!fs::exists(status)) return;
  if (existing == Existing::refuse) {
    fail_at(Errc::invalid_argument, path, {"already exists"});
  }
  if (zip ? fs::is_regular_file(status) : fs::is_directory(status) && is_store(path)) {
    return;
  }
  fail_at(Errc::invalid_argument, path,
          {"only a store is replaced (found something else)"});
}

std::string without_end_slash(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path;
}

}  // namespace

std::unique_ptr<LocalStore> create_store(const std::string& path, Existing existing) {
  if (is_s3(path)) return create_s3_store(path, existing, s3_settings());
  refuse_url(path);
  const auto target = without_end_slash(path);
  const bool zip = target.ends_with(".zip");
  try {
    check_target(target, existing, zip);
    if (!zip) {
      const bool replace = existing == Existing::replace;
      return std::make_unique<FolderStore>(
          target, replace ? std::optional(NewFolder::everything()) : std::nullopt);
    }
    const auto parent = fs::path(target).parent_path();
    if (!parent.empty()) fs::create_directories(parent);
    return std::make_unique<ZipStore>(target, existing);
  } catch (const fs::filesystem_error& error) {
    fail_write(target, error.code().value());
  }
}

}  // namespace bev::native
