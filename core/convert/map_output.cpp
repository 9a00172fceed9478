#include "core/convert/map_output.hpp"

#include <algorithm>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/map_cell.hpp"

namespace bev::convert {
namespace {

void add_counts(CityMap::Counts& sum, const CityMap::Counts& counts) {
  sum.lanes += counts.lanes;
  sum.crosswalks += counts.crosswalks;
  sum.lights += counts.lights;
  sum.duplicates += counts.duplicates;
  sum.renamed += counts.renamed;
  sum.junctions += counts.junctions;
  sum.max_rounding_m = std::max(sum.max_rounding_m, counts.max_rounding_m);
}

}  // namespace

MapOutput::MapOutput(Append append, const map::Limits& limits)
    : append_(std::move(append)), writer_("bevscope", limits) {}

void MapOutput::add(const SourceMap& map, const std::string& name) {
  check_frame(frame_, map, name);
  check_cells(map, name);
  if (map.prefix.empty()) {
    joined_.add(map, name);
  } else {
    add_separate(map, name);
  }
  frame_ = map.frame;
}

void MapOutput::check_cells(const SourceMap& map, const std::string& name) const {
  if (!frame_ || map.cell.has_value() == !parts_.empty()) return;
  fail(Errc::invalid_argument,
       {"map: scenario ", name, ": maps with and without a cell"});
}

void MapOutput::add_separate(const SourceMap& map, const std::string& name) {
  if (prefixes_.contains(map.prefix)) {
    fail(Errc::invalid_argument,
         {"map: scenario ", name, ": another one has the prefix ", map.prefix});
  }
  CityMap one;
  one.add(map, name);
  auto attempt = writer_;  // so that an error adds nothing
  if (map.cell) attempt.begin_part();
  one.write(attempt, map.prefix);
  const auto bytes = attempt.take();
  pass_on(bytes);
  writer_ = std::move(attempt);
  if (map.cell) add_part(*map.cell, bytes.size());
  prefixes_.insert(map.prefix);
  add_counts(separate_, one.counts());
}

void MapOutput::add_part(const geom::Vec2& cell, std::uint64_t size) {
  constexpr double kHalf = kMapCellM / 2;
  const auto begin = parts_.empty() ? 0 : parts_.back().end;
  parts_.push_back({begin,
                    begin + size,
                    {cell.x - kHalf, cell.y - kHalf, cell.x + kHalf, cell.y + kHalf}});
}

void MapOutput::pass_on(const std::string& bytes) {
  if (append_) {
    append_(std::as_bytes(std::span(bytes)));
  } else {
    kept_ += bytes;
  }
}

std::string MapOutput::finish() {
  if (!frame_) fail(Errc::invalid_argument, {"map: no scenario was added"});
  joined_.write(writer_);
  pass_on(writer_.take());
  return std::move(kept_);
}

std::string MapOutput::meta_json() const {
  if (!frame_) fail(Errc::invalid_argument, {"map: no scenario was added"});
  return meta_json_of(*frame_, parts_);
}

CityMap::Counts MapOutput::counts() const {
  auto out = joined_.counts();
  add_counts(out, separate_);
  return out;
}

}  // namespace bev::convert
