#include "core/simulation/reader.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/json_place.hpp"
#include "core/base/json_tree.hpp"
#include "core/convert/json_items.hpp"
#include "core/convert/pickled_values.hpp"
#include "core/pickle/read.hpp"
#include "core/simulation/message_pack.hpp"
#include "core/simulation/scenes.hpp"

namespace bev::simulation {
namespace {

using pickle::Kind;
using pickle::Value;

constexpr std::array<unsigned char, 6> kXz{0xfd, '7', 'z', 'X', 'Z', 0};
constexpr std::size_t kFreeBytes = std::size_t{16} << 20U;
constexpr std::uint64_t kMaxRatio = 200;
/// A pickle may have so many opcodes, which make up to 40 bytes each, and more for each
/// stored byte. Logs of 150 frames have some millions, and megabytes.
constexpr std::uint64_t kFreeOpcodes = std::uint64_t{1} << 19U, kOpcodesPerByte = 16;
constexpr std::size_t kMaxPlainNumbers = 20'000'000;
/// Bytes of text that count as a value.
constexpr std::size_t kTextBytes = 16;

bool is_pickle(std::span<const std::byte> bytes) {
  constexpr unsigned kProtocol = 0x80, kFirst = 2, kLast = 5;
  if (bytes.size() < 2 || static_cast<unsigned>(bytes[0]) != kProtocol) return false;
  const auto protocol = static_cast<unsigned>(bytes[1]);
  return protocol >= kFirst && protocol <= kLast;
}

/// Returns plain data of a pickle as trees. A memo can refer to a value again and again:
/// the values of each tree are counted as if each were copied.
class Plain {
 public:
  explicit Plain(std::string_view where) : where_(where) {}

  nlohmann::json tree(Value value) {
    count_ = 0;
    return below(value, 0);
  }

 private:
  void count(std::size_t values, int depth = 0) {
    count_ += values;
    if (depth <= kMaxJsonDepth && count_ <= kMaxSceneValues) return;
    fail_at(Errc::limit_exceeded, where_, {"too many values, or nested too deeply"});
  }

  nlohmann::json below(Value value, int depth) {
    count(1, depth);
    if (value.is(Kind::dict)) return object(value, depth);
    if (value.is(Kind::list) || value.is(Kind::tuple)) {
      auto out = nlohmann::json::array();
      for (const auto item : value.items()) out.push_back(below(item, depth + 1));
      return out;
    }
    if (value.is_none()) return nullptr;
    if (const auto found = value.boolean()) return *found;
    if (const auto found = value.integer()) {
      if (*found >= 0) return static_cast<std::uint64_t>(*found);
      return *found;
    }
    if (const auto found = value.text()) return copied(*found);
    if (const auto found = values_.number(value)) return *found;
    // What scenes have no use for, such as colours, stays without meaning.
    return {{"class", copied(value.describe())}};
  }

  std::string copied(std::string_view text) {
    count(text.size() / kTextBytes);
    return std::string(text);
  }

  nlohmann::json object(Value dict, int depth) {
    auto out = nlohmann::json::object();
    const auto all = dict.items();
    for (auto item = all.begin(); item != all.end(); ++item) {
      const auto key = (*item).text();
      ++item;
      if (key) out[copied(*key)] = below(*item, depth + 1);
    }
    return out;
  }

