#pragma once

#include <string>
#include <vector>

namespace bev::scene {

/// Formats a table in PrettyTable's default style: borders of + - |, centred cells, the
/// first row separated by a line. No final line feed.
///
/// Shapes     Every row has as many cells as the first, which holds the titles.
/// Reference  PrettyTable's default style.
std::string text_table(const std::vector<std::vector<std::string>>& rows);

}  // namespace bev::scene
