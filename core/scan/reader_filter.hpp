#pragma once

#include <array>
#include <optional>
#include <string>

#include "core/reader/filter.hpp"
#include "core/reader/plan.hpp"
#include "core/reader/view.hpp"

namespace bev {

/// A plan's filter, divided into the conditions on scenes, on frames and on rows. A row
/// passes if all three hold.
struct ReaderFilter {
  /// Throws  The errors of reader::Filter; columns are those of the whole filter's text.
  ReaderFilter(const reader::Plan& plan, const reader::View& view);

  std::optional<reader::Filter> by_scene, by_frame, by_row;

  /// The conditions on scenes, frames and rows as text; empty where there is none.
  std::array<std::string, 3> conditions;
};

}  // namespace bev