  std::string_view where_;
  convert::PickledValues values_{where_, kMaxPlainNumbers};
  std::size_t count_ = 0;
};

/// Returns whether it was a log.
bool add_pickle(std::span<const std::byte> bytes, std::string_view where,
                std::uint64_t stored, Builder& to) {
  constexpr std::string_view kAll[] = {"*"};  // they are names, and are not looked up
  pickle::Limits limits;
  limits.max_opcodes = static_cast<std::uint32_t>(std::min<std::uint64_t>(
      limits.max_opcodes, kFreeOpcodes + kOpcodesPerByte * stored));
  const auto pickle =
      pickle::read(bytes, where, {.globals = kAll, .cycles = true}, limits);
  const auto root = pickle.root();
  Plain plain(where);
  if (root.is(Kind::dict)) {
    add_scene(plain.tree(root), where, std::nullopt, to);
  } else if (root.is(Kind::list)) {
    std::size_t index = 0;
    for (const auto scene : root.items()) {
      add_scene(plain.tree(scene), where, index++, to);
    }
  } else {
    add_log(root, where, to);
    return true;
  }
  return false;
}

/// Returns the tree of a scene's text.
///
/// Throws  limit_exceeded for too many values, before there is one: each follows a bracket
///         or a comma
nlohmann::json scene_tree(std::string_view text, std::string_view where) {
  const auto values = std::count_if(text.begin(), text.end(), [](char c) {
    return c == '{' || c == '[' || c == ',';
  });
  if (static_cast<std::size_t>(values) > kMaxSceneValues) {
    fail_at(Errc::limit_exceeded, where,
            {"too many values in a scene (limit ", kMaxSceneValues, ")"});
  }
  return json_document(text, where, convert::JsonItems::kMaxItem);
}

void add_json(std::string_view text, std::string_view where, Builder& to) {
  if (text[text.find_first_not_of(" \t\r\n")] == '{') {
    return add_scene(scene_tree(text, where), where, std::nullopt, to);
  }
  std::size_t index = 0;
  bool is_in_scene = false;
  convert::JsonItems items(convert::JsonItems::Root::array, [&](const auto& item) {
    is_in_scene = true;
    add_scene(scene_tree(item.text, where), where, index++, to);
    is_in_scene = false;
  });
  try {
    items.push(text);
    items.end();
  } catch (const Error& error) {
    if (is_in_scene) throw;  // which is named
    fail_at(error.code(), where, {error.what()});
  }
}

bool is_json(std::span<const std::byte> bytes) {
  for (const auto byte : bytes) {
    const auto c = static_cast<char>(byte);
    if (c == '{' || c == '[') return true;
    if (c != ' ' && c != '\t' && c != '\r' && c != '\n') return false;
  }
  return false;
}

/// Whether MessagePack begins with an array or a map that is not empty.
bool is_container(unsigned format) {
  constexpr unsigned kFirstMap = 0x81, kLastArray = 0x9f, kFirstLong = 0xdc,
                     kLastLong = 0xdf;
  return (format >= kFirstMap && format <= kLastArray) ||
         (format >= kFirstLong && format <= kLastLong);
}

bool is_binary(unsigned format) {
  constexpr unsigned kFirst = 0xc4, kLast = 0xc6;
  return format >= kFirst && format <= kLast;
}

}  // namespace

Content content_of(std::span<const std::byte> head) noexcept {
  const auto is_xz = head.size() >= kXz.size() &&
                     std::equal(kXz.begin(), kXz.end(), head.begin(),
                                [](unsigned char a, std::byte b) {
                                  return a == static_cast<unsigned char>(b);
                                });
  if (is_xz) return Content::xz;
  if (is_json(head)) return Content::scenes;
  if (is_pickle(head)) return Content::log;
  const auto first = head.empty() ? 0U : static_cast<unsigned>(head[0]);
  if (is_binary(first)) return Content::log;
  return is_container(first) ? Content::scenes : Content::other;
}

void Inflated::add(std::span<const std::byte> bytes, std::uint64_t read) {
  const auto size = bytes_.size() + bytes.size();
  if (size > kMaxBytes) {
    fail_at(Errc::limit_exceeded, where_,
            {"too large when inflated (expected at most ", kMaxBytes, " bytes)"});
  }
  if (size > kFreeBytes && size / kMaxRatio > read) {
    fail_at(Errc::limit_exceeded, where_,
            {"inflates too much (found ", size, " bytes of ", read,
             ", expected at most ", kMaxRatio, " of each)"});
  }
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  read_ = read;
}

void Reader::add(std::span<const std::byte> file, std::string_view where,
                 std::uint64_t stored) {
  if (file.size() > kMaxBytes) {
    fail_at(Errc::limit_exceeded, where,
            {"too large (expected at most ", kMaxBytes, " bytes)"});
  }
  const auto content = content_of(file);
  to_.allow(stored);
  if (is_json(file)) {
    add_json({reinterpret_cast<const char*>(file.data()), file.size()}, where, to_);
  } else if (content == Content::scenes) {
    read_message_pack(file, where, kMaxSceneValues,
                      [&](const auto& scene, std::optional<std::size_t> index) {
                        add_scene(scene, where, index, to_);
                      });
  } else if (content == Content::log) {
    const auto packed = packed_bytes(file);
    is_log_ = add_pickle(packed.empty() ? file : packed, where, stored, to_) || is_log_;
  } else {
    fail_at(Errc::unsupported, where,
            {"not a simulation (expected a log or serialized scenes of nuPlan)"});
  }
}

Simulation Reader::finish() {
  auto out = std::move(to_.out());
  if (out.frames.empty()) fail(Errc::invalid_metadata, {"simulation: no frames"});
  std::stable_sort(
      out.frames.begin(), out.frames.end(),
      [](const Frame& a, const Frame& b) { return a.time_us < b.time_us; });
  for (std::size_t i = 1; i < out.frames.size(); ++i) {
    if (out.frames[i - 1].time_us == out.frames[i].time_us) {
      fail(Errc::invalid_metadata, {"simulation: two frames at the same time (",
                                    out.frames[i].time_us, " us)"});
    }
  }
  return out;
}

}  // namespace bev::simulation
