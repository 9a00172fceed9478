#pragma once

#include <string_view>

#include "export.hpp"

/// The version as string: "major.minor.patch" (semantic versioning).
#define BEVSCOPE_VERSION "0.2.0"

/// The version as one number to compare: major * 10000 + minor * 100 + patch.
#define BEVSCOPE_VERSION_NUMBER 200

namespace bev {

/// Returns the version of the library that is linked. It differs from BEVSCOPE_VERSION
/// if the headers belong to another installation.
BEV_EXPORT std::string_view version() noexcept;

}  // namespace bev
