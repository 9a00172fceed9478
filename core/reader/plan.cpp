#include "core/reader/plan.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <span>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/reader/hash.hpp"
#include "core/reader/json_members.hpp"
#include "core/zarr/json_view.hpp"

namespace bev::reader {
namespace {

using nlohmann::json;
using zarr::JsonView;

constexpr Names<Edges, 3> kEdges{
    {{"drop", Edges::drop}, {"pad", Edges::pad}, {"clamp", Edges::clamp}}};
constexpr Names<OrderMode, 4> kOrders{{{"none", OrderMode::none},
                                       {"tracks", OrderMode::tracks},
                                       {"blocks", OrderMode::blocks},
                                       {"full", OrderMode::full}}};
constexpr Names<ShardMode, 3> kShards{{{"strided", ShardMode::strided},
                                       {"blocks", ShardMode::blocks},
                                       {"scene", ShardMode::scene}}};
constexpr Names<Equal, 3> kEqual{
    {{"none", Equal::none}, {"drop", Equal::drop}, {"pad", Equal::pad}}};
constexpr Names<OnDamage, 2> kOnDamage{
    {{"fail", OnDamage::fail}, {"skip", OnDamage::skip}}};

constexpr Names<Transform, 2> kTransforms{
    {{"none", Transform::none}, {"agent_frame", Transform::agent_frame}}};

constexpr auto kMaxCount = std::uint64_t{std::numeric_limits<std::uint32_t>::max()};
constexpr auto kMax53 = std::uint64_t{1} << 53;

std::vector<std::string> names_from(JsonView list, const std::string& path) {
  if (!list.is_list() || list.size() > Plan::kMaxFields) {
    fail_value(path, list, joined({"a list of at most ", Plan::kMaxFields, " names"}));
  }
  std::vector<std::string> out;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto name = list.at(i).text();
    if (!name || name->empty()) {
      fail_value(joined({path, "[", i, "]"}), list.at(i), "a name");
    }
    out.emplace_back(*name);
  }
  return out;
}

/// Returns the integer that `text` spells; nullopt if it spells none.
std::optional<std::int32_t> offset_from(std::string_view text) {
  const auto value = parse_real(text);
  if (!value || *value < -1e9 || *value > 1e9) return std::nullopt;
  const auto whole = static_cast<std::int32_t>(*value);
  if (std::to_string(whole) != text) return std::nullopt;
  return whole;
}

void read_fields_at(JsonView value, const std::string& path, Window& out) {
  if (value.is_null()) return;
  if (!value.is_object() || value.size() > Plan::kMaxFields) {
    fail_value(path, value, "an object of offsets");
  }
  const auto past = -static_cast<std::int64_t>(out.past);
  for (const auto& [name, fields] : value.json().items()) {
    const auto offset = offset_from(name);
    if (!offset || *offset < past || *offset > std::int64_t{out.future}) {
      fail_at(Errc::invalid_argument, path,
              {"invalid offset (found ", name.substr(0, 60), ", expected ", past,
               " to ", out.future, ")"});
    }
    out.fields_at.emplace_back(*offset, names_from(fields, joined({path, ".", name})));
  }
  std::sort(out.fields_at.begin(), out.fields_at.end());
}

void read_gap(const Members& members, Window& out) {
  const auto time = members["time"];
  const auto gap = members["max_gap"];
  if (time.is_null() && gap.is_null()) return;
  const auto name = time.text();
  if (!name || name->empty()) fail_value(members.path("time"), time, "a field's name");
  out.time = *name;
  out.max_gap = gap.number();
  if (!out.max_gap || !(*out.max_gap >= 0)) {
    fail_value(members.path("max_gap"), gap, "a difference of at least 0");
  }
}

Window window_from(JsonView value) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "past",  "future",    "step",      "stride", "overlap",
      "edges", "max_gap_s", "fields_at", "time",   "max_gap"};
  const Members members(value, "plan.window", kKnown);
  Window out;
  members.count("past", out.past, 0, Window::kMaxLength - 1);
  members.count("future", out.future, 0, Window::kMaxLength - 1);
  if (out.length() > Window::kMaxLength) {
    fail(Errc::limit_exceeded, {"plan.window: too long (found ", out.length(),
                                " rows, limit ", Window::kMaxLength, ")"});
  }
  members.count("step", out.step, 1, kMaxCount / Window::kMaxLength);
  members.count("stride", out.stride, 1, kMaxCount);
  members.flag("overlap", out.overlap);
  members.choice("edges", out.edges, kEdges);
  if (const auto gap = members["max_gap_s"]; !gap.is_null()) {
    out.max_gap_s = gap.number();
    if (!out.max_gap_s || !(*out.max_gap_s > 0)) {
      fail_value(members.path("max_gap_s"), gap, "seconds above 0");
    }
  }
  read_gap(members, out);
  read_fields_at(members["fields_at"], members.path("fields_at"), out);
  return out;
}

