#include "native/results/recorded_scenarios.hpp"

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/tfrecord.hpp"
#include "core/engine/engine.hpp"
#include "core/engine/host_loop.hpp"
#include "core/engine/records_query.hpp"
#include "core/map/semantic_map.hpp"
#include "core/rollout/report.hpp"
#include "native/convert/scenario_conversion.hpp"
#include "native/convert/scenario_files.hpp"
#include "native/facts/map_file.hpp"
#include "native/files/file.hpp"
#include "native/source/source.hpp"

namespace bev::native {
namespace {

using nlohmann::json;

bool is_dataset(const std::string& path) {
  if (scenario_format(path) == ScenarioFormat::nuscenes) return true;
  const auto end = path.find_last_not_of('/');
  const auto name = path.substr(0, end == std::string::npos ? 0 : end + 1);
  return name.ends_with(".zarr") || name.ends_with(".zip");
}

/// A TFRecord file and its records.
struct RecordsOfFile {
  std::string path;
  File file;
  std::vector<convert::RecordRange> ranges;
};

RecordsOfFile records_of_file(const std::string& path) {
  auto file = File::open(path, path);
  if (!file) fail_at(Errc::not_found, path, {"not found, or not a file"});
  try {
    auto ranges = convert::find_records(
        file->size(), [&](std::uint64_t at, std::span<std::byte> out) {
          return file->read_at(at, out);
        });
    return {path, *std::move(file), std::move(ranges)};
  } catch (const Error& error) {
    fail_at(error.code(), path, {error.what()});
  }
}

futures::RecordedScene scenario_at(const RecordsOfFile& from, std::size_t record) {
  const auto& range = from.ranges[record];
  std::vector<std::byte> bytes(static_cast<std::size_t>(range.size));
  bytes.resize(from.file.read_at(range.offset, bytes));
  try {
    const auto content = convert::record_content(bytes, range.offset);
    return {convert::waymo::parse_message(
                {reinterpret_cast<const char*>(content.data()), content.size()}),
            {}};
  } catch (const Error& error) {
    fail_at(error.code(), from.path, {"record ", record, ": ", error.what()});
  }
}

std::optional<std::string> text_of_recorded(Source& source, const std::string& key) {
  const auto bytes = source.read(key, std::nullopt);
  if (!bytes) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
}

/// Returns the attribute `bevscope` of a converted data set.
json conversion_of(Source& source, const std::string& path) {
  bool is_deep = false;
  const auto text = text_of_recorded(source, ".zattrs");
  const auto root = text ? parse_json_tree(*text, is_deep) : std::nullopt;
  const bool is_converted = root && root->is_object() && root->contains("bevscope") &&
                            (*root)["bevscope"].is_object() &&
                            (*root)["bevscope"].contains("scenes") &&
                            (*root)["bevscope"]["scenes"].is_array();
  if (is_converted) return (*root)["bevscope"];
  fail_at(Errc::invalid_metadata, path,
          {"not converted from scenarios: its attributes have no scenario ids"});
}

/// Returns what tells whether a point is on a lane of a map.
OnLane lanes_of(const map::SemanticMap& map) {
  rollout::Roads::Lines left{{}, {0}}, right{{}, {0}};
  const auto append = [](rollout::Roads::Lines& to, const map::Boundary& side) {
    for (const auto& point : side.points) {
      to.points.push_back(point.x);
      to.points.push_back(point.y);
    }
    to.offsets.push_back(static_cast<std::uint32_t>(to.points.size() / 2));
  };
  for (const auto& lane : map.lanes()) {
    append(left, lane.left);
    append(right, lane.right);
  }
  const auto roads = std::make_shared<const rollout::Roads>(left, right);
  return [roads](geom::Vec2 at) { return roads->contains(at); };
}

/// Passes the scenes of converted data sets.
class DatasetScenarios {
 public:
  DatasetScenarios(const std::string& path, const TakeRecorded& take)
      : path_(path), take_(take), source_(open_source(path)) {}

  void pass() {
    const auto kept = conversion_of(*source_, path_);
    const auto maps = read_converted_map(*source_, kept);
    OnLane is_on_lane;
    if (maps.whole()) is_on_lane = lanes_of(*maps.whole());
    const auto query = engine_.scene_records();
    while (query->next()) {
      run(engine_, *query, *source_);
      const auto index = query->scene();
      if (query->scene_count() == 0) continue;
      const auto& scenes = kept["scenes"];
      if (index >= scenes.size()) {
        fail_at(Errc::invalid_metadata, path_,
                {"attributes of scene ", index, ": missing"});
      }
      const auto& frames = query->records().frames;
      if (maps.parts() != nullptr && !frames.empty()) {
        const auto& at = frames.front().ego_translation;
        is_on_lane = lanes_of(*maps.at({at[0], at[1]}));
      }
      auto columns = futures::columns_of(query->records());
      take_({[columns = std::move(columns), attributes = scenes[index].dump(),
              where = joined({path_, ": scene ", index})] {
               try {
                 return futures::recorded_scene(columns, attributes);
               } catch (const Error& error) {
                 fail_at(error.code(), where, {error.what()});
               }
             },
             is_on_lane});
    }
    source_->check_unchanged();
  }

 private:
  const std::string& path_;
  const TakeRecorded& take_;
  std::unique_ptr<Source> source_;
  Engine engine_;
};

}  // namespace

void each_recorded(const std::vector<std::string>& data, const TakeRecorded& take) {
  std::vector<std::string> records;
  std::vector<std::string> datasets;
  for (const auto& path : data) (is_dataset(path) ? datasets : records).push_back(path);
  if (!records.empty()) {
    for (const auto& path : find_scenarios(ScenarioFormat::waymo, records)) {
      const auto file = std::make_shared<const RecordsOfFile>(records_of_file(path));
      for (std::size_t i = 0; i < file->ranges.size(); ++i) {
        take({[file, i] { return scenario_at(*file, i); }, {}});
      }
    }
  }
  for (const auto& path : datasets) DatasetScenarios(path, take).pass();
}

}  // namespace bev::native
