#include "core/store/box_selection.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::store {

namespace {

constexpr auto kLongest =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

/// Resolves a slice bound: counts negative values from the end, clamps to [low, high].
std::int64_t bound(std::optional<std::int64_t> given, std::int64_t otherwise,
                   std::int64_t length, std::int64_t low, std::int64_t high) {
  if (!given) return otherwise;
  return std::clamp(*given < 0 ? *given + length : *given, low, high);
}

zarr::AxisRange rising(const AxisSlice& slice, std::int64_t length) {
  const auto begin = bound(slice.begin, 0, length, 0, length);
  const auto end = bound(slice.end, length, length, 0, length);
  const auto step = static_cast<std::uint64_t>(slice.step);
  if (begin >= end) return {0, 0, step};
  return {static_cast<std::uint64_t>(begin),
          static_cast<std::uint64_t>(end - begin - 1) / step + 1, step};
}

zarr::AxisRange falling(const AxisSlice& slice, std::int64_t length) {
  const auto begin = bound(slice.begin, length - 1, length, -1, length - 1);
  const auto end = bound(slice.end, -1, length, -1, length - 1);
  const auto step = std::uint64_t{0} - static_cast<std::uint64_t>(slice.step);
  if (begin <= end) return {0, 0, step, true};
  const auto last = static_cast<std::uint64_t>(begin - end - 1) / step;
  return {static_cast<std::uint64_t>(begin) - last * step, last + 1, step, true};
}

zarr::AxisRange single(std::int64_t index, std::int64_t length, std::string_view axis) {
  const auto at = index < 0 ? index + length : index;
  if (at < 0 || at >= length) {
    fail_at(Errc::out_of_range, axis,
            {"index ", index, " is out of range (count ", length, ")"});
  }
  return {static_cast<std::uint64_t>(at), 1};
}

}  // namespace

zarr::AxisRange range_of(const AxisSlice& slice, std::uint64_t length,
                         std::string_view axis) {
  if (length > kLongest)
    fail_at(Errc::limit_exceeded, axis, {"too long (found ", length, ")"});
  const auto elements = static_cast<std::int64_t>(length);
  if (slice.index) return single(*slice.index, elements, axis);
  if (slice.step == 0) fail_at(Errc::invalid_argument, axis, {"step must not be 0"});
  return slice.step > 0 ? rising(slice, elements) : falling(slice, elements);
}

BoxSelection BoxSelection::of(std::string_view name,
                              std::span<const std::uint64_t> lengths,
                              std::span<const AxisSlice> slices, std::size_t first) {
  if (slices.size() > lengths.size()) {
    fail_at(Errc::invalid_argument, name,
            {"too many axes (found ", first + slices.size(), ", expected at most ",
             first + lengths.size(), ")"});
  }
  BoxSelection out;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const AxisSlice slice = i < slices.size() ? slices[i] : AxisSlice{};
    const auto axis = std::string(name) + ": axis " + std::to_string(first + i);
    out.box.push_back(range_of(slice, lengths[i], axis));
    const auto count = out.box.back().count;
    if (count > std::numeric_limits<std::size_t>::max()) {
      fail_at(Errc::limit_exceeded, axis, {"too many elements (found ", count, ")"});
    }
    if (!slice.index) out.shape.push_back(static_cast<std::size_t>(count));
  }
  // An axis of length 0 makes the product 0 before it can overflow.
  const bool none = std::count(out.shape.begin(), out.shape.end(), 0) > 0;
  if (none) out.count = 0;
  for (const auto length : out.shape) {
    if (!none) out.count = mul_or_throw(out.count, length, name, Errc::limit_exceeded);
  }
  return out;
}

void BoxSelection::copy_elements(const zarr::DType& type,
                                 std::span<const std::byte> values,
                                 std::span<std::byte> out) const {
  if (out.empty()) return;
  // The values are an array of one chunk, and the selection is a box of it.
  zarr::ArrayMeta meta;
  meta.dtype = type;
  meta.dtype.shape.clear();
  meta.shape.assign(type.shape.begin(), type.shape.end());
  meta.shape.insert(meta.shape.begin(), values.size() / type.size());
  meta.chunks = meta.shape;
  auto whole = box;
  whole.insert(whole.begin(), {0, meta.shape[0]});
  zarr::copy_box(meta, zarr::ChunkIndex(meta.shape.size(), 0), values, whole, out);
}

}  // namespace bev::store
