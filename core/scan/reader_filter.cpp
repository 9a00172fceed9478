#include "core/scan/reader_filter.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace bev {
namespace {

using reader::Expression;
using reader::Filter;
using reader::Level;

/// Returns the level of a condition without columns, such as `1 = 0`. Scenes and frames
/// are tested only where rows belong to them.
Level least_level(reader::TableKind kind) {
  const bool has_scenes =
      kind != reader::TableKind::scenes && kind != reader::TableKind::other;
  return has_scenes ? Level::scene : Level::row;
}

/// Returns the most detailed level of the columns in an expression.
Level level_of(const Expression& node, const reader::View& view) {
  if (node.op == reader::Op::label_probability) return Level::row;
  auto level = least_level(view.kind);
  const bool is_tag = node.op == reader::Op::has_tag;
  if (is_tag || node.op == reader::Op::field) {
    // Filter reports unknown fields.
    const auto found = view.schema.find(is_tag ? "scene" : node.name);
    level = found ? view.columns[*found].level : Level::row;
  }
  for (const auto& arg : node.args) level = std::max(level, level_of(arg, view));
  return level;
}

/// Adds the conditions that all must hold, by level.
void split(const Expression& node, const reader::View& view,
           std::array<std::vector<Expression>, 3>& out) {
  if (node.op == reader::Op::logical_and) {
    for (const auto& arg : node.args) split(arg, view, out);
    return;
  }
  out[static_cast<std::size_t>(level_of(node, view))].push_back(node);
}

/// Returns an expression of conditions that all must hold; at least one.
Expression all_of(std::vector<Expression> conditions) {
  if (conditions.size() == 1) return std::move(conditions[0]);
  Expression all;
  all.op = reader::Op::logical_and;
  all.args = std::move(conditions);
  all.set_depth();
  return all;
}

}  // namespace

ReaderFilter::ReaderFilter(const reader::Plan& plan, const reader::View& view) {
  if (!plan.where) return;
  // Checks the whole filter first, so that messages name its own columns.
  const Filter whole(*plan.where, view.schema);
  std::array<std::vector<Expression>, 3> parts;
  split(*plan.where, view, parts);
  const std::array filters{&by_scene, &by_frame, &by_row};
  for (std::size_t level = 0; level < filters.size(); ++level) {
    if (parts[level].empty()) continue;
    const auto condition = all_of(std::move(parts[level]));
    filters[level]->emplace(condition, view.schema);
    conditions[level] = to_text(condition);
  }
}

}  // namespace bev
