#include "core/simulation/reader.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/json_place.hpp"
#include "core/base/json_tree.hpp"
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

bool is_pickle(std::span<const std::byte> bytes) {
  constexpr unsigned kProtocol = 0x80, kFirst = 2, kLast = 5;
  if (bytes.size() < 2 || static_cast<unsigned>(bytes[0]) != kProtocol) return false;
  const auto protocol = static_cast<unsigned>(bytes[1]);
  return protocol >= kFirst && protocol <= kLast;
}

/// Returns plain data of a pickle as a tree. A memo can refer to a value again and again:
/// the values are counted as if each were copied.
class Plain {
 public:
  explicit Plain(std::string_view where) : where_(where) {}

  nlohmann::json tree(Value value, int depth = 0) {
    if (depth > kMaxJsonDepth || ++count_ > kMaxMessageValues) {
      fail_at(Errc::limit_exceeded, where_, {"too many values, or nested too deeply"});
    }
    if (value.is(Kind::dict)) return object(value, depth);
    if (value.is(Kind::list) || value.is(Kind::tuple)) {
      auto out = nlohmann::json::array();
      for (const auto item : value.items()) out.push_back(tree(item, depth + 1));
      return out;
    }
    if (value.is_none()) return nullptr;
    if (const auto found = value.boolean()) return *found;
    if (const auto found = value.integer()) {
      if (*found >= 0) return static_cast<std::uint64_t>(*found);
      return *found;
    }
    if (const auto found = value.text()) return std::string(*found);
    if (const auto found = values_.number(value)) return *found;
    // What scenes have no use for, such as colours, stays without meaning.
    return {{"class", value.describe()}};
  }

 private:
  nlohmann::json object(Value dict, int depth) {
    auto out = nlohmann::json::object();
    const auto all = dict.items();
    for (auto item = all.begin(); item != all.end(); ++item) {
      const auto key = (*item).text();
      ++item;
      if (key) out[std::string(*key)] = tree(*item, depth + 1);
    }
    return out;
  }

  std::string_view where_;
  convert::PickledValues values_{where_, kMaxMessageValues};
  std::size_t count_ = 0;
};

/// Returns whether it was a log.
bool add_pickle(std::span<const std::byte> bytes, std::string_view where, Builder& to) {
  constexpr std::string_view kAll[] = {"*"};  // they are names, and are not looked up
  const auto pickle = pickle::read(bytes, where, {.globals = kAll, .cycles = true});
  const auto root = pickle.root();
  if (root.is(Kind::dict) || root.is(Kind::list)) {
    add_scenes(Plain(where).tree(root), where, to);
    return false;
  }
  add_log(root, where, to);
  return true;
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
}

void Reader::add(std::span<const std::byte> file, std::string_view where) {
  if (file.size() > kMaxBytes) {
    fail_at(Errc::limit_exceeded, where,
            {"too large (expected at most ", kMaxBytes, " bytes)"});
  }
  const auto content = content_of(file);
  if (is_json(file)) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()),
                                file.size());
    add_scenes(json_document(text, where, kMaxBytes), where, to_);
  } else if (content == Content::scenes) {
    add_scenes(read_message_pack(file, where), where, to_);
  } else if (content == Content::log) {
    const auto packed = packed_bytes(file);
    is_log_ = add_pickle(packed.empty() ? file : packed, where, to_) || is_log_;
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
