#include "core/scene/text_table.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace bev::scene {

namespace {

using Row = std::vector<std::string>;

/// Centres a text. An odd spare blank goes right of a text of odd length and left of
/// one of even length.
std::string cell(std::string_view text, std::size_t width) {
  const auto excess = width - text.size();
  const auto left = excess / 2 + (excess % 2 != 0 && text.size() % 2 == 0 ? 1 : 0);
  return "| " + std::string(left, ' ') + std::string(text) +
         std::string(excess - left, ' ') + " ";
}

std::vector<std::size_t> widths_of(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < widths.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  return widths;
}

std::string line_of(const Row& row, const std::vector<std::size_t>& widths) {
  std::string line;
  for (std::size_t i = 0; i < widths.size(); ++i) line += cell(row[i], widths[i]);
  return line + "|\n";
}

}  // namespace

std::string text_table(const std::vector<Row>& rows) {
  const auto widths = widths_of(rows);
  std::string rule;
  for (const auto width : widths) rule += "+" + std::string(width + 2, '-');
  rule += "+";
  std::string text = rule + "\n" + line_of(rows.front(), widths) + rule + "\n";
  for (std::size_t i = 1; i < rows.size(); ++i) text += line_of(rows[i], widths);
  return text + rule;
}

}  // namespace bev::scene
