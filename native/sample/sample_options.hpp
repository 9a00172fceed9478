#pragma once

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/sample/sample_maker.hpp"

namespace bev::native {

/// The options that every command about samples has: which data set, of what.
std::vector<cli::Option> sample_option_list();

/// Reads DATASET and those options, with the config they name.
///
/// @throws cli::UsageError, and Error where the config cannot be read
SampleRequest sample_request(const cli::Arguments& arguments);

/// Which samples, and where to.
struct SampleTarget {
  std::string index;
  std::string output;
};

/// Reads --index and --output.
///
/// @throws cli::UsageError  where one is missing
SampleTarget sample_target(const cli::Arguments& arguments);

/// Tells on a terminal how far a mask has been computed; on anything else nothing.
SelectionProgress selection_on_terminal(const std::string& command, bool quiet);

}  // namespace bev::native
