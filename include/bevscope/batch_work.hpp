#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dataset.hpp"
#include "export.hpp"
#include "samples.hpp"

// Batch work: a job on a data set is planned as tasks, which engines run anywhere and in
// any order; a commit joins what they wrote. docs/batch.md describes the documents.

namespace bev {

/// A plan of batch work.
struct WorkPlan {
  std::string id;           ///< SHA-256 of job and fingerprint
  std::string job;          ///< a JSON object; its member "job" is the job's name
  std::string fingerprint;  ///< of the data set
  std::vector<std::string> tasks;  ///< JSON objects of at most 4096 bytes
};

/// An object that was written.
struct WorkObject {
  std::string key;          ///< in the output: "agents_mask/0.5/12.0"
  std::uint64_t bytes = 0;  ///< size
  std::string sha256;       ///< 64 hexadecimal digits
};

/// What a task has done: equal whenever it is repeated.
struct WorkResult {
  std::string plan;                 ///< id of the plan
  std::uint64_t task = 0;           ///< position in the plan
  std::vector<WorkObject> objects;  ///< sorted by key
  std::string report = "{}";        ///< a JSON object, for the job
};

/// Returns a plan as JSON. Equal arguments give equal text.
///
/// Throws  invalid_argument for text that is not JSON, a job without a name, an empty
///         fingerprint; limit_exceeded for a task above 4096 bytes
BEV_EXPORT std::string make_work_plan(std::string_view job,
                                      std::string_view fingerprint,
                                      const std::vector<std::string>& tasks);

/// Reads a plan; `where` is its path, for messages.
///
/// Throws  invalid_metadata, also for an id that is not that of job and fingerprint
BEV_EXPORT WorkPlan read_work_plan(std::string_view json, std::string_view where);

/// Returns a result as JSON.
///
/// Throws  invalid_argument for invalid members, such as a key that leaves the output
BEV_EXPORT std::string make_work_result(const WorkResult& result);

/// Reads a result; `where` is its path, for messages.
///
/// Throws  invalid_metadata
BEV_EXPORT WorkResult read_work_result(std::string_view json, std::string_view where);

/// Returns the manifest of an output: every object with its hash.
///
/// @param results    JSON of the results of all tasks; equal ones count once
/// @param documents  objects that the commit itself has written
/// Throws  invalid_argument for results of another plan, tasks without a result, two
///         results of a task that differ, and two objects with one key
BEV_EXPORT std::string make_work_manifest(std::string_view plan,
                                          const std::vector<std::string>& results,
                                          std::vector<WorkObject> documents);

/// Reads a manifest: id of the plan and objects.
///
/// Throws  invalid_metadata
BEV_EXPORT WorkResult read_work_manifest(std::string_view json, std::string_view where);

/// Stores an object under its key ("agents/3"), replacing the previous one.
using WriteObject = std::function<void(std::string_view, std::span<const std::byte>)>;

/// Returns the path of a mask with these rules: "agents_mask/0.5".
BEV_EXPORT std::string mask_path(const AgentRules& rules);

/// Returns the number of chunks of a mask of so many agents.
BEV_EXPORT std::uint64_t mask_chunk_count(std::uint64_t agent_count);

/// Selects agents as L5Kit's select_agents, for some chunks of the mask
/// agents_mask/THRESHOLD, and writes these. Reads only scenes that overlap them.
///
/// Returns  the report for write_mask_document()
/// Throws   out_of_range for chunks that do not exist; unsupported if the agents of the
///          scenes are not in order; errors of reading, and of `write`
BEV_EXPORT std::string write_mask_chunks(Dataset& dataset, const AgentRules& rules,
                                         const ChunkRange& chunks,
                                         const WriteObject& write);

/// Writes the documents of a mask whose chunks are written.
///
/// @param reports  of write_mask_chunks() of all chunks, in order
/// Returns  numbers of agents by the rule that they failed first, as JSON
/// Throws   unsupported if the agents of the scenes are not in order
BEV_EXPORT std::string write_mask_documents(Dataset& dataset, const AgentRules& rules,
                                            const std::vector<std::string>& reports,
                                            const WriteObject& write);

/// Joins results of Dataset::statistics() of different chunks.
///
/// Throws  invalid_metadata for text that is not statistics; invalid_argument for
///         statistics of arrays that differ
BEV_EXPORT std::string join_statistics(const std::vector<std::string>& parts);

/// Encodes rows as one chunk of an array, padded with its fill value.
///
/// @param zarray  the array's .zarray
/// Throws  invalid_metadata; invalid_argument for more bytes than a chunk has;
///         unsupported for filters
BEV_EXPORT std::vector<std::byte> encode_chunk(std::string_view zarray,
                                               std::span<const std::byte> rows);

}  // namespace bev
