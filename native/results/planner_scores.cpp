#include "native/results/planner_scores.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/futures/score_tables.hpp"
#include "core/zarr/dtype.hpp"
#include "native/files/file.hpp"

namespace bev::native {
namespace {

namespace fs = std::filesystem;
using futures::ScoreTable;

/// Returns the files, those below folders included.
std::vector<std::string> score_paths(const std::vector<std::string>& paths) {
  std::vector<std::string> out;
  for (const auto& path : paths) {
    std::error_code error;
    if (!fs::is_directory(path, error)) {
      out.push_back(path);
      continue;
    }
    const auto first = static_cast<std::ptrdiff_t>(out.size());
    fs::recursive_directory_iterator at(path, error);
    while (!error && at != fs::recursive_directory_iterator()) {
      const auto& one = at->path();
      if (one.extension() == ".parquet") out.push_back(one.string());
      at.increment(error);
    }
    if (error) fail_at(Errc::io, path, {error.message()});
    std::sort(out.begin() + first, out.end());
  }
  return out;
}

std::vector<std::byte> part_of(const File& file, std::uint64_t begin,
                               std::uint64_t size) {
  std::vector<std::byte> out(static_cast<std::size_t>(size));
  out.resize(file.read_at(begin, out));
  return out;
}

std::string_view as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the columns of all planners, in the order of the first ones.
std::vector<std::string> all_columns(const std::vector<ScoreTable>& tables) {
  std::vector<std::string> out;
  for (const auto& table : tables) {
    for (const auto& name : table.columns) {
      if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
    }
  }
  return out;
}

zarr::DType score_type(std::size_t name_size, std::size_t id_size,
                       const std::vector<std::string>& columns) {
  zarr::DType out;
  out.kind = zarr::Kind::record;
  const auto add = [&](const std::string& name, const std::string& code) {
    zarr::Field field;
    field.name = name;
    field.offset = out.item_size;
    field.type = zarr::parse_dtype(nlohmann::json(code), "scores");
    out.item_size += field.type.size();
    out.fields.push_back(std::move(field));
  };
  add("planner_name", "<U" + std::to_string(name_size));
  add("scenario_id", "<U" + std::to_string(id_size));
  for (const auto& name : columns) add(name, "<f8");
  return out;
}

/// Stores text as UCS-4; what is not printable ASCII as "?".
void store_text(std::byte* to, const std::string& text) {
  for (const char c : text) {
    store_le(to, static_cast<std::uint32_t>(c < ' ' || c > '~' ? '?' : c));
    to += sizeof(std::uint32_t);
  }
}

/// Returns the mean of the values that are not missing, over the scenarios in `taken`;
/// null if all are.
nlohmann::json mean_of(const ScoreTable& table, std::size_t column,
                       const std::vector<bool>& taken) {
  double sum = 0;
  std::size_t count = 0;
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const double value = table.values[i * table.columns.size() + column];
    if (!taken[i] || std::isnan(value)) continue;
    sum += value;
    ++count;
  }
  if (count == 0) return nullptr;
  return sum / static_cast<double>(count);
}

nlohmann::json summary_of(const std::vector<ScoreTable>& tables) {
  std::unordered_map<std::string_view, std::size_t> planners;  // of each scenario
  for (const auto& table : tables) {
    for (const auto& id : table.scenarios) ++planners[id];
  }
  const auto is_common = [&](const auto& one) { return one.second == tables.size(); };
  auto by_name = nlohmann::json::object();
  for (const auto& table : tables) {
    std::vector<bool> taken;
    for (const auto& id : table.scenarios) {
      taken.push_back(planners.at(id) == tables.size());
    }
    auto means = nlohmann::json::object();
    for (std::size_t c = 0; c < table.columns.size(); ++c) {
      means[table.columns[c]] = mean_of(table, c, taken);
    }
    by_name[table.name] = {{"scenarios", table.scenarios.size()}, {"means", means}};
  }
  return {{"scenarios", std::count_if(planners.begin(), planners.end(), is_common)},
          {"planners", by_name}};
}

}  // namespace

bool are_planner_scores(const std::vector<std::string>& paths) {
  const auto files = score_paths(paths);
  if (files.empty()) return false;
  const auto file = File::open(files.front(), files.front());
  if (!file) return false;
  const auto size = file->size();
  const auto tail = std::min<std::uint64_t>(size, futures::kScoreTail);
  return futures::score_file_of(as_text(part_of(*file, 0, futures::kScoreHead)),
                                as_text(part_of(*file, size - tail, tail))) ==
         futures::ScoreFile::planners;
}

nlohmann::json write_planner_scores(const std::vector<std::string>& paths,
                                    const std::string& format, const Write& write) {
  futures::ScoreReader reader;
  for (const auto& path : score_paths(paths)) {
    const auto file = File::open(path, path);
    if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
    if (file->size() > futures::kMaxScoreBytes) {
      fail_at(Errc::limit_exceeded, path,
              {"too large (expected at most ", futures::kMaxScoreBytes, " bytes)"});
    }
    reader.add(part_of(*file, 0, file->size()), path);
  }
  auto tables = reader.finish();
  std::erase_if(tables, [](const ScoreTable& one) { return !one.is_of_planner; });
  const auto columns = all_columns(tables);
  std::size_t name_size = 1, id_size = 1, rows = 0;
  for (const auto& table : tables) {
    name_size = std::max(name_size, table.name.size());
    rows += table.scenarios.size();
    for (const auto& id : table.scenarios) id_size = std::max(id_size, id.size());
  }
  const auto type = score_type(name_size, id_size, columns);
  const auto writer = make_row_writer(format, {type, "scores", rows}, write);
  for (const auto& table : tables) {
    std::vector<std::byte> packed(table.scenarios.size() * type.item_size);
    std::vector<std::size_t> fields;
    for (const auto& name : table.columns) {
      const auto at = std::find(columns.begin(), columns.end(), name);
      fields.push_back(2 + static_cast<std::size_t>(at - columns.begin()));
    }
    for (std::size_t i = 0; i < table.scenarios.size(); ++i) {
      auto* const row = packed.data() + i * type.item_size;
      store_text(row + type.fields[0].offset, table.name);
      store_text(row + type.fields[1].offset, table.scenarios[i]);
      for (std::size_t f = 2; f < type.fields.size(); ++f) {
        store_le(row + type.fields[f].offset, std::numeric_limits<double>::quiet_NaN());
      }
      for (std::size_t c = 0; c < fields.size(); ++c) {
        store_le(row + type.fields[fields[c]].offset,
                 table.values[i * fields.size() + c]);
      }
    }
    writer->rows(table.scenarios.size(), packed);
  }
  writer->finish();
  return summary_of(tables);
}

}  // namespace bev::native
