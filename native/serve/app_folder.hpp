#pragma once

#include <optional>
#include <string>

namespace bev::serve {

/// Returns the folder of the viewer that was built or installed with this program,
/// relative to the program's path: share/bevscope/app of an installation, build/app of
/// a build tree. nullopt if there is none.
std::optional<std::string> find_app_folder();

/// As above, for a program at path `program`; for tests.
std::optional<std::string> find_app_folder(const std::string& program);

}  // namespace bev::serve
