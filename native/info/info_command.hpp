#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope info`: describes a data set.
int info_main(std::span<const std::string> words);

}  // namespace bev::native
