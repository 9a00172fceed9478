#include "core/rollout/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_place.hpp"
#include "core/base/json_text.hpp"

namespace bev::rollout {
namespace {

constexpr std::string_view kFormat = "bevscope-rollout";
constexpr std::uint64_t kVersion = 1;
constexpr std::string_view kRange = "-1e9 to 1e9";

SceneRollout scene_of(const JsonPlace& from) {
  SceneRollout out;
  out.scene = from.at("scene").count<std::uint32_t>();
  if (from.has("timestamps"))
    out.timestamps = from.at("timestamps").counts<std::int64_t>();
  if (from.has("first_frame"))
    out.first_frame = from.at("first_frame").count<std::uint32_t>();
  const auto ego = from.at("ego");
  out.ego_x = ego.at("x").numbers(kMaxNumber, kRange);
  out.ego_y = ego.at("y").numbers(kMaxNumber, kRange);
  out.ego_yaw = ego.at("yaw").numbers(kMaxNumber, kRange);
  if (ego.has("box")) out.ego_box = ego.at("box").numbers(kMaxNumber, kRange);
  if (!from.has("agents")) {
    out.counts.assign(out.size(), 0);
    return out;
  }
  const auto agents = from.at("agents");
  out.counts = agents.at("counts").counts<std::uint32_t>();
  out.track_id = agents.at("track_id").counts<std::uint64_t>();
  out.x = agents.at("x").numbers(kMaxNumber, kRange);
  out.y = agents.at("y").numbers(kMaxNumber, kRange);
  out.yaw = agents.at("yaw").numbers(kMaxNumber, kRange);
  out.length = agents.at("length").numbers(kMaxNumber, kRange);
  out.width = agents.at("width").numbers(kMaxNumber, kRange);
  return out;
}

void check_format(const JsonPlace& root) {
  const auto format = root.at("format", ':').text();
  if (format != kFormat) {
    root.at("format", ':').refuse("not a rollout (expected bevscope-rollout)");
  }
  const auto version = root.at("version", ':').count<std::uint32_t>();
  if (version != kVersion) {
    fail(Errc::unsupported, {"rollout: unsupported version (found ", version,
                             ", expected ", kVersion, ")"});
  }
}

void check_numbers(const std::vector<double>& values, std::string_view where,
                   std::string_view name) {
  const bool fine = std::all_of(values.begin(), values.end(), [](double value) {
    return std::fabs(value) <= kMaxNumber;
  });
  if (fine) return;
  fail(Errc::invalid_argument, {where, ".", name, ": not numbers from -1e9 to 1e9"});
}

/// Inserts a scene in the order of numbers; refuses one that is there.
void insert_scene(Rollout& out, SceneRollout scene, std::string_view where) {
  const auto is_before = [](const SceneRollout& one, const SceneRollout& other) {
    return one.scene < other.scene;
  };
  const auto after =
      std::lower_bound(out.scenes.begin(), out.scenes.end(), scene, is_before);
  if (after != out.scenes.end() && after->scene == scene.scene)
    fail(Errc::invalid_argument, {where, ": scene ", scene.scene, " occurs twice"});
  out.scenes.insert(after, std::move(scene));
}

void write(JsonText& out, std::string_view name, const std::vector<double>& values) {
  out.name(name).open('[');
  for (const auto value : values) out.number(value);
  out.close(']');
}

template <class Count>
void write_counts(JsonText& out, std::string_view name,
                  const std::vector<Count>& values) {
  out.name(name).open('[');
  for (const auto value : values) out.count(std::uint64_t{value});
  out.close(']');
}

std::vector<std::uint64_t> times_of(const SceneRollout& scene) {
  std::vector<std::uint64_t> out;
  for (const auto time : scene.timestamps) {
    if (time < 0) {
      fail(Errc::invalid_argument,
           {"rollout: scene ", scene.scene, ": time stamps must not be below 0 (found ",
            time, ")"});
    }
    out.push_back(static_cast<std::uint64_t>(time));
  }
  return out;
}

void write(const SceneRollout& scene, JsonText& out) {
  check(scene, "rollout");
  out.open('{').name("scene").count(std::uint64_t{scene.scene});
  if (scene.timestamps.empty())
    out.name("first_frame").count(std::uint64_t{scene.first_frame});
  else
    write_counts(out, "timestamps", times_of(scene));
  out.name("ego").open('{');
  write(out, "x", scene.ego_x);
  write(out, "y", scene.ego_y);
  write(out, "yaw", scene.ego_yaw);
  if (!scene.ego_box.empty()) write(out, "box", scene.ego_box);
  out.close('}').name("agents").open('{');
  write_counts(out, "counts", scene.counts);
  write_counts(out, "track_id", scene.track_id);
  write(out, "x", scene.x);
  write(out, "y", scene.y);
  write(out, "yaw", scene.yaw);
  write(out, "length", scene.length);
  write(out, "width", scene.width);
  out.close('}').close('}');
}

}  // namespace

void check(const SceneRollout& scene, std::string_view where) {
  const auto frames = scene.size();
  std::uint64_t agents = 0;
  for (const auto count : scene.counts) agents += count;
  struct Array {
    std::string_view name;
    std::size_t found;
    std::uint64_t expected;
  };
  const Array arrays[] = {
      {"ego.y", scene.ego_y.size(), frames},
      {"ego.yaw", scene.ego_yaw.size(), frames},
      {"timestamps", scene.timestamps.size(), scene.timestamps.empty() ? 0 : frames},
      {"agents.counts", scene.counts.size(), frames},
      {"agents.track_id", scene.track_id.size(), agents},
      {"agents.x", scene.x.size(), agents},
      {"agents.y", scene.y.size(), agents},
      {"agents.yaw", scene.yaw.size(), agents},
      {"agents.length", scene.length.size(), agents},
      {"agents.width", scene.width.size(), agents},
  };
  if (frames == 0) fail(Errc::invalid_argument, {where, ".ego.x: no frames"});
  if (!scene.ego_box.empty() && scene.ego_box.size() != 3) {
    fail(Errc::invalid_argument, {where, ".ego.box: wrong length (found ",
                                  scene.ego_box.size(), ", expected 3 or none)"});
  }
  for (const auto& array : arrays) {
    if (array.found == array.expected) continue;
    fail(Errc::invalid_argument, {where, ".", array.name, ": wrong length (found ",
                                  array.found, ", expected ", array.expected, ")"});
  }
  check_numbers(scene.ego_x, where, "ego.x");
  check_numbers(scene.ego_y, where, "ego.y");
  check_numbers(scene.ego_yaw, where, "ego.yaw");
  check_numbers(scene.x, where, "agents.x");
  check_numbers(scene.y, where, "agents.y");
  check_numbers(scene.yaw, where, "agents.yaw");
  check_numbers(scene.length, where, "agents.length");
  check_numbers(scene.width, where, "agents.width");
  check_numbers(scene.ego_box, where, "ego.box");
}

Rollout read_rollout(std::string_view text, std::string_view where) {
  const auto tree = json_document(text, where, kMaxFileBytes);
  const JsonPlace root(tree, std::string(where));
  check_format(root);
  Rollout out;
  if (root.has("name")) out.name = root.at("name", ':').text();
  for (const auto& place : root.at("scenes", ':').items()) {
    auto scene = scene_of(place);
    check(scene,
          std::string(where) + ": scenes[" + std::to_string(out.scenes.size()) + "]");
    insert_scene(out, std::move(scene), where);
  }
  return out;
}

void add_scene(Rollout& rollout, SceneRollout scene, std::string_view where) {
  check(scene, where);
  insert_scene(rollout, std::move(scene), where);
}

std::string write_rollout(const Rollout& rollout) {
  JsonText out;
  out.open('{').name("format").text(kFormat).name("version").count(kVersion);
  out.name("name").text(rollout.name).name("scenes").open('[');
  for (const auto& scene : rollout.scenes) write(scene, out);
  out.close(']').close('}');
  return std::move(out).take();
}

}  // namespace bev::rollout