Order order_from(JsonView value) {
  static constexpr std::array<std::string_view, 4> kKnown{"mode", "seed", "group",
                                                          "repeat"};
  const Members members(value, "plan.order", kKnown);
  Order out;
  members.choice("mode", out.mode, kOrders);
  members.count("seed", out.seed, 0, kMax53);
  members.count("group", out.group, 1, 100'000);
  members.flag("repeat", out.repeat);
  return out;
}

Shard shard_from(JsonView value) {
  static constexpr std::array<std::string_view, 5> kKnown{"index", "count", "mode",
                                                          "equal", "allow_empty"};
  const Members members(value, "plan.shard", kKnown);
  Shard out;
  members.count("count", out.count, 1, kMaxCount);
  members.count("index", out.index, 0, out.count - 1);
  members.choice("mode", out.mode, kShards);
  members.choice("equal", out.equal, kEqual);
  members.flag("allow_empty", out.allow_empty);
  return out;
}

Batch batch_from(JsonView value, std::uint64_t default_size) {
  static constexpr std::array<std::string_view, 3> kKnown{"size", "drop_last",
                                                          "by_block"};
  const Members members(value, "plan.batch", kKnown);
  Batch out;
  out.size = default_size;
  members.count("size", out.size, 1, Batch::kMaxSize);
  members.flag("drop_last", out.drop_last);
  members.flag("by_block", out.by_block);
  return out;
}

void check_samples(const Plan& plan) {
  if (plan.from != "agents" && plan.from != "frames") {
    fail(Errc::invalid_argument, {"plan.sample: not supported for ", plan.from,
                                  " (expected agents or frames)"});
  }
  const auto* other = plan.window                            ? "window"
                      : plan.order.mode == OrderMode::tracks ? "order.mode tracks"
                      : plan.transform != Transform::none    ? "transform"
                      : plan.on_damage != OnDamage::fail     ? "on_damage"
                      : plan.batch.by_block                  ? "batch.by_block"
                                                             : nullptr;
  if (other == nullptr) return;
  fail(Errc::invalid_argument, {"plan.sample: cannot be combined with plan.", other});
}

void check_combination(const Plan& plan) {
  if (plan.sample) check_samples(plan);
  const auto mode = plan.order.mode;
  if (plan.batch.by_block && !plan.order.keeps_blocks()) {
    fail(Errc::invalid_argument,
         {"plan.batch.by_block: needs order \"none\" or \"tracks\""});
  }
  if (plan.shard.mode == ShardMode::blocks && mode == OrderMode::full) {
    fail(
        Errc::invalid_argument,
        {"plan.shard.mode: \"blocks\" needs order \"none\", \"tracks\" or \"blocks\""});
  }
  const bool checks_blocks = mode == OrderMode::none || mode == OrderMode::blocks;
  if (plan.on_damage == OnDamage::skip && !checks_blocks) {
    fail(Errc::invalid_argument,
         {"plan.on_damage: \"skip\" needs order \"none\" or \"blocks\""});
  }
  if (plan.window && !plan.window->fields_at.empty() && plan.fields) {
    fail(Errc::invalid_argument,
         {"plan.fields: cannot be combined with plan.window.fields_at"});
  }
}

json window_json(const Window& window) {
  json out{{"past", window.past},       {"future", window.future},
           {"step", window.step},       {"stride", window.stride},
           {"overlap", window.overlap}, {"edges", name_of(kEdges, window.edges)}};
  if (window.max_gap_s) out["max_gap_s"] = *window.max_gap_s;
  if (window.max_gap) {
    out["time"] = window.time;
    out["max_gap"] = *window.max_gap;
  }
  if (!window.fields_at.empty()) {
    auto& at = out["fields_at"] = json::object();
    for (const auto& [offset, fields] : window.fields_at) {
      at[std::to_string(offset)] = fields;
    }
  }
  return out;
}

json order_json(const Order& order) {
  return {{"mode", name_of(kOrders, order.mode)},
          {"seed", order.seed},
          {"group", order.group},
          {"repeat", order.repeat}};
}

std::string hex(std::uint64_t value) {
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) {
    out += "0123456789abcdef"[value >> shift & 15];
  }
  return out;
}

std::string hash_text(const std::string& text) {
  return hex(hash_of(std::as_bytes(std::span(text)), 0)).substr(0, 8);
}

json parsed(std::string_view text, std::string_view thing) {
  return parsed_json(text, thing, Plan::kMaxBytes);
}

