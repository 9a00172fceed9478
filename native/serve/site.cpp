#include "native/serve/site.hpp"

#include <system_error>

#include "core/base/error.hpp"
#include "native/files/beneath.hpp"
#include "native/serve/content_type.hpp"

namespace bev::serve {
namespace {

constexpr std::string_view kDataPrefix = "/data/";

// What the viewer is built for. Data may come from any server, hence connect-src.
constexpr std::string_view kAppPolicy =
    "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; "
    "worker-src 'self'; img-src 'self' blob: data:; connect-src *";

// Data is somebody else's: were a page among it opened, it would be of the app's
// origin.
constexpr std::string_view kDataPolicy = "default-src 'none'; sandbox";

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

Site::Site(const std::string& data, const std::string& app) : data_(folder(data)) {
  if (!app.empty()) app_ = folder(app);
}

std::optional<SiteFile> Site::find(std::string_view path) const {
  const bool is_data = path.starts_with(kDataPrefix);
  if (!is_data && app_.empty()) return std::nullopt;

  std::string key(path.substr(is_data ? kDataPrefix.size() : 1));
  if (!is_data && (key.empty() || key.ends_with('/'))) key += "index.html";
  auto file = open_beneath(is_data ? data_ : app_, key);
  if (!file) return std::nullopt;
  return SiteFile{std::move(*file), content_type(key),
                  is_data ? kDataPolicy : kAppPolicy};
}

}  // namespace bev::serve
