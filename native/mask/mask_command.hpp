#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope mask`: selects agents by track length.
int mask_main(std::span<const std::string> words);

}  // namespace bev::native
