#pragma once

#include <span>
#include <string>

namespace bev::native {

/// `bevscope render`: see its --help.
int render_main(std::span<const std::string> words);

}  // namespace bev::native
