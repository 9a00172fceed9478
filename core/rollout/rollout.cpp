#include "core/rollout/rollout.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_tree.hpp"
#include "core/base/number_text.hpp"

namespace bev::rollout {
namespace {

using nlohmann::json;

constexpr std::string_view kFormat = "bevscope-rollout";
constexpr int kVersion = 1;

/// A place in the document, for messages.
class Place {
 public:
  Place(const json& value, std::string path) : value_(&value), path_(std::move(path)) {}

  [[noreturn]] void refuse(std::string_view problem) const {
    fail(Errc::invalid_argument, {path_, ": ", problem});
  }

  bool has(const char* key) const {
    return value_->is_object() && value_->contains(key);
  }

  Place at(const char* key, char separator = '.') const {
    if (!value_->is_object()) refuse("wrong type (expected an object)");
    const auto found = value_->find(key);
    std::string path = path_ + separator;
    if (separator == ':') path += ' ';
    path += key;
    if (found == value_->end()) fail(Errc::invalid_argument, {path, ": missing"});
    return {*found, std::move(path)};
  }

  std::vector<Place> items() const {
    if (!value_->is_array()) refuse("wrong type (expected an array)");
    std::vector<Place> out;
    for (std::size_t i = 0; i < value_->size(); ++i)
      out.push_back({(*value_)[i], path_ + "[" + std::to_string(i) + "]"});
    return out;
  }

  std::string text() const {
    if (!value_->is_string()) refuse("wrong type (expected a string)");
    return value_->get<std::string>();
  }

  /// Returns an integer from 0 to the greatest value of T.
  template <class T>
  T count() const {
    return count_of<T>(*value_, path_);
  }

  template <class T>
  std::vector<T> counts() const {
    return array<T>([](const json& value, const std::string& path) {
      return count_of<T>(value, path);
    });
  }

  std::vector<double> numbers() const {
    return array<double>([](const json& value, const std::string& path) {
      const double number = value.is_number()
                                ? value.get<double>()
                                : std::numeric_limits<double>::quiet_NaN();
      if (std::fabs(number) <= kMaxNumber) return number;
      fail(Errc::invalid_argument,
           {path, ": not a number from -1e9 to 1e9 (found ", brief(value), ")"});
    });
  }

 private:
  static std::string brief(const json& value) {
    if (!value.is_number()) return value.type_name();
    return python_repr(value.get<double>());
  }

  template <class T>
  static T count_of(const json& value, const std::string& path) {
    if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      const auto greatest = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
      if (number <= greatest) return static_cast<T>(number);
    }
    fail(Errc::invalid_argument,
         {path, ": not a whole number, or too large (found ", brief(value), ")"});
  }

  template <class T, class Get>
  std::vector<T> array(Get get) const {
    if (!value_->is_array()) refuse("wrong type (expected an array)");
    std::vector<T> out;
    out.reserve(value_->size());
    for (const auto& item : *value_) {
      out.push_back(get(item, path_));
    }
    return out;
  }

  const json* value_;
  std::string path_;
};

SceneRollout scene_of(const Place& from) {
  SceneRollout out;
  out.scene = from.at("scene").count<std::uint32_t>();
  if (from.has("timestamps"))
    out.timestamps = from.at("timestamps").counts<std::int64_t>();
  if (from.has("first_frame"))
    out.first_frame = from.at("first_frame").count<std::uint32_t>();
  const auto ego = from.at("ego");
  out.ego_x = ego.at("x").numbers();
  out.ego_y = ego.at("y").numbers();
  out.ego_yaw = ego.at("yaw").numbers();
  if (!from.has("agents")) {
    out.counts.assign(out.size(), 0);
    return out;
  }
  const auto agents = from.at("agents");
  out.counts = agents.at("counts").counts<std::uint32_t>();
  out.track_id = agents.at("track_id").counts<std::uint64_t>();
  out.x = agents.at("x").numbers();
  out.y = agents.at("y").numbers();
  out.yaw = agents.at("yaw").numbers();
  out.length = agents.at("length").numbers();
  out.width = agents.at("width").numbers();
  return out;
}

void check_format(const Place& root) {
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
}

Rollout read_rollout(std::string_view text, std::string_view where) {
  if (text.size() > kMaxFileBytes) {
    fail(Errc::limit_exceeded,
         {where, ": ", text.size(), " bytes (expected at most ", kMaxFileBytes, ")"});
  }
  bool too_deep = false;
  const auto tree = parse_json_tree(text, too_deep);
  if (!tree) {
    fail(Errc::invalid_argument,
         {where, too_deep ? ": nested too deeply" : ": not JSON"});
  }
  const Place root(*tree, std::string(where));
  check_format(root);
  Rollout out;
  if (root.has("name")) out.name = root.at("name", ':').text();
  for (const auto& place : root.at("scenes", ':').items()) {
    out.scenes.push_back(scene_of(place));
    check(out.scenes.back(), std::string(where) + ": scenes[" +
                                 std::to_string(out.scenes.size() - 1) + "]");
  }
  const auto by_scene = [](const SceneRollout& a, const SceneRollout& b) {
    return a.scene < b.scene;
  };
  std::stable_sort(out.scenes.begin(), out.scenes.end(), by_scene);
  for (std::size_t i = 1; i < out.scenes.size(); ++i) {
    if (out.scenes[i - 1].scene == out.scenes[i].scene)
      fail(Errc::invalid_argument,
           {where, ": scene ", out.scenes[i].scene, " occurs twice"});
  }
  return out;
}

}  // namespace bev::rollout
