#include "native/serve/site.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <system_error>
#include <utility>

#include "core/base/error.hpp"
#include "native/files/beneath.hpp"
#include "native/serve/content_type.hpp"

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
/// served, other than a zarr document.
bool is_hidden(std::string_view key) {
  constexpr std::array<std::string_view, 4> kOfZarr = {".zarray", ".zattrs", ".zgroup",
                                                       ".zmetadata"};
  for (;;) {
    const auto slash = key.find('/');
    const auto name = key.substr(0, slash);
    const bool is_last = slash == key.npos;
    const bool of_zarr =
        is_last && std::find(kOfZarr.begin(), kOfZarr.end(), name) != kOfZarr.end();
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
    throw Error(Errc::not_found, path + ": no such folder");
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

}  // namespace bev::serve
