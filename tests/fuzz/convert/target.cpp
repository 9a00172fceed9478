#include "tests/fuzz/convert/target.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "core/base/error.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/city_map.hpp"
#include "core/convert/commonroad.hpp"
#include "core/convert/interaction.hpp"
#include "core/convert/lanelet2.hpp"
#include "core/convert/nuplan.hpp"
#include "core/convert/nuscenes.hpp"
#include "core/convert/opendrive.hpp"
#include "core/convert/scenario_records.hpp"
#include "core/convert/scenarionet.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/convert/waymo.hpp"
#include "core/convert/wkb.hpp"
#include "core/map/meta.hpp"
#include "core/map/semantic_map.hpp"
#include "tests/support/argoverse2.hpp"
#include "tests/support/commonroad.hpp"
#include "tests/support/interaction.hpp"
#include "tests/support/lanelet2.hpp"
#include "tests/support/nuplan.hpp"
#include "tests/support/nuscenes.hpp"
#include "tests/support/opendrive.hpp"
#include "tests/support/scenarionet.hpp"
#include "tests/support/waymo.hpp"

namespace bev::test {
namespace {

using namespace bev::convert;

void hold(bool property, const char* what) {
  if (!property) throw std::logic_error(what);
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Writes an accepted map, which must be readable.
void check_map(const SourceMap& source) {
  CityMap city;
  city.add(source, "fuzz");
  const std::string bytes = city.semantic_map();
  const auto read = map::SemanticMap::parse(std::as_bytes(std::span(bytes)),
                                            map::parse_meta(city.meta_json()));
  hold(read.lanes().size() == city.counts().lanes, "lanes of a map");
  hold(read.crosswalks().size() == city.counts().crosswalks, "crosswalks of a map");
  hold(read.lights().size() == city.counts().lights, "lights of a map");
}

/// Checks a scenario, unless `import` throws an error for what the input is not.
template <class Import>
void check_import(Import import) {
  std::optional<Scenario> scenario;
  try {
    scenario = import();
  } catch (const Error& error) {
    hold(error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported ||
             error.code() == Errc::invalid_metadata ||
             error.code() == Errc::not_found ||  // a table or a column
             error.code() == Errc::limit_exceeded,
         "a scenario is refused for what it is not");
    return;
  }
  const auto records = records_of(*scenario);
  hold(records.frames.size() == scenario->times_ns.size(), "frames of a scenario");
  hold(mask_of(*scenario, records, {}).size() == 2 * records.agents.size(),
       "mask of a scenario");
  for (const auto& face : records.faces) {
    hold(face.face_id.size() <= 16, "a face's id is too long");
  }
  if (scenario->map) check_map(*scenario->map);
}

void check_scenario(std::string_view record, const ImportOptions& options) {
  static const auto tables = waymo_tables();
  check_import([&] { return import_waymo(record, tables, options); });
}

void check_file(std::span<const std::byte> file) {
  std::uint64_t end = 0;
  try {
    const auto ranges =
        find_records(file.size(), [&](std::uint64_t at, std::span<std::byte> out) {
          const auto from = file.subspan(static_cast<std::size_t>(at));
          const auto count = std::min(out.size(), from.size());
          std::copy_n(from.begin(), count, out.begin());
          return count;
        });
    for (const auto& range : ranges) {
      hold(range.offset == end, "records are not consecutive");
      end += range.size;
    }
    hold(end == file.size(), "records do not cover the file");
    for (const auto& range : ranges) {
      const auto content =
          record_content(file.subspan(static_cast<std::size_t>(range.offset),
                                      static_cast<std::size_t>(range.size)),
                         range.offset);
      check_scenario(as_text(content), {});
    }
  } catch (const Error&) {
    return;
  }
}

}  // namespace

void waymo_target(std::span<const std::byte> input) {
  check_scenario(as_text(input), {});
  ImportOptions moved;
  moved.place = 5;
  check_scenario(as_text(input), moved);
  check_file(input);
}

void scenarionet_target(std::span<const std::byte> input) {
  static const auto tables = scenarionet_tables();
  ImportOptions moved;
  moved.place = 5;
  for (const auto& options : {ImportOptions(), moved}) {
    check_import([&] { return import_scenarionet(input, tables, options); });
  }
  try {
    for (const auto& path : scenarionet_files(input, input)) {
      hold(!path.empty() && path.front() != '/', "a path outside its folder");
    }
  } catch (const Error&) {
    return;
  }
}

void commonroad_target(std::span<const std::byte> input) {
  static const auto tables = commonroad_tables();
  for (const auto& options :
       {ImportOptions(), ImportOptions{true, 5}, ImportOptions{true, {}, "42"}}) {
    check_import([&] { return import_commonroad(as_text(input), tables, options); });
  }
}

void opendrive_target(std::span<const std::byte> input) {
  std::optional<SourceMap> source;
  try {
    source = import_opendrive(as_text(input));
  } catch (const Error& error) {
    hold(error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported ||
             error.code() == Errc::invalid_metadata ||
             error.code() == Errc::limit_exceeded,
         "a map is refused for what it is not");
    return;
  }
  check_map(*source);
}

void nuplan_target(std::span<const std::byte> input) {
  static const auto tables = nuplan_tables();
  static const auto small_log = NuplanRows().file();
  const auto read = reader_of(as_text(input));
  check_import([&] {
    sqlite::Pages pages(read, input.size());
    nuplan::Log log(pages);
    log.open();
    return import_nuplan(log, log.scenes().size() - 1, tables);
  });
  check_import([&] {
    sqlite::Pages pages(read, input.size());
    const NuplanMap map(sqlite::Database(pages), 32611, tables);
    sqlite::Pages others(reader_of(small_log), small_log.size());
    nuplan::Log log(others);
    log.open();
    return import_nuplan(log, 0, tables, {.map = &map});
  });
  try {
    sqlite::Pages pages(read, input.size());
    const sqlite::Database database(pages);
    for (const auto& table : database.tables()) {
      if (!table.unsupported.empty()) continue;
      sqlite::Rows rows(database, table);
      bool has = rows.seek(std::numeric_limits<std::int64_t>::min());
      for (; has; has = rows.next()) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
          hold(rows[i].bytes.size() <= input.size(), "a value larger than its file");
        }
      }
    }
  } catch (const Error&) {
    return;
  }
}

