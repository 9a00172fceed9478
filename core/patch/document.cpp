#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/json_place.hpp"
#include "core/base/json_text.hpp"
#include "core/base/nearest_name.hpp"
#include "core/base/number_text.hpp"
#include "core/patch/patch.hpp"
#include "core/scene/label_names.hpp"

namespace bev::patch {
namespace {

constexpr std::string_view kFormat = "bevscope-patch";
constexpr std::uint32_t kVersion = 1;
constexpr std::string_view kEgo = "ego";

/// Names of the changes, by position in Edit::change.
constexpr std::array<std::string_view, 6> kOps{"move",   "stop", "retime",
                                               "remove", "add",  "light"};
constexpr std::size_t kRetime = 2, kLight = 5;
constexpr std::array<std::string_view, 2> kFrames{"world", "track"};
constexpr std::array<std::string_view, 3> kStates{"active", "inactive", "unknown"};

/// The range of a number.
struct Limits {
  double least;
  double greatest;
  std::string_view text;
};

constexpr Limits kMetres{-1e6, 1e6, "-1e6 to 1e6"};
constexpr Limits kSizes{1e-3, 1e3, "0.001 to 1000"};
constexpr Limits kTurns{-7, 7, "-7 to 7, radians"};
constexpr Limits kDecelerations{1e-3, 1e3, "0.001 to 1000"};
constexpr Limits kFactors{0.01, 100, "0.01 to 100"};

/// Lists what each change has besides scene, track and frames: `visit(key, member, ...)`
/// for a required one, `visit.optional(key, member, ...)` for one with a default.
void members(auto& visit, Move& move) {
  visit.optional("by", move.by, kMetres);
  visit.optional("turn", move.turn, kTurns);
  visit.optional_name("in", move.in_track, kFrames);
  visit.optional("ease", move.ease);
}
void members(auto& visit, Stop& stop) {
  visit.optional("deceleration", stop.deceleration, kDecelerations);
}
void members(auto& visit, Retime& retime) {
  visit("factor", retime.factor, kFactors);
}
void members(auto& /*visit*/, Remove& /*remove*/) {}
void members(auto& visit, Add& add) {
  visit.name("label", add.label, scene::kLabelNames);
  visit("extent", add.extent, kSizes);
  visit("path", add.path);
}
void members(auto& visit, Light& light) {
  visit("face", light.face);
  visit.name("state", light.state, kStates);
}
void members(auto& visit, Edit& edit) {
  const auto op = edit.change.index();
  visit("scene", edit.scene);
  if (op != kLight) visit.track("track", edit.track, op <= kRetime);
  visit.optional("from", edit.from);
  visit.optional("to", edit.to);
  std::visit([&](auto& change) { members(visit, change); }, edit.change);
}
void members(auto& visit, Rows& rows) {
  visit.optional("scenes", rows.scenes);
  visit.optional("frames", rows.frames);
  visit.optional("agents", rows.agents);
}

double number_in(const JsonPlace& place, const Limits& limits) {
  const auto number = place.number(limits.greatest, limits.text);
  if (number >= limits.least) return number + 0.0;  // not -0, which has another text
  fail(Errc::invalid_argument, {place.path(), ": not a number from ", limits.text,
                                " (found ", python_repr(number), ")"});
}

template <class Names>
std::size_t index_of_name(const JsonPlace& place, const Names& names) {
  const auto text = place.text();
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  std::string all;
  for (const auto& name : names) all.append(all.empty() ? "" : ", ").append(name);
  fail(Errc::invalid_argument,
       {place.path(), ": unknown (found \"", text, "\", expected ", all, ")"});
}

Add::Key key_in(const JsonPlace& place, const Add::Key* before) {
  const auto numbers = place.numbers(1e9, "-1e9 to 1e9");
  if (numbers.size() != 4) {
    fail(Errc::invalid_argument, {place.path(), ": wrong length (found ",
                                  numbers.size(), ", expected 4: frame, x, y, yaw)"});
  }
  const auto frame = numbers[0];
  if (!(frame >= 0) || std::floor(frame) != frame)
    place.refuse("the frame is not a whole number");
  Add::Key out{static_cast<std::uint64_t>(frame), numbers[1] + 0.0, numbers[2] + 0.0,
               numbers[3] + 0.0};
  if (before != nullptr && before->frame >= out.frame)
    place.refuse("frames of a path must ascend");
  return out;
}

/// Reads the members of an object, and refuses all others.
class MembersReader {
 public:
  explicit MembersReader(const JsonPlace& place) : place_(place) {}

