#pragma once

#include <optional>
#include <string>

namespace bev::serve {

/// The folder of the viewer that was built or installed along with this program, found
/// from where the program lies: share/bevscope/app of an installation, web/app/dist of
/// a build tree. nullopt if there is none.
std::optional<std::string> find_app_folder();

/// The same for a program at `program`, for tests.
std::optional<std::string> find_app_folder(const std::string& program);

}  // namespace bev::serve