void nuscenes_target(std::span<const std::byte> input) {
  using nuscenes::Version;
  static const auto tables = nuscenes_tables();
  static const NuscenesTables made;
  static const std::string made_map = nuscenes_map().dump();
  if (input.empty()) return;
  const auto files = Version::files();
  const auto changed = static_cast<std::size_t>(input[0]) - std::size_t{'a'};
  const auto text = as_text(input.subspan(1));
  const bool is_map = changed > files.size();
  std::optional<NuscenesMap> map;
  try {
    map.emplace(is_map ? text : std::string_view(made_map), tables);
  } catch (const Error& error) {
    hold(error.code() == Errc::invalid_metadata || error.code() == Errc::limit_exceeded,
         "a map is refused for what it is not");
    return;
  }
  for (const auto& place :
       {std::optional<std::uint64_t>(), std::make_optional<std::uint64_t>(1)}) {
    check_import([&] {
      Version version;
      for (std::size_t i = 0; i < files.size(); ++i) {
        const auto& rows = made.tables.at(files[i]);
        NuscenesTables::pass(version, files[i],
                             i == changed ? std::string(text) : rows.dump(), 500);
      }
      NuscenesTables::pass(
          version, Version::kPrediction,
          changed == files.size() ? std::string(text) : made.prediction.dump(), 500);
      if (version.scenes().empty()) fail(Errc::not_found, {"no scene"});
      return import_nuscenes(version, 0, tables, {&*map, place});
    });
  }
}

void lanelet2_target(std::span<const std::byte> input) {
  std::optional<SourceMap> source;
  try {
    source = import_lanelet2(as_text(input));
  } catch (const Error& error) {
    hold(error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported ||
             error.code() == Errc::invalid_metadata ||
             error.code() == Errc::limit_exceeded,
         "a map is refused for what it is not");
    return;
  }
  check_map(*source);
}

void interaction_target(std::span<const std::byte> input) {
  static const auto tables = interaction_tables();
  static const auto map =
      import_lanelet2(small_lanelet2().text(), geom::Geodetic{0, 0, 0});
  InteractionCases found;
  try {
    found = find_cases(input.size(), [&](std::uint64_t at, std::span<std::byte> out) {
      const auto from = input.subspan(static_cast<std::size_t>(at));
      const auto count = std::min(out.size(), from.size());
      std::copy_n(from.begin(), count, out.begin());
      return count;
    });
  } catch (const Error& error) {
    hold(error.code() == Errc::unsupported || error.code() == Errc::invalid_metadata ||
             error.code() == Errc::limit_exceeded,
         "a track file is refused for what it is not");
    return;
  }
  std::uint64_t end = found.header.size();
  for (const auto& one : found.cases) {
    hold(one.offset >= end && one.size > 0, "cases are not in order");
    end = one.offset + one.size;
    hold(end <= input.size(), "a case beyond its file");
    InteractionTracks tracks;
    tracks.header = found.header;
    tracks.rows = as_text(input).substr(static_cast<std::size_t>(one.offset),
                                        static_cast<std::size_t>(one.size));
    for (const auto place :
         {std::optional<std::uint64_t>(), std::make_optional<std::uint64_t>(1)}) {
      check_import([&] {
        return import_interaction(tracks, tables, {&map, "", place});
      });
    }
  }
}

