#include "core/store/target_selection.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/store/selection.hpp"

namespace bev::store {

TargetSelection TargetSelection::box(std::string_view name,
                                     std::span<const std::uint64_t> lengths,
                                     std::span<const AxisSlice> slices) {
  auto box = BoxSelection::of(name, lengths, slices);
  return {{std::move(box.box)}, std::move(box.shape)};
}

TargetSelection TargetSelection::list(std::string_view name,
                                      std::span<const std::uint64_t> lengths,
                                      std::span<const std::int64_t> rows) {
  auto out = box(name, lengths, {});
  if (out.shape.empty()) {
    fail_at(Errc::invalid_argument, name, {"rows of an array without axes"});
  }
  static_cast<void>(RowSelection::list(name, lengths.front(), rows));
  out.target.by_rows = true;
  out.target.rows.assign(rows.begin(), rows.end());
  out.shape.front() = rows.size();
  return out;
}

}  // namespace bev::store
