#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "include/bevscope/cache.hpp"
#include "native/doctor/finding.hpp"

namespace bev::doctor {

/// The persistent cache: whether it can be written and locked, its content and limit,
/// and the free space. Changes nothing.
Finding check_cache(const CacheOptions& options);

/// Whether serve may open as many files and connections as it handles at most.
///
/// @param limit  of open files; nullopt: none
Finding check_descriptors(std::optional<std::uint64_t> limit);
Finding check_descriptors();

/// Returns the folder with the limits of the process's control group.
std::filesystem::path control_group();

/// Processors that the program may use, and the limit of its control group.
///
/// @param group  control_group(); another one for tests
Finding check_processors(const std::filesystem::path& group);

/// Memory that is available, and the limit of the control group.
Finding check_memory(const std::filesystem::path& group);

/// Whether files can be written in the folder for temporary files, which the tests and
/// Python's batch work use.
Finding check_temporary(const std::filesystem::path& folder);

}  // namespace bev::doctor