/// What the items and their order depend on, by the name of the plan's member.
json identity(const Plan& plan) {
  // A state has less than 1 KB.
  constexpr std::size_t kMaxPath = 200;
  json out{{"from", plan.from.size() <= kMaxPath ? plan.from : hash_text(plan.from)},
           {"where", hash_text(plan.where ? to_json(*plan.where) : "")},
           {"window", hash_text(plan.window ? window_json(*plan.window).dump() : "")},
           {"order", hash_text(order_json(plan.order).dump())},
           {"on_damage", name_of(kOnDamage, plan.on_damage)}};
  if (plan.sample) out["sample"] = hash_text(sample_items_json(*plan.sample).dump());
  if (plan.shard.mode != ShardMode::strided) {
    out["shard"] = joined({name_of(kShards, plan.shard.mode), " ", plan.shard.index,
                           " of ", plan.shard.count});
  } else {
    out["shard"] = "strided";
  }
  return out;
}

}  // namespace

Plan plan_from_json(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kKnown{
      "from",  "where", "fields",    "window",    "order",
      "shard", "batch", "on_damage", "transform", "sample"};
  const auto tree = parsed(text, "plan");
  const Members members(tree, "plan", kKnown);
  Plan out;
  if (const auto from = members["from"]; !from.is_null()) {
    if (!from.text()) fail_value("plan.from", from, "the path of an array");
    out.from = *from.text();
  }
  if (const auto where = members["where"]; !where.is_null()) {
    out.where = where.text() ? parse_filter(*where.text())
                             : filter_from_json(where.json().dump());
  }
  if (const auto fields = members["fields"]; !fields.is_null()) {
    out.fields = names_from(fields, "plan.fields");
  }
  if (const auto window = members["window"]; !window.is_null()) {
    out.window = window_from(window);
  }
  if (const auto order = members["order"]; !order.is_null()) {
    out.order = order_from(order);
  }
  if (const auto shard = members["shard"]; !shard.is_null()) {
    out.shard = shard_from(shard);
  }
  if (const auto sample = members["sample"]; !sample.is_null()) {
    out.sample = sample_items_from(sample);
    out.batch.size = Batch::kSamples;
  }
  if (const auto batch = members["batch"]; !batch.is_null()) {
    out.batch = batch_from(batch, out.batch.size);
  }
  members.choice("on_damage", out.on_damage, kOnDamage);
  members.choice("transform", out.transform, kTransforms);
  check_combination(out);
  return out;
}

std::string to_json(const Plan& plan) {
  json out{{"from", plan.from},
           {"order", order_json(plan.order)},
           {"shard",
            {{"index", plan.shard.index},
             {"count", plan.shard.count},
             {"mode", name_of(kShards, plan.shard.mode)},
             {"equal", name_of(kEqual, plan.shard.equal)},
             {"allow_empty", plan.shard.allow_empty}}},
           {"batch",
            {{"size", plan.batch.size},
             {"drop_last", plan.batch.drop_last},
             {"by_block", plan.batch.by_block}}},
           {"on_damage", name_of(kOnDamage, plan.on_damage)}};
  if (plan.where) out["where"] = parsed(to_json(*plan.where), "plan.where");
  if (plan.fields) out["fields"] = *plan.fields;
  if (plan.window) out["window"] = window_json(*plan.window);
  if (plan.sample) out["sample"] = sample_items_json(*plan.sample);
  if (plan.transform != Transform::none) {
    out["transform"] = name_of(kTransforms, plan.transform);
  }
  return out.dump();
}

std::string state_json(const Plan& plan, std::uint64_t data, const Position& position) {
  return json{{"version", 1},
              {"plan", identity(plan)},
              {"data", hex(data)},
              {"epoch", position.epoch},
              {"items", position.items}}
      .dump();
}

Position position_from(std::string_view text, const Plan& plan, std::uint64_t data) {
  const auto tree = parsed(text, "state");
  const JsonView state(tree);
  const auto epoch = state["epoch"].count();
  const auto items = state["items"].count();
  if (!state["version"].is(1) || !epoch || !items || !state["plan"].is_object()) {
    fail(Errc::invalid_argument, {"state: not a reader's state"});
  }
  std::string different;
  const auto expected = identity(plan);
  for (const auto& [name, value] : expected.items()) {
    if (state["plan"][name].is(value.get<std::string>())) continue;
    different += (different.empty() ? "" : ", ") + name;
  }
  if (!plan.sample && !state["plan"]["sample"].is_null()) {
    different += joined({different.empty() ? "" : ", ", "sample"});
  }
  if (!different.empty()) {
    fail(Errc::invalid_argument,
         {"state: belongs to another plan (different: ", different, ")"});
  }
  if (!state["data"].is(hex(data))) {
    fail(Errc::changed,
         {"state: belongs to other data (found ", state["data"].dump().substr(0, 40),
          ", expected ", hex(data), ")"});
  }
  return {*epoch, *items};
}

}  // namespace bev::reader
