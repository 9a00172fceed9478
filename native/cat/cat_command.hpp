#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope cat`: writes rows of an array in a format that other programs read.
int cat_main(std::span<const std::string> words);

}  // namespace bev::native