  void operator()(const char* key, auto& value, const auto&... limits) {
    read(required(key), value, limits...);
  }
  void optional(const char* key, auto& value, const auto&... limits) {
    if (has(key)) read(place_.at(key), value, limits...);
  }
  template <class T>
  void name(const char* key, T& value, const auto& names) {
    value = static_cast<T>(index_of_name(required(key), names));
  }
  void optional_name(const char* key, auto& value, const auto& names) {
    if (has(key)) name(key, value, names);
  }
  void track(const char* key, std::optional<std::uint64_t>& value, bool may_be_ego) {
    const auto place = required(key);
    if (may_be_ego && place.value().is_string()) {
      index_of_name(place, std::array{kEgo});
      return;
    }
    value = place.count<std::uint64_t>();
  }
  void known(std::string_view key) { known_.push_back(key); }

  void refuse_others() const {
    for (const auto& [name, value] : place_.members()) {
      if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
      const auto nearest = nearest_name(name, known_);
      if (nearest.empty()) value.refuse("unknown key");
      fail(Errc::invalid_argument,
           {value.path(), ": unknown key (did you mean ", nearest, "?)"});
    }
  }

 private:
  /// null is as absent.
  bool has(const char* key) {
    known(key);
    return place_.has(key) && !place_.at(key).value().is_null();
  }
  JsonPlace required(const char* key) {
    known(key);
    return place_.at(key);
  }

  static void read(const JsonPlace& place, double& out, const Limits& limits) {
    out = number_in(place, limits);
  }
  template <std::size_t N>
  static void read(const JsonPlace& place, std::array<double, N>& out,
                   const Limits& limits) {
    const auto items = place.items();
    if (items.size() != N) {
      fail(Errc::invalid_argument, {place.path(), ": wrong length (found ",
                                    items.size(), ", expected ", N, ")"});
    }
    for (std::size_t i = 0; i < N; ++i) out[i] = number_in(items[i], limits);
  }
  static void read(const JsonPlace& place, std::vector<Add::Key>& out) {
    for (const auto& item : place.items()) {
      out.push_back(key_in(item, out.empty() ? nullptr : &out.back()));
    }
    if (out.empty()) place.refuse("no poses");
  }
  static void read(const JsonPlace& place, std::string& out) { out = place.text(); }
  static void read(const JsonPlace& place, std::uint32_t& out) {
    out = place.count<std::uint32_t>();
  }
  static void read(const JsonPlace& place, std::uint64_t& out) {
    out = place.count<std::uint64_t>();
  }
  static void read(const JsonPlace& place, std::optional<std::uint64_t>& out) {
    out = place.count<std::uint64_t>();
  }

  const JsonPlace& place_;
  std::vector<std::string_view> known_;
};

/// Writes the members of an object, without optional ones that are 0 or absent.
class MembersWriter {
 public:
  explicit MembersWriter(JsonText& out) : out_(out) {}

  void operator()(const char* key, const auto& value, const auto&... /*limits*/) {
    out_.name(key);
    write(value);
  }
  template <class T>
  void optional(const char* key, const T& value, const auto&... /*limits*/) {
    if (value != T{}) (*this)(key, value);
  }
  void name(const char* key, auto value, const auto& names) {
    out_.name(key).text(names[static_cast<std::size_t>(value)]);
  }
  void optional_name(const char* key, auto value, const auto& names) {
    if (value != decltype(value){}) name(key, value, names);
  }
  void track(const char* key, const std::optional<std::uint64_t>& value, bool /*ego*/) {
    out_.name(key);
    value ? out_.count(*value) : out_.text(kEgo);
  }

