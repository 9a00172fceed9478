#include <nlohmann/json.hpp>
#include <string>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"
#include "core/scene/dataset.hpp"
#include "core/scene/labels.hpp"
#include "core/store/catalogue.hpp"
#include "core/zarr/json_view.hpp"

namespace bev {

namespace {

using nlohmann::json;

json describe_array(const store::Array& array) {
  const auto meta = zarr::parse_json(array.meta.json, array.name() + "/.zarray");
  json out = json::object();
  for (const auto* key :
       {"shape", "chunks", "dtype", "order", "fill_value", "compressor", "filters"}) {
    out[key] = meta.contains(key) ? meta.at(key) : json();
  }
  return out;
}

json labels_of(const json& attrs) {
  if (attrs.contains("labels") && attrs.at("labels").is_array())
    return attrs.at("labels");
  json labels = json::array();
  for (const auto label : scene::kPerceptionLabels)
    labels.push_back(std::string(label));
  return labels;
}

}  // namespace

std::string Engine::describe() const {
  auto& catalogue = state_->store.catalogue();
  json arrays = json::object();
  for (const auto* array : catalogue.arrays()) {
    arrays[array->path] = describe_array(*array);
  }
  const auto attrs = catalogue.attrs();
  const bool faces = arrays.contains(std::string(scene::kFaces));
  const json all = {{"format", catalogue.version3() ? "zarr-v3" : "zarr-v2"},
                    {"attrs", attrs},
                    {"labels", labels_of(attrs)},
                    {"arrays", arrays},
                    {"has_traffic_light_faces", faces}};
  // Text in the file may not be valid UTF-8: replace invalid bytes instead of failing.
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

const store::Array* Engine::array(std::string_view path) const {
  for (const auto* array : state_->store.catalogue().arrays()) {
    if (array->path == path) return array;
  }
  return nullptr;
}

}  // namespace bev
