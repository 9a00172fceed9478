#include "core/save/commit_plan.hpp"

#include <algorithm>

#include "core/base/error.hpp"

namespace bev::save {

JoinPlan::JoinPlan(std::span<const Manifest> parts, std::size_t attribute)
    : parts_(parts), attribute_(attribute) {
  for (std::size_t part = 0; part < parts.size(); ++part) {
    const auto& array = parts[part].arrays[attribute];
    const auto rows = parts[part].rows_of(attribute);
    const auto full = full_rows(array, rows);
    if (array.chunk_rows && full > 0) {
      chunk_rows_ =
          std::min(chunk_rows_.value_or(*array.chunk_rows), *array.chunk_rows);
    }
    for (std::size_t object = 0; object < array.objects.size(); ++object) {
      const auto& each = array.objects[object];
      places_.push_back({rows_ + each.first, part, object});
    }
    rows_ += rows;
  }
}

std::vector<Slice> JoinPlan::slices(std::uint64_t begin, std::uint64_t end) const {
  std::vector<Slice> out;
  auto at = std::upper_bound(
      places_.begin(), places_.end(), begin,
      [](std::uint64_t row, const Place& place) { return row < place.first; });
  if (at != places_.begin()) --at;
  for (; at != places_.end() && at->first < end; ++at) {
    Slice slice{at->part, at->object, 0, 0};
    const auto rows = object(slice).rows;
    slice.begin = std::max(begin, at->first) - at->first;
    slice.end = std::min(end - at->first, rows);
    if (slice.begin < slice.end) out.push_back(slice);
  }
  return out;
}

PlannedChunk JoinPlan::chunk(std::uint64_t index, std::uint64_t chunk_rows) const {
  const auto begin = index * chunk_rows;
  PlannedChunk out;
  out.slices = slices(begin, std::min(begin + chunk_rows, rows_));
  out.is_copy = out.slices.size() == 1 && out.slices[0].begin == 0 &&
                out.slices[0].end == chunk_rows &&
                object(out.slices[0]).rows == chunk_rows;
  return out;
}

std::uint64_t rows_before(std::span<const Manifest> parts, std::size_t part,
                          std::size_t attribute) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < part; ++i) out += parts[i].rows_of(attribute);
  return out;
}

std::vector<Manifest> ordered(std::vector<Manifest> parts) {
  std::sort(parts.begin(), parts.end(),
            [](const auto& a, const auto& b) { return a.saver < b.saver; });
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].complete) {
      fail(Errc::invalid_argument,
           {"saver ", parts[i].saver,
            ": part is not complete (resume and finish it, or abort it)"});
    }
    if (i > 0 && parts[i].saver == parts[i - 1].saver) {
      fail(Errc::invalid_argument, {"saver ", parts[i].saver, ": has two parts"});
    }
  }
  return parts;
}

std::string commit_id(const DataConfig& config, std::span<const Manifest> parts) {
  std::string text = config.to_json();
  for (auto part : parts) {
    part.batches = 0;
    text += part.to_json(config);
  }
  return fingerprint_of(text);
}

}  // namespace bev::save
