#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/zarr/metadata.hpp"

namespace bev::zarr {

namespace {

// Literals that Python's json writes but JSON lacks, longest first.
constexpr std::string_view kNumbers[] = {"-Infinity", "Infinity", "NaN"};

/// Returns `text` with NaN and Infinity outside strings put in quotes, as zarr spells
/// them in fill values; nullopt if there are none.
std::optional<std::string> with_spelled_numbers(std::string_view text) {
  std::string out;
  bool in_string = false;
  bool found = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string_view number;
    for (const auto each : kNumbers) {
      if (!in_string && number.empty() && text.substr(at).starts_with(each)) {
        number = each;
      }
    }
    if (!number.empty()) {
      out.append("\"").append(number).append("\"");
      at += number.size() - 1;
      found = true;
      continue;
    }
    if (in_string && text[at] == '\\' && at + 1 < text.size()) {
      out += text[at++];
    } else if (text[at] == '"') {
      in_string = !in_string;
    }
    out += text[at];
  }
  if (!found) return std::nullopt;
  return out;
}

}  // namespace

nlohmann::json parse_json(std::string_view text, std::string_view key) {
  bool too_deep = false;
  auto json = parse_json_tree(text, too_deep);
  if (!json && !too_deep) {
    const auto spelled = with_spelled_numbers(text);
    if (spelled) json = parse_json_tree(*spelled, too_deep);
  }
  if (too_deep) {
    fail(Errc::invalid_metadata,
         {key, ": JSON nested deeper than ", kMaxJsonDepth, " levels"});
  }
  if (!json) fail(Errc::invalid_metadata, {key, ": not JSON"});
  return *std::move(json);
}

}  // namespace bev::zarr
