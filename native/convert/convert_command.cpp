#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/convert/map_conversion.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "native/convert/scenarionet_export.hpp"
#include "native/files/file.hpp"
#include "native/files/new_store.hpp"
#include "native/s3/s3_address.hpp"

namespace bev::native {
namespace {

constexpr std::size_t kMaxTables = std::size_t{1} << 20U;

cli::Usage convert_usage() {
  return {
      .command = "convert",
      .synopsis = "FORMAT SRC... -o OUT [OPTION]...",
      .summary = "Converts other data sets to L5Kit's format.",
      .description =
          "Writes the scenarios of the Waymo Open Motion data set (TFRecord files),\n"
          "of ScenarioNet (pickles), of CommonRoad (.xml), of INTERACTION (track\n"
          "files, .csv), or the scenes of nuPlan (.db), each also folders of them,\n"
          "or those of nuScenes (the folder of a version, or of several), as one\n"
          "data set, a scene each, and prints a report as JSON. FORMAT is\n"
          "commonroad, interaction, lanelet2, nuplan, nuscenes, opendrive,\n"
          "scenarionet or waymo. OUT appears under its name when it is complete,\n"
          "as an archive if the name ends in .zip; it must not exist. An interrupted\n"
          "conversion to a folder leaves OUT.partial; the same command continues\n"
          "it.\n\n"
          "Of lanelet2 and opendrive, SRC is a map (.osm, .xodr), which becomes the\n"
          "semantic map of the new folder OUT.\n\n"
          "Argoverse 2 motion forecasting scenarios are Parquet files, which this\n"
          "program does not read. The Python package does:\n"
          "  pip install bevscope[arrow]\n"
          "  python -m bevscope convert argoverse2 SRC... -o OUT.zarr",
      .options =
          {{"output", "OUT.zarr", "The data set to write. Required.", "o"},
           {"map", "", "Convert the maps too, into the data set."},
           {"maps", "DIR",
            "Of nuPlan, in place of --map: the folder of CITY/*/map.gpkg, or\n"
            "the map of all logs. Of nuScenes: the folder of expansion/CITY.json,\n"
            "with the maps. Default with --map: maps, beside the version. Of\n"
            "INTERACTION: the folder of LOCATION.osm, or the map of all files.\n"
            "Default with --map: ../maps or ../../maps."},
           {"ego", "ID",
            "The ego vehicle: of commonroad an obstacle, by default the start of\n"
            "the first planning problem, where it stands still; of interaction a\n"
            "track, by default a fixed pose at the centroid of each scene."},
           {"origin", "LAT,LON",
            "Of lanelet2: degrees of the point 0, 0, whose UTM zone is used.\n"
            "Default: the middle of the map, rounded to 0.01 degrees."},
           {"all-sweeps", "",
            "Of nuPlan: a frame per sweep of the lidar (20 Hz). Default: 10 Hz."},
           {"mask", "NAME",
            "Agents that the stored mask selects: focal, scored (tracks\n"
            "to predict), all or none. Default: scored; of commonroad, interaction\n"
            "and nuplan, which have no tracks to predict, and of nuScenes all."},
           {"tables", "FILE",
            "JSON with labels and extents by type, and lane widths, that\n"
            "replace the defaults."},
           {"jobs", "N",
            "Scenarios that are converted at the same time. Default: one\n"
            "per processor."},
           {"export", "",
            "The other way: write the scenes of the data set SRC as scenarios\n"
            "of ScenarioNet into the new folder OUT."},
           {"semantic-map", "FILE",
            "Map of the exported scenes. Default: the data set's own, if a\n"
            "conversion wrote one."},
           {"quiet", "", "Do not show progress."}},
      .examples =
          "  bevscope convert waymo training/ -o train.zarr --map\n"
          "  bevscope convert scenarionet --export train.zarr -o database/",
  };
}

std::optional<convert::MaskRule> mask_of(const cli::Arguments& arguments,
                                         convert::MaskRule usual) {
  using convert::Role;
  constexpr std::array<std::pair<const char*, Role>, 3> kMasks = {
      {{"focal", Role::focal}, {"scored", Role::scored}, {"all", Role::fragment}}};
  const auto name = arguments.value("mask");
  if (!name) return usual;
  if (name == "none") return std::nullopt;
  for (const auto& [known, least] : kMasks) {
    if (name == known) return convert::MaskRule{least};
  }
  throw cli::UsageError("--mask: unknown name \"" + *name +
                        "\", expected focal, scored, all or none");
}

std::string text_of_convert_command(const std::string& path) {
  const auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found"});
  if (file->size() > kMaxTables) {
    fail_at(Errc::limit_exceeded, path,
            {"too large (found ", file->size(), " bytes, expected at most ", kMaxTables,
             ")"});
  }
  std::string out(static_cast<std::size_t>(file->size()), '\0');
  out.resize(file->read_at(0, std::as_writable_bytes(std::span(out))));
  return out;
}

ScenarioConversion conversion_of(ScenarioFormat format, const cli::Arguments& arguments,
                                 const std::vector<std::string>& sources) {
  ScenarioConversion out;
  out.format = format;
  out.tables = tables_of(format);
  out.nuplan.maps = arguments.value("maps").value_or("");
  out.nuplan.all_sweeps = arguments.has("all-sweeps");
  out.nuplan.ego = arguments.value("ego").value_or("");
  out.with_map = arguments.has("map") || !out.nuplan.maps.empty();
  out.mask = mask_of(arguments, usual_mask(format));
  const auto jobs = arguments.value("jobs");
  out.jobs = jobs
                 ? static_cast<std::size_t>(cli::whole_number(*jobs, "--jobs", 1, 1024))
                 : std::max(1U, std::thread::hardware_concurrency());
  if (const auto tables = arguments.value("tables")) {
    out.tables_json = text_of_convert_command(*tables);
    convert::override_tables(out.tables, out.tables_json);
  }
  out.files = find_scenarios(format, sources);
  return out;
}

ConvertProgress progress_of(const cli::Arguments& arguments) {
  if (arguments.has("quiet") || ::isatty(STDERR_FILENO) != 1) return {};
  return [](std::uint64_t done, std::uint64_t total) {
    std::fprintf(stderr, "\r%llu of %llu scenarios%s",
                 static_cast<unsigned long long>(done),
                 static_cast<unsigned long long>(total), done == total ? "\n" : "");
  };
}

/// Returns the report. Only folders continue interrupted conversions.
std::string convert_to(const std::string& output, const ScenarioConversion& conversion,
                       const ConvertProgress& progress) {
  if (!is_s3(output) && !output.ends_with(".zip")) {
    return convert_scenarios(conversion, output, progress);
  }
  const auto store = create_store(output);
  const auto report = convert_scenarios(conversion, *store, progress);
  store->commit();
  return report;
}

int run_export(const cli::Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.size() != 2) {
    throw cli::UsageError("--export: expected one data set, SRC.zarr");
  }
  for (const char* name :
       {"map", "maps", "all-sweeps", "mask", "tables", "jobs", "origin", "ego"}) {
    if (arguments.has(name)) {
      throw cli::UsageError(std::string("--export excludes --") + name);
    }
  }
  const auto output = arguments.value("output");
  if (!output) throw cli::UsageError("no output given, expected -o FOLDER");
  const auto report = export_scenarionet(
      operands[1], *output, arguments.value("semantic-map"), progress_of(arguments));
  cli::print(nlohmann::json::parse(report).dump(1, ' ', true) + "\n");
  return 0;
}

/// Returns a position "49.0,8.4".
std::optional<geom::Geodetic> origin_of_command(const cli::Arguments& arguments) {
  const auto text = arguments.value("origin");
  if (!text) return std::nullopt;
  const std::string_view all = *text;
  const auto comma = std::min(all.find(','), all.size());
  const auto latitude = parse_real(all.substr(0, comma));
  const auto longitude = parse_real(all.substr(std::min(comma + 1, all.size())));
  const bool is_valid =
      latitude && longitude && std::abs(*latitude) <= 90 && std::abs(*longitude) <= 180;
  if (is_valid) return geom::Geodetic{*latitude, *longitude, 0};
  throw cli::UsageError("--origin: expected latitude and longitude, 49.0,8.4");
}

int run_map(MapFormat format, const cli::Arguments& arguments) {
  const auto& operands = arguments.operands();
  const auto& name = operands.front();
  const bool is_lanelet2 = format == MapFormat::lanelet2;
  if (operands.size() != 2) {
    throw cli::UsageError(name + ": expected one map, SRC" +
                          (is_lanelet2 ? ".osm" : ".xodr"));
  }
  for (const char* option :
       {"map", "maps", "all-sweeps", "mask", "tables", "jobs", "origin", "ego"}) {
    const bool is_known = is_lanelet2 && std::string_view(option) == "origin";
    if (!is_known && arguments.has(option)) {
      throw cli::UsageError(name + " excludes --" + option);
    }
  }
  const auto output = arguments.value("output");
  if (!output) throw cli::UsageError("no output given, expected -o FOLDER");
  const auto report = nlohmann::json::parse(
      convert_map(format, operands[1], *output, origin_of_command(arguments)));
  cli::print(report.dump(1, ' ', true) + "\n");
  return 0;
}

int run_conversion(ScenarioFormat format, const cli::Arguments& arguments) {
  const auto& operands = arguments.operands();
  if (operands.size() < 2) throw cli::UsageError("no files given, expected SRC...");
  const bool is_nuplan = format == ScenarioFormat::nuplan;
  if (is_nuplan && arguments.has("map")) {
    throw cli::UsageError("nuplan: the maps are other files, expected --maps DIR");
  }
  if (!is_nuplan && arguments.has("all-sweeps")) {
    throw cli::UsageError("--all-sweeps is of nuplan");
  }
  const bool is_interaction = format == ScenarioFormat::interaction;
  const bool has_maps =
      is_nuplan || is_interaction || format == ScenarioFormat::nuscenes;
  if (!has_maps && arguments.has("maps")) {
    throw cli::UsageError("--maps is of interaction, nuplan and nuscenes");
  }
  if (!is_interaction && format != ScenarioFormat::commonroad && arguments.has("ego")) {
    throw cli::UsageError("--ego is of commonroad and interaction");
  }
  if (arguments.has("origin")) throw cli::UsageError("--origin is of lanelet2");
  const auto output = arguments.value("output");
  if (!output) throw cli::UsageError("no output given, expected -o OUT.zarr");
  const auto conversion =
      conversion_of(format, arguments, {operands.begin() + 1, operands.end()});
  const auto report = convert_to(*output, conversion, progress_of(arguments));
  auto one = nlohmann::json::parse(report);
  one["path"] = *output;
  cli::print(nlohmann::json{{"datasets", {one}}}.dump(
                 1, ' ', true, nlohmann::json::error_handler_t::replace) +
             "\n");
  return 0;
}

}  // namespace

