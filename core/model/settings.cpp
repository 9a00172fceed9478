#include "core/model/settings.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "core/base/json_place.hpp"
#include "core/base/json_text.hpp"
#include "core/base/nearest_name.hpp"

namespace bev::model {
namespace {

constexpr std::string_view kFormat = "bevscope-model";
constexpr std::uint32_t kVersion = 1;
constexpr std::size_t kMaxChannels = 4096;

template <class T>
using Named = std::pair<std::string_view, T>;

constexpr std::array kSubjects{Named<Subjects>{"ego", Subjects::ego},
                               Named<Subjects>{"agents", Subjects::agents},
                               Named<Subjects>{"both", Subjects::both}};
constexpr std::array kFrames{Named<Frame>{"subject", Frame::subject},
                             Named<Frame>{"world", Frame::world},
                             Named<Frame>{"world_offset", Frame::world_offset}};

template <class Table>
std::string names_of(const Table& names) {
  std::string out;
  for (const auto& [name, value] : names) {
    if (!out.empty()) out += ", ";
    out += name;
  }
  return out;
}

template <class Table>
auto named(const JsonPlace& place, const Table& names) {
  const auto text = place.text();
  for (const auto& [name, value] : names) {
    if (name == text) return value;
  }
  fail(Errc::invalid_argument, {place.path(), ": unknown (found \"", text,
                                "\", expected ", names_of(names), ")"});
}

template <class Table, class T>
std::string_view name_in(const Table& names, T wanted) noexcept {
  for (const auto& [name, value] : names) {
    if (value == wanted) return name;
  }
  return "";
}

double positive(const JsonPlace& place) {
  const double number = place.number(1e6, "0 to 1e6");
  if (number <= 0) place.refuse("not a number above 0");
  return number;
}

std::vector<float> channels(const JsonPlace& place) {
  const auto numbers = place.numbers(1e9, "-1e9 to 1e9");
  if (numbers.empty() || numbers.size() > kMaxChannels)
    place.refuse("wrong length (expected 1, or one per channel)");
  return {numbers.begin(), numbers.end()};
}

/// Refuses keys that are not read.
void check_names(const JsonPlace& place, std::span<const std::string_view> known,
                 char separator = '.') {
  for (const auto& [name, value] : place.members(separator)) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const auto nearest = nearest_name(name, known);
    if (nearest.empty()) value.refuse("unknown key");
    fail(Errc::invalid_argument,
         {value.path(), ": unknown key (did you mean ", nearest, "?)"});
  }
}

Scale scale_in(const JsonPlace& place) {
  constexpr std::array<std::string_view, 2> kKnown{"mean", "std"};
  check_names(place, kKnown);
  Scale out{channels(place.at("mean")), channels(place.at("std"))};
  if (out.mean.size() != out.deviation.size())
    place.refuse("mean and std have different lengths");
  const auto is_bad = [](float value) { return !(value > 0); };
  if (std::any_of(out.deviation.begin(), out.deviation.end(), is_bad))
    place.at("std").refuse("not numbers above 0");
  return out;
}

OutputNames outputs_of(const JsonPlace& place) {
  constexpr std::array<std::string_view, 3> kKnown{"positions", "confidences", "yaws"};
  check_names(place, kKnown);
  const auto name = [&](const char* key) -> std::optional<std::string> {
    if (!place.has(key)) return std::nullopt;
    return place.at(key).text();
  };
  return {name("positions"), name("confidences"), name("yaws")};
}

Subjects subjects_of(const JsonPlace& place) {
  if (place.value().is_string() && place.text() == "scene") {
    fail(Errc::unsupported, {place.path(),
                             ": models of whole scenes are not supported "
                             "(expected ",
                             names_of(kSubjects), ")"});
  }
  return named(place, kSubjects);
}

void check_format(const JsonPlace& root) {
  const auto format = root.at("format", ':');
  if (format.text() != kFormat)
    format.refuse("not settings of a model (expected bevscope-model)");
  const auto version = root.at("version", ':').count<std::uint32_t>();
  if (version == kVersion) return;
  fail(Errc::unsupported, {root.path(), ": unsupported version (found ", version,
                           ", expected ", kVersion, ")"});
}

/// Calls `read` with the value of a key, if there is one.
template <class Read>
void take(const JsonPlace& root, const char* key, const Read& read) {
  if (root.has(key)) read(root.at(key, ':'));
}

void take_inputs(const JsonPlace& root, Settings& out) {
  take(root, "inputs", [&](const JsonPlace& at) {
    for (const auto& [name, value] : at.members()) out.inputs[name] = value.text();
  });
  take(root, "scale", [&](const JsonPlace& at) {
    for (const auto& [name, value] : at.members())
      out.scale.emplace(name, scale_in(value));
  });
  take(root, "config", [&](const JsonPlace& at) {
    if (!at.value().is_object()) at.refuse("wrong type (expected an object)");
    JsonText text;
    text.tree(at.value());
    out.config = std::move(text).take();
  });
  take(root, "vectorized", [&](const JsonPlace& at) { out.vectorized = at.flag(); });
}

void take_outputs(const JsonPlace& root, Settings& out) {
  take(root, "outputs", [&](const JsonPlace& at) { out.outputs = outputs_of(at); });
  take(root, "frame", [&](const JsonPlace& at) { out.frame = named(at, kFrames); });
  take(root, "units", [&](const JsonPlace& at) { out.units = positive(at); });
  take(root, "step_time", [&](const JsonPlace& at) { out.step_time = positive(at); });
  take(root, "first_step",
       [&](const JsonPlace& at) { out.first_step = at.count<std::uint16_t>(); });
}

}  // namespace

std::string_view to_string(Subjects subjects) noexcept {
  return name_in(kSubjects, subjects);
}

std::string_view to_string(Frame frame) noexcept {
  return name_in(kFrames, frame);
}

Settings read_settings(std::string_view json, std::string_view where) {
  constexpr std::array<std::string_view, 15> kKnown{
      "format",     "version",    "name",      "subject", "config",
      "vectorized", "inputs",     "scale",     "outputs", "frame",
      "units",      "first_step", "step_time", "labels",  "max_agents"};
  const auto tree = json_document(json, where, Settings::kMaxBytes);
  const JsonPlace root(tree, std::string(where));
  check_names(root, kKnown, ':');
  check_format(root);
  Settings out;
  out.where = where;
  take(root, "name", [&](const JsonPlace& at) { out.name = at.text(); });
  take(root, "subject", [&](const JsonPlace& at) { out.subjects = subjects_of(at); });
  take_inputs(root, out);
  take_outputs(root, out);
  take(root, "labels", [&](const JsonPlace& at) {
    for (const auto& label : at.items()) out.labels.push_back(label.text());
  });
  take(root, "max_agents", [&](const JsonPlace& at) {
    out.max_agents = at.count<std::uint16_t>();
    if (out.max_agents == 0) at.refuse("not a number above 0");
  });
  return out;
}

}  // namespace bev::model
