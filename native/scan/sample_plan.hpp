#pragma once

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/sample/assets.hpp"

namespace bev::native {

/// Returns a command's options and those of samples.
std::vector<cli::Option> with_sample_options(std::vector<cli::Option> own);

/// Adds samples to a plan, if they were asked for, and reads the maps that they need.
///
/// Throws  cli::UsageError for options without --sample; Error for config and maps
Assets add_samples(const cli::Arguments& arguments, std::string& plan);

}  // namespace bev::native
