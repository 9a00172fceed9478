#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace bev::batch {

/// Work on a data set, divided into tasks that engines may run in any order, anywhere, and
/// more than once. A task is a JSON object that only its job understands; it owns whole
/// objects of the output.
///
/// Equal jobs on equal data sets have equal plans, and so equal ids.
class Plan {
 public:
  static constexpr std::size_t kMaxTasks = 1'000'000;
  static constexpr std::size_t kMaxTask = 4096;                    ///< bytes
  static constexpr std::size_t kMaxJob = std::size_t{1} << 20;     ///< bytes
  static constexpr std::size_t kMaxJson = std::size_t{256} << 20;  ///< bytes
  static constexpr std::string_view kFormat = "bevscope batch plan";

  /// @param job          a JSON object, with the member "job": the job's name
  /// @param fingerprint  of the data set, not empty
  /// @param tasks        JSON objects, in order
  /// Throws  invalid_argument for text that is not such; limit_exceeded above a limit
  static Plan make(std::string_view job, std::string_view fingerprint,
                   const std::vector<std::string>& tasks);

  /// Parses the text of to_json().
  ///
  /// @param where  its path, for messages
  /// Throws  invalid_metadata, also for an id that is not that of job and fingerprint;
  ///         limit_exceeded above a limit
  static Plan parse(std::string_view json, std::string_view where);

  /// Returns the plan with sorted members: equal plans have equal text.
  std::string to_json() const;

  /// Returns the SHA-256 of job and fingerprint, 64 hexadecimal digits.
  const std::string& id() const noexcept { return id_; }

  const std::string& job() const noexcept { return job_; }
  const std::string& fingerprint() const noexcept { return fingerprint_; }
  const std::vector<std::string>& tasks() const noexcept { return tasks_; }

 private:
  Plan() = default;

  std::string id_;
  std::string job_;  // JSON with sorted members
  std::string fingerprint_;
  std::vector<std::string> tasks_;  // JSON with sorted members
};

}  // namespace bev::batch
