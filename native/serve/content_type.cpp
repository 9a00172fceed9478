#include "native/serve/content_type.hpp"

#include <algorithm>
#include <array>

namespace bev::serve {
namespace {

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

}  // namespace

std::string_view content_type(std::string_view file_name) {
  const auto dot = file_name.rfind('.');
  const auto extension =
      dot == std::string_view::npos ? std::string_view{} : file_name.substr(dot + 1);
  const auto* hit =
      std::find_if(kByExtension.begin(), kByExtension.end(),
                   [&](const Entry& entry) { return entry.name == extension; });
  return hit == kByExtension.end() ? "application/octet-stream" : hit->type;
}

}  // namespace bev::serve