 private:
  void write(double value) { out_.number(value); }
  void write(std::uint32_t value) { out_.count(std::uint64_t{value}); }
  void write(std::uint64_t value) { out_.count(value); }
  void write(const std::optional<std::uint64_t>& value) { out_.count(*value); }
  void write(const std::string& value) { out_.text(value); }
  template <std::size_t N>
  void write(const std::array<double, N>& values) {
    out_.open('[');
    for (const auto value : values) out_.number(value);
    out_.close(']');
  }
  void write(const std::vector<Add::Key>& path) {
    out_.open('[');
    for (const auto& [frame, x, y, yaw] : path) {
      out_.open('[').count(frame).number(x).number(y).number(yaw).close(']');
    }
    out_.close(']');
  }

  JsonText& out_;
};

template <std::size_t... I>
void set_op(Edit& edit, std::size_t op, std::index_sequence<I...> /*all*/) {
  ((I == op ? static_cast<void>(edit.change.emplace<I>()) : void()), ...);
}

Edit edit_in(const JsonPlace& place) {
  Edit out;
  MembersReader reader(place);
  reader.known("op");
  set_op(out, index_of_name(place.at("op"), kOps),
         std::make_index_sequence<kOps.size()>{});
  members(reader, out);
  reader.refuse_others();
  return out;
}

void check_format(const JsonPlace& root) {
  const auto format = root.at("format", ':');
  if (format.text() != kFormat) format.refuse("not a patch (expected bevscope-patch)");
  const auto version = root.at("version", ':').count<std::uint32_t>();
  if (version == kVersion) return;
  fail(Errc::unsupported, {root.path(), ": unsupported version (found ", version,
                           ", expected ", kVersion, ")"});
}

void check_rows(std::string_view array, const std::optional<std::uint64_t>& expected,
                const std::optional<std::uint64_t>& found) {
  if (!expected || !found || *expected == *found) return;
  fail(Errc::invalid_argument, {"patch: made for another data set (found ", *found, " ",
                                array, ", expected ", *expected, ")"});
}

}  // namespace

Patch read_patch(std::string_view json, std::string_view where) {
  const auto tree = json_document(json, where, kMaxBytes);
  const JsonPlace root(tree, std::string(where));
  constexpr std::array<std::string_view, 5> kKnown{"format", "version", "name", "data",
                                                   "edits"};
  check_format(root);
  for (const auto& [name, value] : root.members(':')) {
    if (std::find(kKnown.begin(), kKnown.end(), name) == kKnown.end())
      value.refuse("unknown key");
  }
  Patch out;
  if (root.has("name")) out.name = root.at("name", ':').text();
  if (root.has("data")) {
    const auto place = root.at("data", ':');
    MembersReader reader(place);
    members(reader, out.data);
    reader.refuse_others();
  }
  const auto edits = root.at("edits", ':');
  if (edits.value().is_array() && edits.value().size() > kMaxEdits) {
    fail(Errc::limit_exceeded,
         {edits.path(), ": too many (found ", edits.value().size(),
          ", expected at most ", kMaxEdits, ")"});
  }
  for (const auto& place : edits.items()) out.edits.push_back(edit_in(place));
  return out;
}

std::string to_json(const Patch& patch) {
  JsonText out;
  MembersWriter writer(out);
  out.open('{').name("format").text(kFormat).name("version").count(
      std::uint64_t{kVersion});
  writer.optional("name", patch.name);
  if (patch.data != Rows{}) {
    auto rows = patch.data;
    out.name("data").open('{');
    members(writer, rows);
    out.close('}');
  }
  out.name("edits").open('[');
  for (auto edit : patch.edits) {
    out.open('{').name("op").text(kOps[edit.change.index()]);
    members(writer, edit);
    out.close('}');
  }
  out.close(']').close('}');
  return std::move(out).take();
}

std::vector<std::uint64_t> scenes_of(const Patch& patch) {
  std::vector<std::uint64_t> out;
  for (const auto& edit : patch.edits) out.push_back(edit.scene);
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

void check_data(const Patch& patch, const Rows& found) {
  for (std::size_t i = 0; i < patch.edits.size() && found.scenes; ++i) {
    const auto scene = patch.edits[i].scene;
    if (scene >= *found.scenes)
      fail_index({"patch: edits[", i, "]: scene "}, scene, *found.scenes);
  }
  check_rows("scenes", patch.data.scenes, found.scenes);
  check_rows("frames", patch.data.frames, found.frames);
  check_rows("agents", patch.data.agents, found.agents);
}

}  // namespace bev::patch
