#pragma once

#include <string>

namespace bev::native {

/// Throws Errc::unsupported if an output's path is a URL, which would become the names of
/// folders.
void refuse_url(const std::string& path);

}  // namespace bev::native
