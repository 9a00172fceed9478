#include <filesystem>
#include <system_error>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"
#include "native/s3/s3_address.hpp"
#include "native/save/array_stores.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;

std::string joined_path(const std::string& path, const std::string& array) {
  return path.empty() || array.empty() ? path + array : path + "/" + array;
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

void check_no_zip(const std::string& name) {
  if (!name.ends_with(".zip")) return;
  fail_at(Errc::unsupported, name, {"arrays in archives cannot be written"});
}

ArrayPlace place_in_s3(const std::string& path, const std::string& array) {
  const auto settings = s3_settings();
  const auto address = S3Address::parse(path);
  check_no_zip(address.key);
  const auto bucket = "s3://" + address.bucket;
  const auto whole = s3_array_store(bucket, settings);
  const auto has = [&](const std::string& key) {
    return whole->read(key).bytes.has_value();
  };
  auto root = address.key;
  auto below = array;
  for (auto slash = root.rfind('/'); slash != root.npos; slash = root.rfind('/')) {
    const auto parent = root.substr(0, slash);
    if (!has(parent + "/.zgroup") && !has(parent + "/zarr.json")) break;
    below = joined_path(root.substr(slash + 1), below);
    root = parent;
  }
  return {s3_array_store(joined_path(bucket, root), settings), below};
}

}  // namespace

ArrayPlace array_place(const std::string& path, const std::string& array) {
  if (is_s3(path)) return place_in_s3(path, array);
  if (is_remote(path)) {
    fail_at(Errc::unsupported, without_secrets(path),
            {"arrays at a URL cannot be written"});
  }
  auto root = fs::absolute(path).lexically_normal();
  if (!root.has_filename()) root = root.parent_path();  // a trailing slash
  check_no_zip(root.filename().string());
  auto below = array;
  for (auto parent = root.parent_path();
       root.has_relative_path() &&
       (is_file(parent / ".zgroup") || is_file(parent / "zarr.json"));
       parent = root.parent_path()) {
    below = joined_path(root.filename().string(), below);
    root = parent;
  }
  return {folder_array_store(root.string()), below};
}

}  // namespace bev::native
