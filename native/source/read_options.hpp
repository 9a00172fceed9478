#pragma once

#include <string>
#include <vector>

#include "native/cli/arguments.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// Returns `own` followed by the options of every command that reads a data set.
std::vector<cli::Option> with_read_options(std::vector<cli::Option> own);

/// Returns the values of those options.
ReadOptions read_options(const cli::Arguments& arguments);

/// The options of the persistent cache among them, for commands without the others.
std::vector<cli::Option> with_cache_options(std::vector<cli::Option> own);

/// Returns the values of those options. --cache defaults to the environment variable
/// BEVSCOPE_CACHE. Problems of the cache are warnings on standard error.
CacheOptions cache_settings(const cli::Arguments& arguments);

/// Warns on standard error of an engine's absent chunks that were read as fill values, if
/// any: "bevscope: warning: agents: 2 chunks are not stored, ...".
///
/// @param absent  Engine::absent_chunks() of an engine with the source's policy
void warn_of_missing(const Source& source, const std::vector<std::string>& absent);

}  // namespace bev::native