int convert_main(std::span<const std::string> words) {
  if (!words.empty() &&
      words.front() == "argoverse2") {  // options are the Python command's
    const bool is_help = std::any_of(words.begin(), words.end(), [](const auto& word) {
      return word == "--help" || word == "-h";
    });
    if (!is_help) {
      fail(Errc::unsupported, {"convert: Parquet files need Python: python -m bevscope "
                               "convert argoverse2"});
    }
    cli::print(cli::help_text(convert_usage()));
    return 0;
  }
  const auto arguments = cli::parse_arguments(convert_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(convert_usage()));
    return 0;
  }
  if (arguments.operands().empty()) {
    throw cli::UsageError(
        "no format given, expected argoverse2, commonroad, interaction, lanelet2, "
        "nuplan, nuscenes, opendrive, scenarionet or waymo");
  }
  const auto& format = arguments.operands().front();
  const bool is_export = arguments.has("export") || arguments.has("semantic-map");
  if (is_export && format != "scenarionet") {
    throw cli::UsageError("--export and --semantic-map are of scenarionet");
  }
  if (arguments.has("export")) return run_export(arguments);
  if (is_export) throw cli::UsageError("--semantic-map needs --export");
  if (format == "lanelet2") return run_map(MapFormat::lanelet2, arguments);
  if (format == "opendrive") return run_map(MapFormat::opendrive, arguments);
  if (format == "waymo") return run_conversion(ScenarioFormat::waymo, arguments);
  if (format == "commonroad") {
    return run_conversion(ScenarioFormat::commonroad, arguments);
  }
  if (format == "interaction") {
    return run_conversion(ScenarioFormat::interaction, arguments);
  }
  if (format == "nuplan") return run_conversion(ScenarioFormat::nuplan, arguments);
  if (format == "nuscenes") return run_conversion(ScenarioFormat::nuscenes, arguments);
  if (format == "scenarionet") {
    return run_conversion(ScenarioFormat::scenarionet, arguments);
  }
  throw cli::UsageError(
      "unknown format \"" + format +
      "\", expected argoverse2, commonroad, interaction, lanelet2, nuplan, nuscenes, "
      "opendrive, scenarionet or waymo");
}

}  // namespace bev::native
