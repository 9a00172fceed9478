#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {
nlohmann::json parse_json(std::string_view text, std::string_view key) {
  bool too_deep = false;
  auto json = parse_json_tree(text, too_deep);
  if (too_deep) {
    fail(Errc::invalid_metadata,
         {key, ": JSON nested deeper than ", kDeepestJson, " levels"});
  }
  if (!json) fail(Errc::invalid_metadata, {key, ": not JSON"});
  return *std::move(json);
}

}  // namespace bev::zarr
