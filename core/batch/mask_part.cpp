#include "core/batch/mask_part.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"

namespace bev::batch {
namespace {

std::uint64_t unsigned_of(std::int64_t row) {
  return static_cast<std::uint64_t>(row);
}

scene::Interval rows_of(const MaskPart::Range& range, std::uint64_t chunk_rows) {
  const auto chunks = MaskPart::chunk_count(range.agent_count);
  if (range.begin > range.end || range.end > chunks) {
    fail(Errc::out_of_range, {"mask: chunks ", range.begin, " to ", range.end,
                              " are out of range (count ", chunks, ")"});
  }
  const auto end = std::min(range.agent_count, range.end * chunk_rows);
  return {static_cast<std::int64_t>(std::min(range.begin * chunk_rows, end)),
          static_cast<std::int64_t>(end)};
}

[[noreturn]] void fail_order(std::uint64_t found, std::uint64_t expected) {
  fail(Errc::unsupported, {"mask: scenes are not in order (found first agent ", found,
                           ", expected ", expected, " or later)"});
}

}  // namespace

std::uint64_t MaskPart::chunk_count(std::uint64_t agent_count) {
  const auto rows = scene::MaskWriter::array_meta(agent_count).chunk_rows();
  return agent_count / rows + (agent_count % rows != 0 ? 1 : 0);
}

MaskPart::MaskPart(Sink& sink, std::string path, const Range& range,
                   const zarr::Compressor& compressor)
    : sink_(sink),
      path_(std::move(path)),
      meta_(scene::MaskWriter::array_meta(range.agent_count, compressor)),
      agent_count_(range.agent_count),
      rows_(rows_of(range, meta_.chunk_rows())),
      next_(unsigned_of(rows_.begin)),
      chunk_(range.begin) {
  pending_.reserve(meta_.chunk_bytes());
}

scene::Interval MaskPart::spanned() const noexcept {
  return {static_cast<std::int64_t>(first_), static_cast<std::int64_t>(last_)};
}

void MaskPart::add(std::uint64_t first, std::span<const std::uint32_t> mask) {
  const auto count = mask.size() / 2;
  if (count == 0) return;
  if (first > agent_count_ || count > agent_count_ - first) {
    fail(Errc::out_of_range, {"mask: agents ", first, " to ", first + count,
                              " are out of range (count ", agent_count_, ")"});
  }
  if (first < last_) fail_order(first, last_);
  if (last_ == 0) first_ = first;
  last_ = first + count;
  const auto begin = std::max(first, unsigned_of(rows_.begin));
  const auto end = std::min(last_, unsigned_of(rows_.end));
  if (begin >= end) return;
  fill_to(begin);
  append(mask.subspan(static_cast<std::size_t>(2 * (begin - first)),
                      static_cast<std::size_t>(2 * (end - begin))));
}

void MaskPart::finish() {
  fill_to(unsigned_of(rows_.end));
  if (pending_.empty()) return;
  pending_.resize(meta_.chunk_bytes());
  flush();
}

void MaskPart::append(std::span<const std::uint32_t> mask) {
  for (const auto value : mask) {
    const auto at = pending_.size();
    pending_.resize(at + sizeof value);
    store_le(pending_.data() + at, value);
    if (pending_.size() == meta_.chunk_bytes()) flush();
  }
  next_ += mask.size() / 2;
}

void MaskPart::fill_to(std::uint64_t row) {
  static constexpr std::array<std::uint32_t, 2048> kNone{};
  while (next_ < row) {
    const auto count = std::min<std::uint64_t>(row - next_, kNone.size() / 2);
    append(std::span(kNone).first(static_cast<std::size_t>(2 * count)));
  }
}

void MaskPart::flush() {
  const std::array<std::uint64_t, 2> place{chunk_, 0};
  sink_.put(path_ + "/" + zarr::chunk_key(meta_, place),
            zarr::encode_chunk(meta_, pending_));
  ++chunk_;
  pending_.clear();
}

void check_spans(std::span<const MaskSpan> spans, std::uint64_t scene_count) {
  std::uint64_t next = 0;
  std::uint64_t last = 0;
  for (const auto& span : spans) {
    if (span.first_scene > next || span.end_scene < next) {
      fail(Errc::unsupported,
           {"mask: scenes are not in order (found scenes ", span.first_scene, " to ",
            span.end_scene, " in a part, expected scene ", next, ")"});
    }
    // A scene of two parts was compared with the one after it by the second.
    const bool has_agents = span.end_agent > 0;
    if (span.first_scene == next && has_agents && span.first_agent < last) {
      fail_order(span.first_agent, last);
    }
    next = span.end_scene;
    if (has_agents) last = span.end_agent;
  }
  if (next != scene_count) {
    fail(Errc::unsupported, {"mask: scenes are not in order (found ", next,
                             " scenes in all parts, expected ", scene_count, ")"});
  }
}

}  // namespace bev::batch
