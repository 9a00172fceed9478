#include "core/save/documents.hpp"

#include <memory>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"
#include "core/base/own_json.hpp"
#include "core/zarr/encode.hpp"
#include "core/zarr/json_view.hpp"
#include "core/zarr/version3_store.hpp"

namespace bev::save {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr const char* kMember = "bevscope_save";

std::string text_of_documents(const json& document) {
  return document.dump(4, ' ', true);
}

json attributes_of(const Committed& committed) {
  json own = {{"config", json_of(committed.config.to_json())},
              {"rows", committed.rows},
              {"commit", committed.id}};
  if (!committed.attachments.empty()) {
    own[std::string(kAttachments)] = attachments_json(committed.attachments);
  }
  json out = {{"name", committed.config.name()},
              {"additional", committed.config.additional()},
              {kMember, std::move(own)}};
  if (committed.config.has_table()) {
    out[std::string(zarr::kFieldsAttribute)] =
        fields_attribute(committed.config.fields(), committed.config.attributes());
  }
  return out;
}

/// Receives the documents of a store.
class Documents final : public NewStore {
 public:
  explicit Documents(std::map<std::string, std::string>& out) : out_(out) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override {
    out_[std::string(key)] = {reinterpret_cast<const char*>(bytes.data()),
                              bytes.size()};
  }

  void commit() override {}

 private:
  std::map<std::string, std::string>& out_;
};

/// Converts documents of version 2.
std::map<std::string, std::string> version3_of(
    const std::map<std::string, std::string>& documents, std::uint64_t per_shard) {
  std::map<std::string, std::string> out;
  zarr::Version3Store store(std::make_unique<Documents>(out), per_shard);
  for (const auto& [key, text] : documents) {
    store.put(key, std::as_bytes(std::span(text)));
  }
  store.commit();
  return out;
}

}  // namespace

std::map<std::string, std::string> documents_of(const Committed& committed,
                                                std::span<const ArrayRows> arrays) {
  const json group = {{"zarr_format", 2}};
  const auto attributes = attributes_of(committed);
  std::map<std::string, std::string> out = {{".zgroup", text_of_documents(group)},
                                            {".zattrs", text_of_documents(attributes)}};
  json all = {{".zgroup", group}, {".zattrs", attributes}};
  if (!committed.attachments.empty()) {
    const auto key = std::string(kAttachments) + "/.zgroup";
    out[key] = text_of_documents(group);
    all[key] = group;
  }
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const auto& attribute = committed.config.attributes()[i];
    const auto meta =
        committed.config.array_meta(attribute, arrays[i].rows, arrays[i].chunk_rows);
    const auto key = attribute.name + "/.zarray";
    out[key] = zarr::array_meta_json(meta);
    all[key] = json_of(out[key]);
    const auto names = attribute.name + "/.zattrs";
    // An axis named as its array would be a coordinate of xarray, which is loaded.
    const auto rows = attribute.is_values ? attribute.name + "_0" : std::string(kTable);
    out[names] = zarr::axis_names_json(rows, attribute.name, meta.shape.size());
    all[names] = json_of(out[names]);
  }
  if (committed.config.zarr_format() == 3) {
    return version3_of(out, committed.config.chunks_per_shard());
  }
  out[".zmetadata"] =
      text_of_documents({{"metadata", all}, {"zarr_consolidated_format", 1}});
  return out;
}

std::optional<Committed> committed_from(std::string_view document,
                                        std::string_view where) {
  const auto root = zarr::parse_json(document, where);
  const JsonView view(root);
  const auto own =
      view["zarr_format"].is(3) ? view["attributes"][kMember] : view[kMember];
  if (!own) return std::nullopt;
  const auto rows = own["rows"].count();
  const auto id = own["commit"].text();
  if (!own["config"].is_object() || !rows || !id) {
    fail_at(Errc::invalid_metadata, where, {"invalid member ", kMember});
  }
  try {
    Committed out{DataConfig::parse(own["config"].json().dump()), *rows,
                  std::string(*id)};
    out.attachments =
        attachments_from(out.config, own[std::string(kAttachments)], where);
    return out;
  } catch (const Error& error) {
    throw Error(Errc::invalid_metadata, std::string(where) + ": " + error.what());
  }
}

}  // namespace bev::save
