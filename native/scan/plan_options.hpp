#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/scan/reader_query.hpp"
#include "native/cli/arguments.hpp"

// The options of commands that choose rows: scan, count and describe.

namespace bev::native {

/// Returns the options that choose rows, `own`, and those of reading.
std::vector<cli::Option> with_plan_options(std::vector<cli::Option> own);

/// Returns the plan as JSON, see reader::plan_from_json.
///
/// Throws  UsageError
std::string plan_from(const cli::Arguments& arguments);

/// Returns the only operand. Throws UsageError if there is not exactly one.
const std::string& dataset_of(const cli::Arguments& arguments);

/// Called with the blocks that are done, and all blocks.
using ShowProgress = std::function<void(std::uint64_t done, std::uint64_t all)>;

/// Called with each block that was left out because of a damaged chunk.
using ShowSkipped = std::function<void(const ReaderQuery::SkippedBlock&)>;

/// What a command shows while it reads.
struct Shown {
  ShowProgress progress = {};
  ShowSkipped skipped = {};
};

/// Returns callbacks that show progress on a terminal, and warn of skipped blocks. No
/// progress is shown if standard error is not a terminal, or if the output goes to the
/// same one.
Shown shown_by(const char* command, bool quiet, bool to_stdout);

}  // namespace bev::native
