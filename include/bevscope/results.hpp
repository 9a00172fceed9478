#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "byte_range.hpp"
#include "export.hpp"

namespace bev {

/// A file of a submission, of which ranges are read.
struct SubmissionFile {
  std::string name;        ///< in messages
  std::uint64_t size = 0;  ///< bytes
  /// Returns all bytes of a range.
  std::function<std::vector<std::byte>(ByteRange)> read;
  std::string side_file{};          ///< text of NAME.index.json; empty: none
  bool is_side_file_older = false;  ///< than the file: it is ignored
};

/// What a submission states about its model; empty if absent. Account and e-mail address
/// are not read.
struct ModelCard {
  std::string method;       ///< name of the method
  std::string affiliation;  ///< of its authors, as stated
  std::string parameters;   ///< their number, a text such as "200K"
  std::string link;         ///< begins with https://, or is empty
};

/// Futures of agents of a scenario: rollouts of a simulation, or modes of a prediction.
///
/// Shapes  R rollouts, A agents, T steps. poses (R, A, V, T), where V is 4: x, y, z, yaw,
///         or 2: x, y. sizes (R, A, 3, T) or (A, 3): length, width, height, or empty.
///         valid (R, A, T), empty if all are. scores (R) or (R, A), or empty.
/// Units   Metres in the scenario's frame, radians (not wrapped). Step t is frame
///         `first_step` + t * `step_stride`.
struct SubmittedFutures {
  std::vector<std::uint64_t> ids;  ///< in the source; the largest number: "AV"
  std::vector<std::string>
      names;                      ///< ids that are texts, which `ids` numbers; or empty
  std::size_t rollouts = 0;       ///< R
  std::size_t steps = 0;          ///< T
  std::size_t pose_values = 4;    ///< V
  std::int64_t first_step = 0;    ///< frame of step 0
  std::uint32_t step_stride = 1;  ///< frames per step
  bool is_joint = true;           ///< rollout r of all agents is one future
  std::vector<float> poses;       ///< in metres and radians
  std::vector<float> sizes;       ///< in metres
  std::vector<float> scores;      ///< confidences as stated
  std::vector<std::uint8_t> valid;  ///< 0 for absent poses
};

/// A submission to the Waymo Open Dataset Challenges (sim agents, scenario generation,
/// motion or interaction prediction), to those of nuScenes and INTERACTION, results of
/// PufferDrive and MTR, or futures as CSV or NPZ: docs/results.md. Its files are indexed,
/// and but for pickles not read whole.
///
/// Thread safety  read() may be called from several threads if the files' functions may.
class BEV_EXPORT Submission {
 public:
  /// Throws  corrupt_chunk, invalid_metadata and limit_exceeded, naming file and scenario;
  ///         invalid_argument for no files; exceptions of the files
  explicit Submission(std::vector<SubmissionFile> files);
  /// Moves it; the other becomes unusable.
  Submission(Submission&& other) noexcept;
  /// Likewise.
  Submission& operator=(Submission&& other) noexcept;
  ~Submission();

  /// Returns "sim agents" (also scenario generation), "motion prediction",
  /// "interaction prediction", "nuScenes prediction", "INTERPRET prediction", "joint
  /// futures", "predictions" or "unknown".
  std::string_view kind() const noexcept;

  /// Returns what the first file states about the model; all files state the same.
  ModelCard card() const;

  /// Returns why side files were ignored.
  std::vector<std::string> notices() const;

  /// Returns the ids of the scenarios, in the order of the files.
  std::vector<std::string> scenarios() const;

  /// Returns the futures of a scenario: of motion predictions one for each agent.
  ///
  /// Throws  not_found; as the constructor
  std::vector<SubmittedFutures> read(std::string_view scenario) const;

