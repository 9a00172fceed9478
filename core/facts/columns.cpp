#include "core/facts/columns.hpp"

#include <array>
#include <cstring>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "core/base/error.hpp"
#include "core/scene/label_names.hpp"
#include "core/zarr/dtype.hpp"

namespace bev::facts {
namespace {

constexpr std::array<std::string_view, 5> kTurns{"unknown", "straight", "left", "right",
                                                 "u_turn"};
constexpr std::array<std::string_view, 5> kLights{"unknown", "none", "red", "yellow",
                                                  "green"};

/// Receives the columns of a row with their values. One list of the columns serves for
/// names and for values.
class Columns {
 public:
  virtual ~Columns() = default;

  template <class Value>
  void operator()(std::string_view name, std::string_view unit, const Value& value,
                  std::span<const std::string_view> names = {}) {
    add({name, dtype<Value>(), unit, names}, std::as_bytes(std::span(&value, 1)));
  }

 private:
  virtual void add(const FactColumn& column, std::span<const std::byte> value) = 0;

  template <class Value>
  static constexpr std::string_view dtype() {
    if constexpr (std::is_same_v<Value, double>) return "<f8";
    if constexpr (std::is_same_v<Value, bool>) return "|b1";
    if constexpr (std::is_same_v<Value, std::int32_t>) return "<i4";
    if constexpr (std::is_same_v<Value, std::uint32_t>) return "<u4";
    if constexpr (std::is_same_v<Value, std::uint64_t>) return "<u8";
    static_assert(sizeof(Value) == 1 || std::is_arithmetic_v<Value>);
    return "|u1";
  }
};

struct MotionNames {
  std::string_view distance, mean_speed, max_speed, brake, brake_frame, acceleration,
      acceleration_frame;
};
constexpr MotionNames kEgoNames{"ego_distance",
                                "ego_mean_speed",
                                "ego_max_speed",
                                "ego_hardest_brake",
                                "ego_hardest_brake_frame",
                                "ego_strongest_acceleration",
                                "ego_strongest_acceleration_frame"};
constexpr MotionNames kTrackNames{"distance",
                                  "mean_speed",
                                  "max_speed",
                                  "hardest_brake",
                                  "hardest_brake_frame",
                                  "strongest_acceleration",
                                  "strongest_acceleration_frame"};

void list(const MotionNames& names, const MotionFacts& facts, Columns& column) {
  column("duration", "s", facts.duration);
  column(names.distance, "m", facts.distance);
  column(names.mean_speed, "m/s", facts.mean_speed);
  column(names.max_speed, "m/s", facts.max_speed);
  column(names.brake, "m/s^2", facts.hardest_brake);
  column(names.brake_frame, "", facts.hardest_brake_frame);
  column(names.acceleration, "m/s^2", facts.strongest_acceleration);
  column(names.acceleration_frame, "", facts.strongest_acceleration_frame);
  column("heading_change", "rad", facts.heading_change);
  column("turn", "", facts.turn, kTurns);
  column("turn_frame", "", facts.turn_frame);
  column("stationary", "", facts.stationary);
}

void list(const SceneFacts& facts, Columns& column) {
  column("scene", "", facts.scene);
  column("frames", "", facts.frames);
  list(kEgoNames, facts.ego, column);
  column("unprotected_left", "", facts.unprotected_left);
  column("tracks", "", facts.tracks);
  column("vehicles", "", facts.vehicles);
  column("cyclists", "", facts.cyclists);
  column("pedestrians", "", facts.pedestrians);
  column("others", "", facts.others);
  column("closest_vehicle", "m", facts.vehicle.value);
  column("closest_vehicle_frame", "", facts.vehicle.frame);
  column("closest_vehicle_track", "", facts.vehicle.track_id);
  column("closest_cyclist", "m", facts.cyclist.value);
  column("closest_cyclist_frame", "", facts.cyclist.frame);
  column("closest_cyclist_track", "", facts.cyclist.track_id);
  column("closest_pedestrian", "m", facts.pedestrian.value);
  column("closest_pedestrian_frame", "", facts.pedestrian.frame);
  column("closest_pedestrian_track", "", facts.pedestrian.track_id);
  column("min_ttc", "s", facts.ttc.value);
  column("min_ttc_frame", "", facts.ttc.frame);
  column("min_ttc_track", "", facts.ttc.track_id);
  column("cut_ins", "", facts.cut_ins);
  column("cut_in_frame", "", facts.cut_in_frame);
  column("light", "", facts.light.light, kLights);
  column("light_frame", "", facts.light.frame);
}

void list(const TrackFacts& facts, Columns& column) {
  column("scene", "", facts.scene);
  column("track_id", "", facts.track_id);
  column("label", "", facts.label, scene::kLabelNames);
  column("class", "", facts.agent_class, scene::kClassNames);
  column("frames", "", facts.frames);
  column("first_frame", "", facts.first_frame);
  list(kTrackNames, facts.motion, column);
  column("closest_ego", "m", facts.ego.value);
  column("closest_ego_frame", "", facts.ego.frame);
  column("min_ttc", "s", facts.ttc.value);
  column("min_ttc_frame", "", facts.ttc.frame);
  column("cut_in", "", facts.cut_in);
  column("cut_in_frame", "", facts.cut_in_frame);
}

class Names final : public Columns {
 public:
  std::vector<FactColumn> found;

