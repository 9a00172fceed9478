#include "native/results/simulation_score.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/bytes.hpp"
#include "core/simulation/measures.hpp"
#include "core/zarr/dtype.hpp"
#include "native/results/simulation_files.hpp"

namespace bev::native {
namespace {

constexpr std::array kTexts = {"planner_name", "scenario_type", "log_name",
                               "scenario_id"};
constexpr std::array kNumbers = {"frames",
                                 "collisions",
                                 "no_ego_at_fault_collisions",
                                 "time_to_collision_within_bound",
                                 "ego_is_comfortable",
                                 "min_time_to_collision_ahead"};
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct SimulationRow {
  std::array<std::string, kTexts.size()> texts;
  std::array<double, kNumbers.size()> numbers;
};

template <class T>
double or_unknown(const std::optional<T>& value) {
  return value ? static_cast<double>(*value) : kUnknown;
}

/// Replaces what is not printable ASCII: names come from files and folders.
std::string printable_name(std::string text) {
  for (auto& c : text) {
    if (c < ' ' || c > '~') c = '?';
  }
  return text;
}

SimulationRow simulation_row(const simulation::Simulation& from) {
  const auto found = simulation::measures(from);
  const auto& times = found.time_to_collision_ahead;
  return {{printable_name(from.planner), printable_name(from.type),
           printable_name(from.log), printable_name(from.scenario)},
          {static_cast<double>(from.frames.size()),
           static_cast<double>(found.collisions.size()),
           or_unknown(found.no_ego_at_fault_collisions),
           or_unknown(found.time_to_collision_within_bound),
           or_unknown(found.ego_is_comfortable),
           times.empty() ? kUnknown : *std::min_element(times.begin(), times.end())}};
}

void add_column(zarr::DType& row, const char* name, const std::string& code) {
  zarr::Field field;
  field.name = name;
  field.offset = row.item_size;
  field.type = zarr::parse_dtype(nlohmann::json(code), "scores");
  row.item_size += field.type.size();
  row.fields.push_back(std::move(field));
}

/// Returns the type of rows whose texts are as long as the longest.
zarr::DType type_of(const std::vector<SimulationRow>& rows) {
  zarr::DType out;
  out.kind = zarr::Kind::record;
  for (std::size_t i = 0; i < kTexts.size(); ++i) {
    std::size_t length = 1;
    for (const auto& row : rows) length = std::max(length, row.texts[i].size());
    add_column(out, kTexts[i], "<U" + std::to_string(length));
  }
  for (const auto* name : kNumbers) add_column(out, name, "<f8");
  return out;
}

std::vector<std::byte> packed_rows(const zarr::DType& type,
                                   const std::vector<SimulationRow>& rows) {
  std::vector<std::byte> out(rows.size() * type.item_size);
  auto* row_begin = out.data();
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < kTexts.size(); ++i) {
      auto* to = row_begin + type.fields[i].offset;
      for (const char letter : row.texts[i]) {
        store_le(to, static_cast<std::uint32_t>(letter));
        to += sizeof(std::uint32_t);
      }
    }
    for (std::size_t i = 0; i < kNumbers.size(); ++i) {
      store_le(row_begin + type.fields[kTexts.size() + i].offset, row.numbers[i]);
    }
    row_begin += type.item_size;
  }
  return out;
}

}  // namespace

std::size_t score_simulations(const std::vector<std::string>& paths,
                              const std::string& format, const Write& write) {
  std::vector<SimulationRow> rows;
  each_simulation(paths, [&](const auto& simulation) {
    rows.push_back(simulation_row(simulation));
  });
  const auto type = type_of(rows);
  const auto writer = make_row_writer(format, {type, "scores", rows.size()}, write);
  writer->rows(rows.size(), packed_rows(type, rows));
  writer->finish();
  return rows.size();
}

}  // namespace bev::native
