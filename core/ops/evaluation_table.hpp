#pragma once

#include "core/eval/records.hpp"
#include "core/ops/outcome.hpp"
#include "core/ops/parameter.hpp"

namespace bev::ops {

/// Packed records of an evaluation, as arguments; all have to be given.
template <>
struct Members<eval::Columns> {
  static void visit(const auto& visitor, auto& table) {
    visitor("timestamps", table.timestamps);
    visitor("track_ids", table.track_ids);
    visitor("weights", table.weights);
    visitor("coords", table.coords);
  }
};

inline Outcome outcome_of_table(eval::Columns columns) {
  Outcome out;
  out.add("timestamps", std::move(columns.timestamps))
      .add("track_ids", std::move(columns.track_ids))
      .add("weights", std::move(columns.weights))
      .add("coords", std::move(columns.coords));
  return out;
}

}  // namespace bev::ops