 private:
  void add(const FactColumn& column, std::span<const std::byte>) override {
    found.push_back(column);
  }
};

/// Returns the name of the column `name` + `ending`; "" if there is none.
std::string_view column_beside(const std::vector<FactColumn>& all,
                               std::string_view name, std::string_view ending) {
  for (const auto& column : all) {
    if (column.name.size() == name.size() + ending.size() &&
        column.name.starts_with(name) && column.name.ends_with(ending)) {
      return column.name;
    }
  }
  return {};
}

/// Returns the fact whose frame is that of another one, which has none of its own.
std::string_view fact_of_event(std::string_view name) {
  if (name == "unprotected_left" || name == "heading_change") return "turn";
  return name == "cut_ins" ? "cut_in" : name;
}

template <class Row>
std::vector<FactColumn> names_of() {
  Names names;
  list(Row{}, names);
  for (auto& column : names.found) {
    const auto fact = fact_of_event(column.name);
    column.frame = column_beside(names.found, fact, "_frame");
    column.track = column_beside(names.found, fact, "_track");
  }
  return std::move(names.found);
}

class Append final : public Columns {
 public:
  explicit Append(FactTable& table) : table_(table) {}

 private:
  void add(const FactColumn&, std::span<const std::byte> value) override {
    auto& column = table_.columns[at_++];
    column.insert(column.end(), value.begin(), value.end());
  }

  FactTable& table_;
  std::size_t at_ = 0;
};

template <class Row>
void append_to(FactTable& table, const Row& row) {
  Append append(table);
  list(row, append);
  ++table.rows;
}

nlohmann::json described(TableKind kind) {
  auto out = nlohmann::json::array();
  for (const auto& column : columns_of(kind)) {
    nlohmann::json one{
        {"name", column.name}, {"dtype", column.dtype}, {"unit", column.unit}};
    if (!column.names.empty()) {
      one["names"] = std::vector<std::string>(column.names.begin(), column.names.end());
    }
    if (!column.frame.empty()) one["frame"] = column.frame;
    if (!column.track.empty()) one["track"] = column.track;
    out.push_back(std::move(one));
  }
  return out;
}

}  // namespace

TableKind table_kind(std::string_view name) {
  if (name == "scenes") return TableKind::scenes;
  if (name == "tracks") return TableKind::tracks;
  fail(Errc::invalid_argument,
       {"facts: unknown table \"", name, "\" (expected scenes or tracks)"});
}

std::span<const FactColumn> columns_of(TableKind kind) {
  static const auto scene_columns = names_of<SceneFacts>();
  static const auto track_columns = names_of<TrackFacts>();
  return kind == TableKind::scenes ? scene_columns : track_columns;
}

reader::Schema schema_of(TableKind kind) {
  reader::Schema out;
  for (const auto& column : columns_of(kind)) {
    const nlohmann::json code = std::string(column.dtype);
    out.columns.push_back({std::string(column.name),
                           zarr::parse_dtype(code, "facts"),
                           1,
                           {column.names.begin(), column.names.end()}});
  }
  return out;
}

FactTable::FactTable(TableKind of) : kind(of), columns(columns_of(of).size()) {}

void FactTable::append(const SceneFacts& row) {
  append_to(*this, row);
}

void FactTable::append(const TrackFacts& row) {
  append_to(*this, row);
}

void FactTable::append(const FactTable& other) {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const auto& from = other.columns[i];
    columns[i].insert(columns[i].end(), from.begin(), from.end());
  }
  rows += other.rows;
}

void FactTable::clear() noexcept {
  rows = 0;
  for (auto& column : columns) column.clear();
}

std::string describe() {
  return nlohmann::json{{"version", kVersion},
                        {"scenes", described(TableKind::scenes)},
                        {"tracks", described(TableKind::tracks)}}
      .dump();
}

}  // namespace bev::facts
