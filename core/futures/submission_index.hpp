#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/error.hpp"
#include "include/bevscope/byte_range.hpp"

// Submissions, found without being read whole: those to the Waymo Open
// Dataset Challenges here, files of our own form in own_csv.hpp and own_npz.hpp.
// Reference  waymo-open-dataset, protos/sim_agents_submission.proto and
//            motion_submission.proto (proto2).

namespace bev::futures {

/// What a submission's scenarios contain. The type that submissions state does not tell
/// them apart (it is 1 in both messages), their structure does.
enum class SubmissionKind : std::uint8_t {
  unknown,      ///< no scenario has contents
  sim_agents,   ///< joint scenes; scenario generation, too, which has more steps
  motion,       ///< modes of single agents
  interaction,  ///< joint modes of two agents
  futures,      ///< joint futures in our own form
  predictions,  ///< modes of single agents in our own form
  nuscenes,     ///< modes of an instance from a sample on, of the nuScenes challenge
  interpret,    ///< modes of a case of the INTERPRET challenge (INTERACTION data set)
};

std::string_view to_string(SubmissionKind kind) noexcept;

/// What a submission states about its model; empty if absent. Account name, authors and
/// e-mail addresses are never read.
struct ModelCard {
  std::string method;       ///< unique_method_name
  std::string affiliation;  ///< as stated
  std::string link;         ///< method_link if it begins with https://
  std::string parameters;   ///< num_model_parameters, a text such as "200K"
  bool operator==(const ModelCard&) const = default;
};

/// The message of one scenario in a file.
struct ScenarioRange {
  std::string id;
  ByteRange bytes;
  bool operator==(const ScenarioRange&) const = default;
};

class OwnForm;

/// One file of a submission: a shard.
struct SubmissionShard {
  std::string name;
  SubmissionKind kind = SubmissionKind::unknown;
  ModelCard card;
  std::vector<ScenarioRange> scenarios;  ///< in the file's order
  std::shared_ptr<const OwnForm> own;    ///< null: a protobuf message
  std::string notice;                    ///< why its side file is ignored; "" if not
};

/// Maximum contents of a shard.
inline constexpr std::size_t kMaxScenarios = 500'000;
inline constexpr std::size_t kMaxScenarioIdBytes = 256;
inline constexpr std::size_t kMaxCardTextBytes = 4'096;
/// Maximum bytes of a scenario, which is read whole: twice what Limits::values take.
inline constexpr std::uint64_t kMaxScenarioBytes = std::uint64_t{512} << 20U;
/// Maximum fields read of a scenario until its id is known, and of a shard besides its
/// scenarios.
inline constexpr std::size_t kMaxFields = 10'000;

/// Bytes requested at the head of a message, which hold tag, length and an id of 16
/// characters; and instead of these where messages are shorter than that.
inline constexpr std::uint64_t kHeadBytes = 48;
inline constexpr std::uint64_t kWindowBytes = std::uint64_t{64} << 10U;

/// Finds the scenarios of a shard from ranges that the host supplies: the head of each
/// scenario, and consecutive windows where scenarios are small. Fields may be in any
/// order; a scenario whose id follows its contents takes a range per joint scene.
///
/// Throws  corrupt_chunk for a truncated field, a group, a scenario without an id and
///         text that is not UTF-8; invalid_metadata for an id that occurs twice;
///         limit_exceeded above a limit. Messages name the shard and the byte.
class SubmissionIndexer {
 public:
  /// @param name       of the shard, in messages
  /// @param file_size  in bytes
  SubmissionIndexer(std::string name, std::uint64_t file_size);

  /// Returns the range to supply next; nullopt once the index is complete.
  std::optional<ByteRange> missing() const;

  /// Supplies all bytes of missing().
  void supply(std::span<const std::byte> bytes);

  /// Returns the complete index. Call once, last.
  SubmissionShard take();

 private:
  struct Field {
    std::uint32_t number = 0, wire_type = 0;
    std::uint64_t begin = 0, length = 0;  // of the value
    std::uint64_t end() const noexcept { return begin + length; }
    bool is_message(std::uint32_t n) const noexcept {
      return number == n && wire_type == 2;
    }
  };

  void run();
  std::optional<Field> next_field();
  std::optional<std::uint64_t> varint(std::uint64_t& at, std::uint64_t limit);
  std::optional<std::string> text(const Field& field, std::size_t limit,
                                  const char* what);
  void request(std::uint64_t end);
  bool visit(const Field& field);
  bool visit_submission(const Field& field);
  bool visit_scenario(const Field& field);
  void visit_trajectory(const Field& field);
  void enter(const Field& field);
  void end_message();
  void finish();
  [[noreturn]] void corrupt(Message problem) const;

  SubmissionShard out_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;             // of the next field
  std::vector<std::uint64_t> ends_;  // of the messages around it, outermost first
  ByteRange scenario_;
  std::string id_;
  std::size_t fields_ = 0, other_fields_ = 0;
  std::uint64_t last_length_ = kWindowBytes;  // of a field of the submission
  ByteRange missing_;                         // empty: complete
  ByteRange window_;                          // the bytes in memory
  std::vector<std::byte> bytes_;
};

/// Checks a complete index.
///
/// @param expected  what the file is not if it has no scenarios
/// Throws  invalid_metadata for no scenarios, and an id that occurs twice; limit_exceeded
///         for a scenario above kMaxScenarioBytes
void check_scenarios(const SubmissionShard& shard, std::string_view expected);

/// A submission: its shards in the given order.
struct Submission {
  SubmissionKind kind = SubmissionKind::unknown;
  ModelCard card;
  std::vector<SubmissionShard> shards;

  /// Where a scenario is.
  struct Place {
    std::size_t shard = 0, scenario = 0;
  };

  std::size_t size() const noexcept { return order_.size(); }

  /// Returns why side files were ignored.
  std::vector<std::string> notices() const;

  /// Returns the place of a scenario; nullopt if the submission lacks it.
  std::optional<Place> find(std::string_view scenario_id) const noexcept;

  /// Returns the scenario at a place.
  const ScenarioRange& at(Place place) const {
    return shards.at(place.shard).scenarios.at(place.scenario);
  }

 private:
  friend Submission joined_shards(std::vector<SubmissionShard> shards);
  std::vector<Place> order_;  // by id
};

/// Joins the shards of one submission.
///
/// Throws  invalid_metadata, naming shards and scenario, for a scenario in two shards,
///         and shards of other kinds or other model cards; invalid_argument for none.
Submission joined_shards(std::vector<SubmissionShard> shards);

}  // namespace bev::futures
