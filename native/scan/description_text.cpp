#include "native/scan/description_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <vector>

namespace bev::native {
namespace {

using nlohmann::json;
using Row = std::vector<std::string>;

/// Formats a number with up to six digits, integers with all; "-" for null.
std::string number_text(const json& value) {
  if (value.is_null()) return "-";
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number_float()) return value.dump();
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.6g", value.get<double>());
  return text.data();
}

/// Draws a histogram with at most kWidth characters: heights are blank for none, and
/// from "." to "@" in proportion to the greatest.
std::string drawn(const json& histogram) {
  constexpr std::size_t kWidth = 32;
  constexpr std::string_view kLevels = ".:-=+*#%@";
  if (histogram.is_null()) return "";
  const auto counts = histogram.at("counts").get<std::vector<std::uint64_t>>();
  const auto per_mark = (counts.size() + kWidth - 1) / kWidth;
  std::vector<std::uint64_t> marks((counts.size() + per_mark - 1) / per_mark);
  for (std::size_t i = 0; i < counts.size(); ++i) marks[i / per_mark] += counts[i];
  const auto most = *std::max_element(marks.begin(), marks.end());
  std::string out = "|";
  for (const auto count : marks) {
    const auto share = static_cast<double>(count) / static_cast<double>(most);
    const auto level = static_cast<std::size_t>(share * kLevels.size());
    out += count == 0 ? ' ' : kLevels[std::min(level, kLevels.size() - 1)];
  }
  return out + "|";
}

Row head(const json& described) {
  Row out{"field", "count", "nan", "min"};
  if (described.contains("by")) {
    out.insert(out.begin(), described.at("by").get<std::string>());
  }
  for (const auto* name : {"5%", "25%", "50%", "75%", "95%", "max", "mean", "std"}) {
    out.emplace_back(name);
  }
  out.emplace_back("histogram");
  return out;
}

Row row_of(const json& column) {
  auto name = column.at("name").get<std::string>();
  if (column.contains("element")) name += "[" + column.at("element").dump() + "]";
  Row out{name, number_text(column.at("count")), number_text(column.at("nan")),
          number_text(column.at("min"))};
  for (const double fraction : {0.05, 0.25, 0.5, 0.75, 0.95}) {
    json value = nullptr;
    for (const auto& one : column.at("quantiles")) {
      if (one.at(0) == fraction) value = one.at(1);
    }
    out.push_back(number_text(value));
  }
  for (const auto* key : {"max", "mean", "std"}) {
    out.push_back(number_text(column.at(key)));
  }
  out.push_back(drawn(column.at("histogram")));
  return out;
}

std::string group_name(const json& group) {
  if (group.contains("name")) return group.at("name").get<std::string>();
  return number_text(group.at("value"));
}

/// Appends the rows with aligned columns: text to the left, numbers to the right.
void append_table(std::string& out, const std::vector<Row>& rows, std::size_t texts) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blanks(widths[i] - row[i].size(), ' ');
      if (i > 0) out += "  ";
      const bool last = i + 1 == row.size();
      if (i < texts || last) {
        out += row[i] + (last ? "" : blanks);
      } else {
        out += blanks + row[i];
      }
    }
    out += '\n';
  }
}

}  // namespace

std::string description_text(std::string_view description) {
  const auto described = json::parse(description);
  std::vector<Row> rows{head(described)};
  const bool grouped = described.contains("by");
  if (!grouped) {
    for (const auto& column : described.at("columns")) rows.push_back(row_of(column));
  } else {
    for (const auto& group : described.at("groups")) {
      for (const auto& column : group.at("columns")) {
        auto row = row_of(column);
        row.insert(row.begin(), group_name(group));
        rows.push_back(std::move(row));
      }
    }
  }
  auto out = "rows: " + described.at("rows").dump() + "\n";
  append_table(out, rows, grouped ? 2 : 1);
  return out;
}

}  // namespace bev::native
