#pragma once

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/sample/sample_maker.hpp"

namespace bev::native {

/// Returns the options that all sample commands share.
std::vector<cli::Option> sample_option_list();

/// Parses DATASET and those options, and reads the config file.
///
/// Throws  cli::UsageError; Error if the config cannot be read
SampleRequest sample_request(const cli::Arguments& arguments);

/// The selected samples and the output.
struct SampleTarget {
  std::string index;
  std::string output;
};

/// Parses --index and --output.
///
/// Throws  cli::UsageError if one is missing
SampleTarget sample_target(const cli::Arguments& arguments);

/// Returns a callback that shows the progress of a mask on a terminal; it does nothing
/// elsewhere.
SelectionProgress selection_on_terminal(const std::string& command, bool quiet);

}  // namespace bev::native
