#pragma once

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// The options of every command that reads a data set, after `own` ones.
std::vector<cli::Option> with_read_options(std::vector<cli::Option> own);

/// What those options were given as.
ReadOptions read_options(const cli::Arguments& arguments);

/// Warns on standard error of the chunks that were absent and read as fill values, if
/// there were any: "bevscope: warning: agents: 2 chunks are not stored, ...".
void warn_of_missing(const Source& source);

}  // namespace bev::native
