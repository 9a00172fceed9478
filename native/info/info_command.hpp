#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope info`: what a data set holds.
int info_main(std::span<const std::string> words);

}  // namespace bev::native
