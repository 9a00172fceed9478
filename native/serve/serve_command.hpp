#pragma once

#include <span>
#include <string>

namespace bev::serve {

/// `bevscope serve`: serves until SIGINT or SIGTERM, then returns 0.
int serve_main(std::span<const std::string> words);

}  // namespace bev::serve
