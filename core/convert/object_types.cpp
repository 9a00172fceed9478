#include "core/convert/object_types.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/scene/labels.hpp"

namespace bev::convert {
namespace {

using nlohmann::json;

constexpr double kMaxExtentM = 1000;
constexpr double kMaxWidthM = 20;

[[noreturn]] void invalid_tables(Message problem) {
  fail(Errc::invalid_argument, {"tables: ", joined(problem)});
}

std::optional<std::size_t> label_of(std::string_view name) {
  const auto& all = scene::kPerceptionLabels;
  const auto found = std::find(all.begin(), all.end(), name);
  if (found == all.end()) return std::nullopt;
  return static_cast<std::size_t>(found - all.begin());
}

double number_within(const json& value, double low, double high,
                     const std::string& thing) {
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  if (!(number >= low && number <= high)) {
    invalid_tables({thing, ": not a number in its range (found ",
                    value.dump(-1, ' ', true, json::error_handler_t::replace), ")"});
  }
  return number;
}

void override_type(ObjectType& type, const std::string& name, const json& entry) {
  const std::string thing = "types." + name;
  if (!entry.is_object()) invalid_tables({thing, ": not an object"});
  for (const auto& [key, value] : entry.items()) {
    if (key == "label") {
      const auto label = value.is_string()
                             ? label_of(value.get_ref<const std::string&>())
                             : std::nullopt;
      if (!label) invalid_tables({thing, ".label: not one of L5Kit's labels"});
      type.label = *label;
    } else if (key == "extent") {
      if (!value.is_array() || value.size() != 3) {
        invalid_tables({thing, ".extent: must be length, width and height"});
      }
      for (std::size_t i = 0; i < 3; ++i) {
        type.extent[i] = static_cast<float>(
            number_within(value[i], 0.01, kMaxExtentM, thing + ".extent"));
      }
    } else {
      invalid_tables({thing, ": unknown key ", key, " (expected label, extent)"});
    }
  }
}

std::int32_t e7(double degrees) {
  return static_cast<std::int32_t>(std::floor(degrees * 1e7 + 0.5));
}

map::RawFrame origin_of(const std::string& name, const json& value) {
  const std::string thing = "cities." + name;
  if (!value.is_array() || value.size() != 2) {
    invalid_tables({thing, ": must be latitude and longitude in degrees"});
  }
  return {e7(number_within(value[0], -90, 90, thing)),
          e7(number_within(value[1], -180, 180, thing))};
}

}  // namespace

Tables argoverse2_tables() {
  constexpr std::size_t kUnknown = 1, kCar = 3, kBus = 6, kBicycle = 10, kCyclist = 12,
                        kMotorcyclist = 13, kPedestrian = 14;
  Tables tables;
  tables.types = {
      {"vehicle", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"bus", {kBus, {12.0F, 2.6F, 3.2F}}},
      {"motorcyclist", {kMotorcyclist, {2.2F, 0.9F, 1.6F}}},
      {"cyclist", {kCyclist, {2.0F, 0.7F, 1.7F}}},
      {"pedestrian", {kPedestrian, {0.7F, 0.7F, 1.75F}}},
      {"riderless_bicycle", {kBicycle, {2.0F, 0.7F, 1.1F}}},
      {"static", {kUnknown, {1, 1, 1}}},
      {"background", {kUnknown, {1, 1, 1}}},
      {"construction", {kUnknown, {1, 1, 1}}},
      {"unknown", {kUnknown, {1, 1, 1}}},
  };
  tables.cities = {
      {"austin", {e7(30.27464237939507), e7(-97.7404457407424)}},
      {"dearborn", {e7(42.29993066912924), e7(-83.17555750783717)}},
      {"miami", {e7(25.77452579915163), e7(-80.19656914449405)}},
      {"palo-alto", {e7(37.416065), e7(-122.13571963362166)}},
      {"pittsburgh", {e7(40.44177902989321), e7(-80.01294377242584)}},
      {"washington-dc", {e7(38.889377), e7(-77.0355047439081)}},
  };
  return tables;
}

Tables waymo_tables() {
  constexpr std::size_t kUnknown = 1, kCar = 3, kCyclist = 12, kPedestrian = 14;
  Tables tables;
  tables.types = {
      {"vehicle", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"pedestrian", {kPedestrian, {0.7F, 0.7F, 1.75F}}},
      {"cyclist", {kCyclist, {2.0F, 0.7F, 1.7F}}},
      {"other", {kUnknown, {1, 1, 1}}},
      {"unset", {kUnknown, {1, 1, 1}}},
  };
  tables.lane_widths_m = {
      {"freeway", 3.7}, {"street", 3.3}, {"bike", 1.5}, {"undefined", 3.3}};
  return tables;
}

Tables scenarionet_tables() {
  constexpr std::size_t kUnknown = 1, kCar = 3, kBus = 6, kTruck = 7, kEmergency = 8,
                        kOther = 9, kBicycle = 10, kMotorcycle = 11, kCyclist = 12,
                        kPedestrian = 14, kAnimal = 15;
  constexpr std::array<float, 3> kCarSize{4.0F, 2.0F, 1.6F},
      kBusSize{12.0F, 2.6F, 3.2F}, kTruckSize{7.0F, 2.5F, 2.8F},
      kPersonSize{0.7F, 0.7F, 1.75F}, kCycleSize{2.0F, 0.7F, 1.7F},
      kConeSize{0.4F, 0.4F, 0.8F}, kUnitSize{1, 1, 1};
  Tables tables = waymo_tables();
  tables.types = {
      {"VEHICLE", {kCar, kCarSize}},
      {"PEDESTRIAN", {kPedestrian, kPersonSize}},
      {"CYCLIST", {kCyclist, kCycleSize}},
      {"TRAFFIC_CONE", {kUnknown, kConeSize}},
      {"TRAFFIC_BARRIER", {kUnknown, kUnitSize}},
      {"TRAFFIC_OBJECT", {kUnknown, kUnitSize}},
      {"OTHER", {kUnknown, kUnitSize}},
      {"UNSET", {kUnknown, kUnitSize}},
      {"human.pedestrian.adult", {kPedestrian, kPersonSize}},
      {"human.pedestrian.child", {kPedestrian, kPersonSize}},
      {"human.pedestrian.construction_worker", {kPedestrian, kPersonSize}},
      {"human.pedestrian.personal_mobility", {kPedestrian, kPersonSize}},
      {"human.pedestrian.police_officer", {kPedestrian, kPersonSize}},
      {"human.pedestrian.stroller", {kPedestrian, kPersonSize}},
      {"human.pedestrian.wheelchair", {kPedestrian, kPersonSize}},
      {"animal", {kAnimal, kUnitSize}},
      {"vehicle.car", {kCar, kCarSize}},
      {"vehicle.motorcycle", {kMotorcycle, kCycleSize}},
      {"vehicle.bicycle", {kBicycle, kCycleSize}},
      {"vehicle.bus.bendy", {kBus, kBusSize}},
      {"vehicle.bus.rigid", {kBus, kBusSize}},
      {"vehicle.truck", {kTruck, kTruckSize}},
      {"vehicle.trailer", {kOther, kTruckSize}},
      {"vehicle.construction", {kOther, kTruckSize}},
      {"vehicle.emergency.ambulance", {kEmergency, kTruckSize}},
      {"vehicle.emergency.police", {kEmergency, kCarSize}},
      {"movable_object.barrier", {kUnknown, kUnitSize}},
      {"movable_object.trafficcone", {kUnknown, kConeSize}},
      {"movable_object.pushable_pullable", {kUnknown, kUnitSize}},
      {"movable_object.debris", {kUnknown, kUnitSize}},
      {"static_object.bicycle_rack", {kUnknown, kUnitSize}},
  };
  // What bevscope exports has L5Kit's labels.
  for (std::size_t label = 0; label < scene::kLabelCount; ++label) {
    tables.types.emplace(scene::kPerceptionLabels[label], ObjectType{label, kUnitSize});
  }
  return tables;
}

Tables nuplan_tables() {
  constexpr std::size_t kUnknown = 1, kCar = 3, kCyclist = 12, kPedestrian = 14;
  Tables tables;
  tables.types = {
      {"vehicle", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"bicycle", {kCyclist, {2.0F, 0.7F, 1.7F}}},
      {"pedestrian", {kPedestrian, {0.7F, 0.7F, 1.75F}}},
      {"traffic_cone", {kUnknown, {0.4F, 0.4F, 0.8F}}},
      {"barrier", {kUnknown, {1, 1, 1}}},
      {"czone_sign", {kUnknown, {1, 1, 1}}},
      {"generic_object", {kUnknown, {1, 1, 1}}},
  };
  tables.cities = {
      {"sg-one-north", {e7(1.2995), e7(103.7875)}},
      {"us-ma-boston", {e7(42.345), e7(-71.045)}},
      {"us-nv-las-vegas-strip", {e7(36.115), e7(-115.173)}},
      {"us-pa-pittsburgh-hazelwood", {e7(40.41), e7(-79.95)}},
  };
  tables.lane_widths_m = {{"lane", 3.5}, {"lane_connector", 3.5}};
  return tables;
}

Tables nuscenes_tables() {
  constexpr std::size_t kCyclist = 12, kMotorcyclist = 13;
  auto tables = scenarionet_tables();
  std::erase_if(tables.types, [](const auto& entry) {  // MetaDrive's and L5Kit's
    return entry.first.front() >= 'A' && entry.first.front() <= 'Z';
  });
  constexpr std::array<float, 3> kCycleSize{2.0F, 0.7F, 1.7F};
  tables.types["vehicle.bicycle/cycle.with_rider"] = {kCyclist, kCycleSize};
  tables.types["vehicle.motorcycle/cycle.with_rider"] = {kMotorcyclist, kCycleSize};
  tables.cities = {
      {"boston-seaport", {e7(42.336849169438615), e7(-71.05785369873047)}},
      {"singapore-hollandvillage", {e7(1.2993652317780957), e7(103.78217697143555)}},
      {"singapore-onenorth", {e7(1.2882100868743724), e7(103.78475189208984)}},
      {"singapore-queenstown", {e7(1.2782562240223188), e7(103.76741409301758)}},
  };
  tables.lane_widths_m = {{"lane", 3.5}, {"lane_connector", 3.5}};
  return tables;
}

Tables commonroad_tables() {
  constexpr std::size_t kUnknown = 1, kCar = 3, kTram = 5, kBus = 6, kTruck = 7,
                        kEmergency = 8, kCyclist = 12, kMotorcyclist = 13,
                        kPedestrian = 14;
  Tables tables;
  tables.types = {
      {"unknown", {kUnknown, {1, 1, 1}}},
      {"car", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"taxi", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"parkedVehicle", {kCar, {4.0F, 2.0F, 1.6F}}},
      {"truck", {kTruck, {7.0F, 2.5F, 2.8F}}},
      {"bus", {kBus, {12.0F, 2.6F, 3.2F}}},
      {"train", {kTram, {20.0F, 2.6F, 3.5F}}},
      {"priorityVehicle", {kEmergency, {7.0F, 2.5F, 2.8F}}},
      {"motorcycle", {kMotorcyclist, {2.2F, 0.9F, 1.6F}}},
      {"bicycle", {kCyclist, {2.0F, 0.7F, 1.7F}}},
      {"pedestrian", {kPedestrian, {0.7F, 0.7F, 1.75F}}},
      {"constructionZone", {kUnknown, {1, 1, 1}}},
      {"roadBoundary", {kUnknown, {1, 1, 1}}},
      {"building", {kUnknown, {1, 1, 1}}},
      {"pillar", {kUnknown, {1, 1, 1}}},
      {"median_strip", {kUnknown, {1, 1, 1}}},
  };
  return tables;
}

Tables interaction_tables() {
  constexpr std::size_t kCar = 3, kPedestrian = 14;
  Tables tables;
  tables.types = {{"car", {kCar, {4.5F, 1.8F, 1.6F}}},
                  {"pedestrian/bicycle", {kPedestrian, {0.7F, 0.7F, 1.75F}}}};
  return tables;
}

void override_tables(Tables& tables, std::string_view text) {
  if (text.empty()) return;
  bool too_deep = false;
  const auto root = parse_json_tree(text, too_deep);
  if (!root || !root->is_object()) invalid_tables({"not a JSON object"});
  for (const auto& [section, entries] : root->items()) {
    if (section != "types" && section != "cities" && section != "lane_widths") {
      invalid_tables(
          {"unknown key ", section, " (expected types, cities, lane_widths)"});
    }
    if (!entries.is_object()) invalid_tables({section, ": not an object"});
    for (const auto& [name, value] : entries.items()) {
      if (section == "types") {
        override_type(tables.types[name], name, value);
      } else if (section == "lane_widths") {
        tables.lane_widths_m[name] =
            number_within(value, 0.01, kMaxWidthM, "lane_widths." + name);
      } else {
        tables.cities[name] = origin_of(name, value);
      }
    }
  }
}

}  // namespace bev::convert
