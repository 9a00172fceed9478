#pragma once

#include <string>
#include <vector>

namespace bev::scene {

/// A table in the manner of L5Kit's: frames of + - |, cells centred, the first row
/// under a line of its own. No line feed at the end.
///
/// Shapes  Every row has as many cells as the first, the titles.
/// Source  PrettyTable's default style.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace bev::scene
