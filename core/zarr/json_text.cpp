#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "core/base/error.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {
namespace {

constexpr int kMaxDepth = 64;

// Levels of brackets outside strings; exact where the text is JSON at all.
int depth_of(std::string_view text) {
  int depth = 0;
  int deepest = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\') ++i;
    if (c == '"') in_string = !in_string;
    if (in_string) continue;
    if (c == '[' || c == '{') deepest = std::max(deepest, ++depth);
    if (c == ']' || c == '}') --depth;
  }
  return deepest;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, std::string_view key) {
  if (depth_of(text) > kMaxDepth) {
    throw Error(Errc::invalid_metadata, std::string(key) +
                                            ": JSON nested deeper than " +
                                            std::to_string(kMaxDepth) + " levels");
  }
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (json.is_discarded()) {
    throw Error(Errc::invalid_metadata, std::string(key) + ": not JSON");
  }
  return json;
}

}  // namespace bev::zarr
