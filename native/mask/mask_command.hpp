#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope mask`: which agents are to be seen for how long.
int mask_main(std::span<const std::string> words);

}  // namespace bev::native
