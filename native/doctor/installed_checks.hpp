#pragma once

#include <filesystem>

#include "native/doctor/finding.hpp"
#include "native/s3/s3_settings.hpp"

namespace bev::doctor {

/// Version, compiler and path of the program.
Finding check_program(const std::filesystem::path& program);

/// The viewer that `bevscope serve` finds.
Finding check_viewer(const std::filesystem::path& program);

/// Versions of the Python package beside the program and in the virtual environment.
///
/// @param environment  of which VIRTUAL_ENV and HOME count
Finding check_python(const std::filesystem::path& program,
                     const native::Environment& environment);

/// The settings of S3, and where keys come from; never the keys.
Finding check_s3(const native::Environment& environment);

}  // namespace bev::doctor