void wkb_target(std::span<const std::byte> input) {
  const auto blob = as_text(input);
  try {
    static_cast<void>(envelope_of(blob));
    const auto geometry = parse_geometry(blob);
    std::size_t points = 0;
    for (const auto& line : geometry.lines) {
      points += line.size();
      hold(line.capacity() <= blob.size(), "a line reserves more than its bytes");
      for (const auto& p : line) {
        hold(std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z),
             "a coordinate is not finite");
      }
    }
    hold(points * 2 * sizeof(double) <= blob.size(), "more points than bytes");
    hold(geometry.lines.size() <= blob.size() / 4, "more lines than bytes");
  } catch (const Error& error) {
    hold(error.code() == Errc::corrupt_chunk || error.code() == Errc::unsupported,
         "a geometry is refused for what it is not");
  }
}

void city_map_target(std::span<const std::byte> input) {
  static const auto tables = argoverse2_tables();
  std::optional<SourceMap> source;
  try {
    source = parse_argoverse2_map(as_text(input), "austin", tables);
  } catch (const Error& error) {
    hold(error.code() == Errc::invalid_metadata || error.code() == Errc::limit_exceeded,
         "a map is refused for what it is not");
    return;
  }
  check_map(*source);
}

std::vector<ConvertSeed> convert_seeds() {
  auto rich = small_waymo();
  rich.features[0].left_neighbours = {{2, 0, 5, {1, 2}}};
  rich.features[0].right_neighbours = {{2, 0, 5, {}}};
  rich.features[1].is_interpolating = true;
  rich.lidar_frames = 1;
  auto inside = lane_json(3, 10, 0);
  inside["is_intersection"] = true;
  auto first = lane_json(1, 0, 0);
  first["left_neighbor_id"] = 2;
  first["successors"] = {3, 4};
  const auto scenario = encoded(small_waymo());
  NuplanRows indexed;
  indexed.has_index = true;
  const NuscenesTables version;
  const auto table = [&](char first, const char* name) {
    return first + version.tables.at(name).dump();
  };
  return {{"commonroad", "small", small_commonroad()},
          {"opendrive", "small", small_opendrive()},
          {"waymo", "small", scenario},
          {"waymo", "rich", encoded(rich)},
          {"waymo", "file", tfrecord(scenario) + tfrecord("")},
          {"nuplan", "log", NuplanRows().file()},
          {"nuplan", "indexed", indexed.file()},
          {"nuplan", "map", nuplan_map_file()},
          {"nuscenes", "log", table('a', "log")},
          {"nuscenes", "scene", table('f', "scene")},
          {"nuscenes", "sample", table('g', "sample")},
          {"nuscenes", "sample_data", table('i', "sample_data")},
          {"nuscenes", "ego_pose", table('j', "ego_pose")},
          {"nuscenes", "sample_annotation", table('k', "sample_annotation")},
          {"nuscenes", "prediction", "l" + version.prediction.dump()},
          {"nuscenes", "map", "z" + nuscenes_map().dump()},
          {"lanelet2", "map", small_lanelet2().text()},
          {"interaction", "recording", small_tracks()},
          {"interaction", "cases", small_cases()},
          {"scenarionet", "nuscenes", pickled(small_nuscenes())},
          {"scenarionet", "waymo", pickled(small_waymo_scenario())},
          {"scenarionet", "mapping", pickled({{"a.pkl", ""}, {"b.pkl", "c"}})},
          {"wkb", "line", geometry_blob({{1, 2}, {3, 4}}, false).bytes},
          {"wkb", "polygon", geometry_blob({{1, 2}, {3, 4}, {5, 6}}, true).bytes},
          {"city_map", "lane", map_json({lane_json(1, 0, 0)}).dump()},
          {"city_map", "lanes", map_json({first, lane_json(2, 0, 3), inside}).dump()}};
}

}  // namespace bev::test
