#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope sample`: see its --help.
int sample_main(std::span<const std::string> words);

}  // namespace bev::native
