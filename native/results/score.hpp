#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "native/convert/scenario_conversion.hpp"
#include "native/export/row_writer.hpp"
#include "native/results/submission_files.hpp"

namespace bev::native {

/// What to score a submission with, and how.
struct ScoreOptions {
  /// TFRecord files of Waymo or folders of them, or data sets that were converted with
  /// `bevscope convert` (names that end in .zarr or .zip).
  std::vector<std::string> data;
  bool by_rollout = false;     ///< a row per rollout instead of one per scenario
  std::string format = "csv";  ///< or "json", "npy", "arrow"
  std::size_t jobs = 1;        ///< scenarios that are scored at the same time
  ConvertProgress progress = {};
};

/// Scores all scenarios that the data and the submission share, in the order of the data,
/// and writes a row for each. Returns a summary as JSON, with the names of what does not
/// match.
///
/// Memory  `jobs` scenarios and, of motion predictions, 8 bytes per mode and horizon; all
///         rows for npy.
/// Throws  not_found if no scenario of the data is in the submission; errors of the
///         submission and the data
std::string score_submission(const SubmissionFiles& submission,
                             const ScoreOptions& options, const Write& write);

}  // namespace bev::native
