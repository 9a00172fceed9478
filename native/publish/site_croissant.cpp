#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "native/publish/site_description.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

/// What the format's fields are. Reference: docs/format.md
constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kMeanings{{
    {"frame_index_interval", "first row of frames, and the row after the last one"},
    {"agent_index_interval", "first row of agents, and the row after the last one"},
    {"traffic_light_faces_index_interval",
     "first row of traffic_light_faces, and the row after the last one"},
    {"host", "recording vehicle"},
    {"start_time", "nanoseconds since 1970, UTC"},
    {"end_time", "nanoseconds since 1970, UTC"},
    {"timestamp", "nanoseconds since 1970, UTC"},
    {"ego_translation", "position of the recording vehicle in world, in metres"},
    {"ego_rotation", "rotation matrix of the recording vehicle, row by row"},
    {"centroid", "position in world, in metres"},
    {"extent", "length, width and height in metres"},
    {"yaw", "heading in radians, counter-clockwise from world x"},
    {"velocity", "metres per second, in world"},
    {"track_id", "number of the road user in its scene"},
    {"label_probabilities", "probability of each class"},
    {"face_id", "lamp of a traffic light"},
    {"traffic_light_id", "traffic light of the lamp"},
    {"traffic_light_face_status", "probability of active, inactive and unknown"},
}};

std::string media_type(const std::string& path) {
  if (path.ends_with(".json") || path.ends_with(".zmetadata"))
    return "application/json";
  if (path.ends_with(".zip")) return "application/zip";
  if (path.ends_with(".csv")) return "text/csv";
  if (path.ends_with(".png")) return "image/png";
  if (path.ends_with(".parquet")) return "application/vnd.apache.parquet";
  return "application/octet-stream";
}

json croissant_context() {
  return {{"@language", "en"},
          {"@vocab", "https://schema.org/"},
          {"citeAs", "cr:citeAs"},
          {"column", "cr:column"},
          {"conformsTo", "dct:conformsTo"},
          {"cr", "http://mlcommons.org/croissant/"},
          {"rai", "http://mlcommons.org/croissant/RAI/"},
          {"data", {{"@id", "cr:data"}, {"@type", "@json"}}},
          {"dataType", {{"@id", "cr:dataType"}, {"@type", "@vocab"}}},
          {"dct", "http://purl.org/dc/terms/"},
          {"equivalentProperty", "cr:equivalentProperty"},
          {"examples", {{"@id", "cr:examples"}, {"@type", "@json"}}},
          {"extract", "cr:extract"},
          {"field", "cr:field"},
          {"fileProperty", "cr:fileProperty"},
          {"fileObject", "cr:fileObject"},
          {"fileSet", "cr:fileSet"},
          {"format", "cr:format"},
          {"includes", "cr:includes"},
          {"isLiveDataset", "cr:isLiveDataset"},
          {"jsonPath", "cr:jsonPath"},
          {"key", "cr:key"},
          {"md5", "cr:md5"},
          {"parentField", "cr:parentField"},
          {"path", "cr:path"},
          {"recordSet", "cr:recordSet"},
          {"references", "cr:references"},
          {"regex", "cr:regex"},
          {"repeated", "cr:repeated"},
          {"replace", "cr:replace"},
          {"samplingRate", "cr:samplingRate"},
          {"sc", "https://schema.org/"},
          {"separator", "cr:separator"},
          {"source", "cr:source"},
          {"subField", "cr:subField"},
          {"transform", "cr:transform"}};
}

json file_object(const SiteFile& file, const std::string& base) {
  return {{"@type", "cr:FileObject"},
          {"@id", file.path},
          {"name", file.path},
          {"contentUrl", base + file.path},
          {"contentSize", std::to_string(file.bytes) + " B"},
          {"encodingFormat", media_type(file.path)},
          {"sha256", file.sha256}};
}

void set_text(json& out, const char* name, const std::optional<std::string>& value) {
  if (value) out[name] = *value;
}

/// Returns an array's chunks as a set of files.
json file_set(const SiteDataset& dataset, const SiteArray& array) {
  json out = {{"@type", "cr:FileSet"},
              {"@id", dataset.name + "/" + array.name},
              {"name", array.name + " of " + dataset.name},
              {"encodingFormat", "application/vnd+zarr"}};
  if (dataset.store.ends_with(".zip")) {
    out["containedIn"] = {{"@id", dataset.path()}};
    out["includes"] = array.name + "/*";
  } else {
    out["includes"] = dataset.path() + "/" + array.name + "/*";
  }
  return out;
}

/// Returns the rows of an array, whose columns are the fields of its dtype.
json record_set(const SiteDataset& dataset, const SiteArray& array) {
  const auto name = dataset.name + "_" + array.name;
  auto fields = json::array();
  for (const auto& field : array.fields) {
    json one = {{"@type", "cr:Field"},
                {"@id", name + "/" + field.name},
                {"name", field.name},
                {"dataType", field.type},
                {"source",
                 {{"fileSet", {{"@id", dataset.name + "/" + array.name}}},
                  {"extract", {{"column", field.name}}}}}};
    const auto* const known =
        std::find_if(kMeanings.begin(), kMeanings.end(),
                     [&](const auto& meaning) { return meaning.first == field.name; });
    if (known != kMeanings.end()) one["description"] = known->second;
    if (field.is_repeated) one["repeated"] = true;
    fields.push_back(std::move(one));
  }
  return {{"@type", "cr:RecordSet"},
          {"@id", name},
          {"name", name},
          {"description", "Rows of the zarr array " + array.name + "."},
          {"field", std::move(fields)}};
}

}  // namespace

std::string site_croissant(const SiteDescription& site) {
  const auto& about = site.about;
  const auto base = about.url ? with_slash(*about.url) : std::string();
  json out = {{"@context", croissant_context()},
              {"@type", "sc:Dataset"},
              {"conformsTo", "http://mlcommons.org/croissant/1.0"},
              {"name", site.title()}};
  set_text(out, "description", about.description);
  set_text(out, "license", about.licence);
  set_text(out, "url", about.url);
  set_text(out, "citeAs", about.citation);
  if (about.author) out["creator"] = {{"@type", "Person"}, {"name", *about.author}};
  auto& files = out["distribution"] = json::array();
  auto& records = out["recordSet"] = json::array();
  for (const auto& dataset : site.data) {
    for (auto document : dataset.documents) {
      document.path = dataset.folder + "/" + document.path;
      files.push_back(file_object(document, base));
    }
    for (const auto& array : dataset.arrays) {
      files.push_back(file_set(dataset, array));
      records.push_back(record_set(dataset, array));
    }
  }
  for (const auto* results : {&site.predictions, &site.rollouts}) {
    for (const auto& file : *results) files.push_back(file_object(file, base));
  }
  return out.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace bev::native
