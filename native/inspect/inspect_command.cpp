#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "core/base/error.hpp"
#include "core/convert/nuplan.hpp"
#include "core/sqlite/database.hpp"
#include "native/cli/arguments.hpp"
#include "native/cli/commands.hpp"
#include "native/cli/output.hpp"
#include "native/files/sqlite_file.hpp"
#include "native/inspect/inspect_tables.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

constexpr auto kFirstOfTable = std::numeric_limits<std::int64_t>::min();

cli::Usage inspect_usage() {
  return {
      .command = "inspect",
      .synopsis = "FILE|FOLDER [OPTION]...",
      .summary = "Describes logs and maps of nuPlan, tables and maps of nuScenes.",
      .description =
          "Of a SQLite file, prints tables, columns, indices and the limits of row\n"
          "ids as JSON. Of a log of nuPlan also its scenes, the time between sweeps,\n"
          "and how the rows of a sweep are found: by an index of the file, by the\n"
          "order of the rows, or by a scan of the table. Reads the file by ranges,\n"
          "and runs no SQL.\n\n"
          "Of the folder of a version of nuScenes, and of a .json file, prints the\n"
          "number of records, and the fields of the first one; of a map, by layer.",
      .options =
          {{"rows", "TABLE",
            "Print the rows of a table or layer instead, as lines of JSON,\n"
            "in the order of their ids. Blobs are {\"blob\": HEX}."},
           {"scenes", "",
            "Print the scenes of a log instead, as lines of JSON: names, times,\n"
            "numbers of frames, tags."}},
      .examples =
          "  bevscope inspect 2021.07.16.20.45.29_veh-35.db\n"
          "  bevscope inspect 2021.07.16.20.45.29_veh-35.db --scenes\n"
          "  bevscope inspect map.gpkg --rows lane_connectors\n"
          "  bevscope inspect v1.0-mini --rows scene",
  };
}

std::string hex_text(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {kDigits[byte >> 4U], kDigits[byte & 15U]};
  }
  return out;
}

json json_of(const sqlite::Value& value) {
  switch (value.kind) {
    case sqlite::Kind::null: return nullptr;
    case sqlite::Kind::integer: return value.integer;
    case sqlite::Kind::real:
      if (std::isfinite(value.real)) return value.real;
      return {{"real", value.real > 0 ? "inf" : "-inf"}};
    case sqlite::Kind::text: return std::string(value.bytes);
    case sqlite::Kind::blob: return {{"blob", hex_text(value.bytes)}};
  }
  return nullptr;
}

std::string line_of(const json& value) {
  return value.dump(-1, ' ', true, json::error_handler_t::replace) + "\n";
}

int print_rows(const sqlite::Database& database, const std::string& name) {
  sqlite::Rows rows(database, database.table(name));
  for (bool has = rows.seek(kFirstOfTable); has; has = rows.next()) {
    auto line = json::array();
    for (std::size_t i = 0; i < rows.size(); ++i) line.push_back(json_of(rows[i]));
    cli::print(line_of(line));
  }
  return 0;
}

json describe(const sqlite::Database& database, const sqlite::Table& table) {
  json out = {{"columns", json::array()}, {"indices", json::object()}};
  for (const auto& column : table.columns) out["columns"].push_back(column.name);
  for (const auto& index : table.indices) {
    out["indices"][index.name] =
        index.columns.empty() ? json("of a constraint") : json(index.columns);
  }
  if (!table.unsupported.empty()) {
    out["unsupported"] = table.unsupported;
    return out;
  }
  sqlite::Rows rows(database, table);
  if (!rows.seek(kFirstOfTable)) return out;
  out["first_row"] = rows.rowid();
  if (rows.seek_last()) out["last_row"] = rows.rowid();
  return out;
}

json describe_log(sqlite::Pages& pages) {
  convert::nuplan::Log log(pages);
  log.open();
  json finding = json::object();
  for (const auto& [table, how] : log.findings()) {
    finding[table] = convert::nuplan::name_of(how);
  }
  return {{"name", log.name()},
          {"location", log.location()},
          {"map_version", log.map_version()},
          {"vehicle", log.vehicle()},
          {"scenes", log.scenes().size()},
          {"sweeps", log.sweeps().size()},
          {"interval_us", log.interval_us()},
          {"finding", std::move(finding)}};
}

int print_scenes(sqlite::Pages& pages) {
  convert::nuplan::Log log(pages);
  log.open();
  const auto scenes = convert::nuplan_scenes(log);
  const auto tags = convert::nuplan_tags(log);
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const auto& [name, start, end, frames] = scenes[i];
    cli::print(line_of({{"scene", i},
                        {"name", name},
                        {"start_ns", start},
                        {"end_ns", end},
                        {"frames", frames},
                        {"tags", tags[i]}}));
  }
  return 0;
}

int inspect_tables(const std::string& path, const std::optional<std::string>& rows) {
  if (rows) {
    print_records(path, *rows);
  } else {
    cli::print(describe_tables(path) + "\n");
  }
  return 0;
}

}  // namespace

int inspect_main(std::span<const std::string> words) {
  const auto arguments = cli::parse_arguments(inspect_usage(), words);
  if (arguments.has("help")) {
    cli::print(cli::help_text(inspect_usage()));
    return 0;
  }
  if (arguments.operands().size() != 1) throw cli::UsageError("expected one FILE");
  const auto& path = arguments.operands().front();
  if (has_tables(path)) return inspect_tables(path, arguments.value("rows"));
  try {
    SqliteFile file(path);
    const sqlite::Database database(file.pages());
    if (const auto table = arguments.value("rows")) return print_rows(database, *table);
    if (arguments.has("scenes")) return print_scenes(file.pages());
    json out = {{"path", path},
                {"page_size", file.pages().page_size()},
                {"pages", file.pages().count()},
                {"write_ahead_log", file.pages().has_log()},
                {"tables", json::object()}};
    for (const auto& table : database.tables()) {
      out["tables"][table.name] = describe(database, table);
    }
    const bool is_log = database.find("lidar_pc") != nullptr;
    if (is_log) out["log"] = describe_log(file.pages());
    out["bytes_read"] = file.pages().bytes_read();
    cli::print(out.dump(1, ' ', true, json::error_handler_t::replace) + "\n");
    return 0;
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(path)) throw;
    fail_at(error.code(), path, {error.what()});
  }
}

}  // namespace bev::native
