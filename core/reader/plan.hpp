#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/reader/expression.hpp"
#include "core/reader/sample_items.hpp"

namespace bev::reader {

/// What becomes of a window that reaches beyond its scene, or whose track is not
/// visible in all of its frames.
enum class Edges : std::uint8_t {
  drop,   ///< there is no such window
  pad,    ///< absent rows are zeros; "window.mask" says which rows are present
  clamp,  ///< absent rows repeat the nearest present row; "window.mask" as for pad
};

/// A window around each row: the same frame or track, `past` frames before to `future`
/// frames after, always within one scene.
struct Window {
  /// Maximum number of rows of a window.
  static constexpr std::uint32_t kMaxLength = 10'000;

  std::uint32_t past = 0;
  std::uint32_t future = 0;
  std::uint32_t step = 1;    ///< frames from one row of the window to the next
  std::uint32_t stride = 1;  ///< only every stride-th frame of a scene has windows
  bool overlap = true;       ///< otherwise no row is in two windows of a track
  Edges edges = Edges::drop;
  /// Windows with a longer time between two rows are not complete; see Edges.
  std::optional<double> max_gap_s = std::nullopt;
  /// The same for a table without frames: the difference of an integer field of it, in
  /// the field's unit.
  std::string time = {};
  std::optional<double> max_gap = std::nullopt;
  /// Fields by offset in rows, instead of all fields in all rows; ascending.
  std::vector<std::pair<std::int32_t, std::vector<std::string>>> fields_at = {};

  std::uint32_t length() const noexcept { return past + 1 + future; }
  bool operator==(const Window&) const = default;
};

/// Order of the items of an epoch.
enum class OrderMode : std::uint8_t {
  none,    ///< as stored
  tracks,  ///< scenes as stored, and in each the items of a track after another
  blocks,  ///< blocks (scenes or chunks) permuted, and items within a few blocks
  full,    ///< all items permuted; a filter is applied to all rows first
};

struct Order {
  OrderMode mode = OrderMode::none;
  std::uint64_t seed = 0;
  std::uint32_t group = 8;  ///< blocks whose items are permuted together
  bool repeat = false;      ///< every epoch has the order of epoch 0

  /// Returns whether blocks follow each other as stored.
  bool keeps_blocks() const noexcept {
    return mode == OrderMode::none || mode == OrderMode::tracks;
  }
  bool operator==(const Order&) const = default;
};

/// How items are divided among shards.
enum class ShardMode : std::uint8_t {
  strided,  ///< item i belongs to shard i mod count; counts differ by at most 1
  blocks,   ///< by position of the block in the epoch's order
  scene,    ///< by number of the scene or chunk, equal in all epochs
};

/// How shards get equal numbers of items.
enum class Equal : std::uint8_t {
  none,
  drop,  ///< the last items of longer shards are left out
  pad,   ///< shorter shards repeat their first items; "padded" says which
};

struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
  ShardMode mode = ShardMode::strided;
  Equal equal = Equal::none;
  bool allow_empty = false;  ///< otherwise a shard without items is an error

  bool operator==(const Shard&) const = default;
};

struct Batch {
  static constexpr std::uint64_t kMaxSize = 1'000'000;
  static constexpr std::uint64_t kSamples = 16;  ///< default size for samples

  std::uint64_t size = 256;
  bool drop_last = false;
  /// One batch per block, of all its items and possibly empty: for counting and for
  /// reports of progress. Not with permuted blocks.
  bool by_block = false;

  bool operator==(const Batch&) const = default;
};

/// What becomes of blocks (scenes, or chunks of other tables) with damaged chunks.
enum class OnDamage : std::uint8_t {
  fail,  ///< reading fails
  skip,  ///< they have no items, and are reported
};

/// Conversion of the values of a batch.
enum class Transform : std::uint8_t {
  none,
  /// centroid, velocity and yaw in the frame of the item's agent, in a window that of
  /// the chosen row: the centroid is the origin, +x is ahead.
  agent_frame,
};

/// What a reader reads: rows -> filter -> windows -> order -> shard -> batches. A
/// value; nothing is opened.
struct Plan {
  static constexpr std::size_t kMaxBytes = 200'000;  ///< of the JSON
  static constexpr std::size_t kMaxFields = 1'000;

  std::string from = "agents";  ///< path of an array
  std::optional<Expression> where = std::nullopt;
  /// Columns of the result, by default the table's stored fields; of samples their arrays,
  /// by default all.
  std::optional<std::vector<std::string>> fields = std::nullopt;
  std::optional<SampleItems> sample = std::nullopt;  ///< samples instead of rows
  std::optional<Window> window = std::nullopt;
  Order order = {};
  Shard shard = {};
  Batch batch = {};
  OnDamage on_damage = OnDamage::fail;
  Transform transform = Transform::none;

  bool operator==(const Plan&) const = default;
};

/// Parses a plan's JSON. All members are optional: {"from": "agents", "where": text or
/// tree, "fields": [...], "window": {...}, "order": {...}, "shard": {...}, "batch":
/// {...}, "on_damage": "fail", "transform": "agent_frame", "sample": {...}}, with the
/// names of the members of Plan.
///
/// Throws  invalid_argument for unknown members and invalid values; the message names
///         the path: "plan.window.edges"; limit_exceeded for too long a text.
Plan plan_from_json(std::string_view json);

/// Returns the plan as JSON, with all members.
std::string to_json(const Plan& plan);

/// A reader's position, to be resumed by another reader of the same data and plan, with
/// any other number of strided shards.
struct Position {
  std::uint64_t epoch = 0;
  /// Items of the epoch that were read by all shards together (strided), or by this
  /// shard.
  std::uint64_t items = 0;

  bool operator==(const Position&) const = default;
};

/// Returns a position as JSON of less than 1 KB.
///
/// @param data  fingerprint of the data set
std::string state_json(const Plan& plan, std::uint64_t data, const Position& position);

/// Returns the position of a state.
///
/// Throws  invalid_argument if it is none, or if it belongs to other data or to a plan
///         that reads other items; the message names the difference.
Position position_from(std::string_view state, const Plan& plan, std::uint64_t data);

}  // namespace bev::reader
