#include "native/convert/map_conversion.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.hpp"
#include "core/convert/city_map.hpp"
#include "core/convert/lanelet2.hpp"
#include "core/convert/opendrive.hpp"
#include "native/convert/map_text.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

constexpr auto kReplaced = nlohmann::json::error_handler_t::replace;  // not UTF-8

convert::SourceMap import_map(MapFormat format, const std::string& path,
                              const std::optional<geom::Geodetic>& origin) {
  const auto text = read_map_text(path);
  try {
    return format == MapFormat::opendrive ? convert::import_opendrive(text)
                                          : convert::import_lanelet2(text, origin);
  } catch (const Error& error) {
    fail_at(error.code(), path, {error.what()});
  }
}

}  // namespace

std::string convert_map(MapFormat format, const std::string& file,
                        const std::string& folder,
                        const std::optional<geom::Geodetic>& origin) {
  const auto source = import_map(format, file, origin);
  convert::CityMap city;
  city.add(source, file);
  NewFolder out(folder);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    const auto path = out.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, std::as_bytes(std::span(bytes)), name);
  };
  write("semantic_map/semantic_map.pb", city.semantic_map());
  auto meta = nlohmann::json::parse(city.meta_json());
  if (!source.geo_reference.empty()) meta["geo_reference"] = source.geo_reference;
  write("meta.json", meta.dump(1, ' ', false, kReplaced) + "\n");
  out.commit();
  const auto& counts = city.counts();
  return nlohmann::json{{"path", folder},
                        {"lanes", counts.lanes},
                        {"crosswalks", counts.crosswalks},
                        {"lights", counts.lights},
                        {"junctions", counts.junctions},
                        {"max_rounding_m", counts.max_rounding_m},
                        {"geo_reference", source.geo_reference},
                        {"lost", source.lost}}
      .dump(-1, ' ', true, kReplaced);
}

}  // namespace bev::native
