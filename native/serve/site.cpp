#include "native/serve/site.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "core/reader/statistics.hpp"
#include "core/scan/fact_archive.hpp"
#include "core/scan/thumbnails.hpp"
#include "native/files/file.hpp"

namespace bev::serve {
namespace {

constexpr std::string_view kDataPrefix = "/data/";

// The policy that the viewer is built for. Data may come from any server, hence
// connect-src.
constexpr std::string_view kAppPolicy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "worker-src 'self'; img-src 'self' blob: data:; connect-src *; "
    "frame-ancestors 'self'";

// Data is untrusted: an HTML page among it would otherwise run in the app's origin.
constexpr std::string_view kDataPolicy = "default-src 'none'; sandbox";

/// Whether a path segment is a hidden name (".env", ".git/config"), which is not
/// served, other than a zarr document and a data set's statistics.
bool is_hidden(std::string_view key) {
  constexpr std::array<std::string_view, 4> kOfZarr = {".zarray", ".zattrs", ".zgroup",
                                                       ".zmetadata"};
  for (;;) {
    const auto slash = key.find('/');
    const auto name = key.substr(0, slash);
    const bool is_last = slash == key.npos;
    const bool of_zarr =
        is_last && std::find(kOfZarr.begin(), kOfZarr.end(), name) != kOfZarr.end();
    if (key == reader::Statistics::kKey || key == FactArchive::kKey ||
        is_thumbnails_key(key)) {
      return false;
    }
    if (name.starts_with('.') && !of_zarr) return true;
    if (is_last) return false;
    key.remove_prefix(slash + 1);
  }
}

/// Whether the name contains the build tool's content hash: "assets/x-B3_dQ9-a.js".
bool has_hash(std::string_view key) {
  constexpr std::size_t kHashLength = 8;
  if (!key.starts_with("assets/")) return false;
  const auto stem = key.substr(0, key.rfind('.'));
  if (stem.size() <= kHashLength || stem[stem.size() - kHashLength - 1] != '-') {
    return false;
  }
  const auto hash = stem.substr(stem.size() - kHashLength);
  return std::all_of(hash.begin(), hash.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '-' || c == '_';
  });
}

bool is_text(std::string_view type) {
  return type.starts_with("text/") || type == "application/wasm" ||
         type == "image/svg+xml";
}

std::filesystem::path folder(const std::string& path) {
  std::error_code error;
  auto found = std::filesystem::canonical(path, error);
  if (error || !std::filesystem::is_directory(found, error)) {
    throw Error(Errc::not_found, path + ": folder not found");
  }
  return found;
}

std::optional<native::File> open_beneath(const std::filesystem::path& root,
                                         std::string_view key) {
  try {
    const auto path = native::find_beneath(root, key);
    if (!path) return std::nullopt;
    return native::File::open(path->string(), std::string(key));
  } catch (const Error& error) {
    if (error.code() == Errc::invalid_argument) return std::nullopt;
    throw;
  }
}

struct Entry {
  std::string_view name;
  std::string_view type;
};

constexpr std::array kByExtension = std::to_array<Entry>({
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/vnd.microsoft.icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"map", "application/json"},
    {"md", "text/plain; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"pb", "application/x-protobuf"},
    {"png", "image/png"},
    {"svg", "image/svg+xml"},
    {"txt", "text/plain; charset=utf-8"},
    {"wasm", "application/wasm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff2", "font/woff2"},
    {"yaml", "text/plain; charset=utf-8"},
    {"zattrs", "application/json"},
    {"zarray", "application/json"},
    {"zgroup", "application/json"},
    {"zip", "application/zip"},
    {"zmetadata", "application/json"},
});

namespace fs = std::filesystem;

bool is_usable(const fs::path& folder) {
  std::error_code error;
  return fs::is_directory(folder, error) && ::access(folder.c_str(), R_OK | X_OK) == 0;
}

bool is_beneath(const fs::path& path, const fs::path& folder) {
  const auto [end, rest] =
      std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  return end == folder.end();
}

}  // namespace

Site::Site(const std::string& data, const std::string& app, Access access)
    : access_(std::move(access)), data_(folder(data)) {
  if (!app.empty()) app_ = folder(app);
}

std::optional<SiteFile> Site::find(std::string_view path) const {
  const bool is_data = path.starts_with(kDataPrefix);
  if (!is_data && app_.empty()) return std::nullopt;

  std::string key(path.substr(is_data ? kDataPrefix.size() : 1));
  if (!is_data && (key.empty() || key.ends_with('/'))) key += "index.html";
  if (is_hidden(key)) return std::nullopt;
  auto file = open_beneath(is_data ? data_ : app_, key);
  if (!file) return std::nullopt;
  const auto type = content_type(key);
  return SiteFile{.file = std::move(*file),
                  .type = type,
                  .policy = is_data ? kDataPolicy : kAppPolicy,
                  .is_text = !is_data && is_text(type),
                  .immutable = !is_data && has_hash(key)};
}

std::shared_ptr<const std::string> Site::gzipped(std::string_view path,
                                                 const std::string& version,
                                                 const SiteFile& file) const {
  return gzipped_.get(std::string(path), version, file.file);
}

std::string Site::link(std::string_view data_set) const {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  constexpr std::string_view kPlain = "/-._~";
  std::string link = find("/").has_value() ? "/#src=" : "";
  link += kDataPrefix;
  for (const char c : data_set) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || kPlain.find(c) != std::string_view::npos) {
      link += c;
      continue;
    }
    link += '%';
    link += kHex[byte >> 4];
    link += kHex[byte & 15];
  }
  return link;
}

std::optional<std::string> Site::problem() const {
  if (!is_usable(data_)) return "the folder of data cannot be read";
  if (!app_.empty() && !is_usable(app_)) return "the viewer's folder cannot be read";
  return std::nullopt;
}

bool Site::contains(const std::filesystem::path& path) const {
  std::error_code error;
  const auto real = fs::weakly_canonical(fs::absolute(path), error);
  return is_beneath(real, data_) || (!app_.empty() && is_beneath(real, app_));
}

std::string_view content_type(std::string_view file_name) {
  const auto dot = file_name.rfind('.');
  const auto extension =
      dot == std::string_view::npos ? std::string_view{} : file_name.substr(dot + 1);
  const auto* hit =
      std::find_if(kByExtension.begin(), kByExtension.end(),
                   [&](const Entry& entry) { return entry.name == extension; });
  return hit == kByExtension.end() ? "application/octet-stream" : hit->type;
}

std::optional<std::string> find_app_folder() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return std::nullopt;
  return find_app_folder(program.string());
}

std::optional<std::string> find_app_folder(const std::string& program) {
  // PREFIX/bin/bevscope if installed; build/release/bevscope beside build/app.
  constexpr std::array kFromProgram = {"../share/bevscope/app", "../app"};
  const auto folder = std::filesystem::path(program).parent_path();
  for (const auto* relative : kFromProgram) {
    const auto candidate = (folder / relative).lexically_normal();
    std::error_code error;
    if (std::filesystem::is_regular_file(candidate / "index.html", error)) {
      return candidate.string();
    }
  }
  return std::nullopt;
}

}  // namespace bev::serve
