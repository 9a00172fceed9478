#pragma once

#include <span>
#include <string>

namespace bev::town {

/// `bevscope town`: creates the data set, returns 0.
int town_main(std::span<const std::string> words);

}  // namespace bev::town
