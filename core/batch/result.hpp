#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/batch/plan.hpp"

namespace bev::batch {

/// An object that a task has written.
struct WrittenObject {
  std::string key;  ///< in the output: "agents_mask/0.5/12.0"
  std::uint64_t bytes = 0;
  std::string sha256;  ///< of the bytes, 64 hexadecimal digits

  bool operator==(const WrittenObject&) const = default;
};

/// What a task has done. A repeated task has an equal result: it contains no times and no
/// names of machines.
struct Result {
  static constexpr std::size_t kMaxObjects = 1'000'000;
  static constexpr std::size_t kMaxKey = 1024;                     ///< bytes
  static constexpr std::size_t kMaxJson = std::size_t{256} << 20;  ///< bytes
  static constexpr std::string_view kFormat = "bevscope batch result";

  std::string plan;                    ///< its id
  std::uint64_t task = 0;              ///< position in the plan
  std::vector<WrittenObject> objects;  ///< sorted by key
  std::string report = "{}";           ///< a JSON object, for the job

  /// Returns the result with sorted members, objects sorted by key: equal results have
  /// equal text.
  ///
  /// Throws  invalid_argument for invalid members, such as a key that leaves the output
  std::string to_json() const;

  /// Parses the text of to_json().
  ///
  /// @param where  its path, for messages
  /// Throws  invalid_metadata; limit_exceeded above a limit
  static Result parse(std::string_view json, std::string_view where);

  bool operator==(const Result&) const = default;
};

/// Returns the results of all tasks in the order of the plan. Equal results of one task
/// count once.
///
/// Throws  invalid_argument for results of another plan, for tasks without a result, for
///         two results of a task that differ, and for objects of two tasks with one key
std::vector<Result> in_order(const Plan& plan, std::vector<Result> results);

/// Returns the manifest of an output as JSON: job, plan, and every object with its hash,
/// sorted by key.
///
/// @param results    of all tasks; see in_order()
/// @param documents  written by the commit itself
/// Throws  invalid_argument for invalid members, and for two objects with one key
std::string manifest_json(const Plan& plan, std::span<const Result> results,
                          std::vector<WrittenObject> documents);

/// The objects that a manifest names.
struct Manifest {
  static constexpr std::string_view kFormat = "bevscope batch manifest";

  std::string plan;                    ///< its id
  std::vector<WrittenObject> objects;  ///< sorted by key

  /// Throws  invalid_metadata; limit_exceeded above a limit
  static Manifest parse(std::string_view json, std::string_view where);
};

}  // namespace bev::batch
