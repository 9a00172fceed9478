#include "core/save/documents.hpp"

#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr const char* kMember = "bevscope_save";

std::string text_of(const json& document) {
  return document.dump(4, ' ', true);
}

json attributes_of(const Committed& committed) {
  return {{"name", committed.config.name()},
          {"additional", committed.config.additional()},
          {kMember,
           {{"config", json::parse(committed.config.to_json())},
            {"rows", committed.rows},
            {"commit", committed.id}}}};
}

}  // namespace

std::map<std::string, std::string> documents_of(
    const Committed& committed, std::span<const std::uint64_t> chunk_rows) {
  const json group = {{"zarr_format", 2}};
  const auto attributes = attributes_of(committed);
  std::map<std::string, std::string> out = {{".zgroup", text_of(group)},
                                            {".zattrs", text_of(attributes)}};
  json all = {{".zgroup", group}, {".zattrs", attributes}};
  for (std::size_t i = 0; i < chunk_rows.size(); ++i) {
    const auto& attribute = committed.config.attributes()[i];
    const auto meta =
        committed.config.array_meta(attribute, committed.rows, chunk_rows[i]);
    const auto key = attribute.name + "/.zarray";
    out[key] = zarr::array_meta_json(meta);
    all[key] = json::parse(out[key]);
  }
  out[".zmetadata"] = text_of({{"metadata", all}, {"zarr_consolidated_format", 1}});
  return out;
}

std::optional<Committed> committed_from(std::string_view zattrs,
                                        std::string_view where) {
  const auto root = zarr::parse_json(zattrs, where);
  const auto own = JsonView(root)[kMember];
  if (!own) return std::nullopt;
  const auto rows = own["rows"].count();
  const auto id = own["commit"].text();
  if (!own["config"].is_object() || !rows || !id) {
    fail_at(Errc::invalid_metadata, where, {"invalid member ", kMember});
  }
  try {
    return Committed{DataConfig::parse(own["config"].json().dump()), *rows,
                     std::string(*id)};
  } catch (const Error& error) {
    throw Error(Errc::invalid_metadata, std::string(where) + ": " + error.what());
  }
}

}  // namespace bev::save
