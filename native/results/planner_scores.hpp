#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "native/export/row_writer.hpp"

namespace bev::native {

/// Whether paths are of tables of nuPlan's metrics: the first file by its columns, a folder
/// by one of the *.parquet below it.
bool are_planner_scores(const std::vector<std::string>& paths);

/// Writes a row for each planner and scenario: the metrics of all files, *.parquet below
/// folders. Returns a summary: the scenarios that all planners have, and of each planner
/// the number of its own, and its means over those of all, which compare planners.
///
///     {"scenarios": 2, "planners": {"idm": {"scenarios": 3, "means": {"score": 0.5}}}}
///
/// Throws  not_found for a path that does not exist and a folder without such files; io;
///         errors of futures::ScoreReader and make_row_writer()
nlohmann::json write_planner_scores(const std::vector<std::string>& paths,
                                    const std::string& format, const Write& write);

}  // namespace bev::native
