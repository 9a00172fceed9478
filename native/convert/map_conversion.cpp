#include "native/convert/map_conversion.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.hpp"
#include "core/convert/city_map.hpp"
#include "core/convert/opendrive.hpp"
#include "native/files/file.hpp"
#include "native/files/new_folder.hpp"
#include "native/files/write_file.hpp"

namespace bev::native {
namespace {

constexpr std::uint64_t kMaxMapFile = std::uint64_t{1} << 30U;

convert::SourceMap read_opendrive(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  if (file->size() > kMaxMapFile) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (found ", file->size(), " bytes, expected at most ",
             kMaxMapFile, ")"});
  }
  std::string text(static_cast<std::size_t>(file->size()), '\0');
  text.resize(file->read_at(0, std::as_writable_bytes(std::span(text))));
  try {
    return convert::import_opendrive(text);
  } catch (const Error& error) {
    fail_at(error.code(), path, {error.what()});
  }
}

}  // namespace

std::string convert_opendrive(const std::string& file, const std::string& folder) {
  const auto source = read_opendrive(file);
  convert::CityMap city;
  city.add(source, file);
  NewFolder out(folder);
  const auto write = [&](const std::string& name, const std::string& bytes) {
    const auto path = out.path() / name;
    std::filesystem::create_directories(path.parent_path());
    write_file(path, std::as_bytes(std::span(bytes)), name);
  };
  write("semantic_map/semantic_map.pb", city.semantic_map());
  write("meta.json", city.meta_json());
  out.commit();
  const auto& counts = city.counts();
  return nlohmann::json{{"path", folder},
                        {"lanes", counts.lanes},
                        {"crosswalks", counts.crosswalks},
                        {"lights", counts.lights},
                        {"junctions", counts.junctions},
                        {"max_rounding_m", counts.max_rounding_m},
                        {"lost", source.lost}}
      .dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

}  // namespace bev::native
