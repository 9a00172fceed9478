#pragma once

#include <string_view>

#include "core/base/url_text.hpp"

namespace bev::native {

/// Whether the command line's DATASET is an http(s) URL.
bool is_url(std::string_view dataset);

}  // namespace bev::native