 private:
  friend class SubmissionScores;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The scores of a scenario. Metres; shares from 0 to 1; NaN if unknown.
struct SubmissionScore {
  std::string scenario_id;       ///< in the source
  std::uint32_t agents = 0;      ///< that are submitted
  std::uint32_t evaluated = 0;   ///< of these, those that are scored
  std::uint32_t rollouts = 0;    ///< or modes
  std::uint64_t mismatches = 0;  ///< of ids, steps and numbers
  double ade = 0;                ///< mean distance, of all rollouts
  double min_ade = 0;            ///< of the best rollout
  double fde = 0;                ///< distance at the last recorded step
  double min_fde = 0;            ///< of the best rollout
  double collision_rate = 0;     ///< share of rollouts and evaluated agents
};

/// A recorded scene of a data set that was converted from scenarios, or opened as such:
/// its n frames and m agents, as the records have them.
struct RecordedScene {
  std::span<const std::int64_t> timestamps;            ///< (n) nanoseconds
  std::span<const double> ego_translation;             ///< (n, 3)
  std::span<const double> ego_rotation;                ///< (n, 3, 3)
  std::span<const std::int64_t> agent_index_interval;  ///< (n, 2), which m agents fill
  std::span<const std::uint64_t> track_ids;            ///< (m)
  std::span<const double> centroids;                   ///< (m, 2)
  std::span<const float> yaws;                         ///< (m)
  std::span<const float> extents;                      ///< (m, 3)
  std::span<const float> velocities;                   ///< (m, 2)
  std::span<const float> label_probabilities;          ///< (m, 17)
  std::string_view attributes;  ///< the scene's own of `bevscope`, a JSON object
};

/// Scores of a submission's scenarios or futures, or of a planner of nuPlan.
///
/// Shapes  S scenarios, N rows, C columns.
struct ScoreTable {
  std::string name;                      ///< of the planner, or of the file
  bool is_of_planner = false;            ///< else of a file of a submission
  bool is_of_futures = false;            ///< a row per future, else one per scenario
  std::vector<std::string> columns;      ///< (C) names: docs/results.md
  std::vector<std::string> scenarios;    ///< (S) ids
  std::vector<std::uint32_t> first_row;  ///< (S + 1) first row of each scenario
  std::vector<double> values;            ///< (N, C); NaN if missing
};

/// Reads files of scores: what `bevscope score` wrote, as CSV or as its columns in Parquet,
/// and the tables of nuPlan's metrics.
class BEV_EXPORT ScoreReader {
 public:
  /// Begins without files.
  ScoreReader();
  /// Moves it; the other becomes unusable.
  ScoreReader(ScoreReader&& other) noexcept;
  /// Likewise.
  ScoreReader& operator=(ScoreReader&& other) noexcept;
  ~ScoreReader();

  /// Adds a file of at most 256 MiB.
  ///
  /// @param name  of the file, for messages
  /// Throws       unsupported for other files; corrupt_chunk, invalid_metadata and
  ///              limit_exceeded, naming file and row
  void add(std::span<const std::byte> file, std::string_view name);

  /// Returns the tables: one for each file of a submission, then one for each planner,
  /// with the metrics of all files.
  std::vector<ScoreTable> finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// Scores a submission beside recorded scenarios, one after another.
class BEV_EXPORT SubmissionScores {
 public:
  /// Begins without scenarios.
  SubmissionScores();
  /// Moves it; the other becomes unusable.
  SubmissionScores(SubmissionScores&& other) noexcept;
  /// Likewise.
  SubmissionScores& operator=(SubmissionScores&& other) noexcept;
  ~SubmissionScores();

  /// Adds the scores of a recorded scenario; false if the submission lacks it, which is
  /// counted as a mismatch.
  ///
  /// @param record  of a TFRecord file of the Waymo Open Motion data set, with head and
  ///                checksums
  /// @param offset  of the record in the file, for messages
  /// Throws         errors of the record and of Submission::read()
  bool add(const Submission& submission, std::span<const std::byte> record,
           std::uint64_t offset, SubmissionScore& out);

  /// Adds the scores of a scene: of nuScenes those of each of its predictions.
  ///
  /// Throws  invalid_argument for arrays that do not match; invalid_metadata for
  ///         attributes without scenario_id; errors of Submission::read()
  std::vector<SubmissionScore> add(const Submission& submission,
                                   const RecordedScene& scene);

  /// Returns counts, means, motion metrics pooled over all scenarios, and mismatches by
  /// name, as a JSON object.
  std::string json() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace bev
