#include "core/scene/mask_writer.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"
#include "core/scene/pending_rows.hpp"
#include "core/zarr/encode.hpp"

namespace bev::scene {

namespace {

constexpr std::uint64_t kChunkRows = 10'000;

}  // namespace

void MaskRows::add(std::uint64_t first, std::span<const std::uint32_t> mask) {
  const auto count = mask.size() / 2;
  if (first > agent_count_ || count > agent_count_ - first) {
    fail(Errc::out_of_range, {"mask: agents ", first, " to ", first + count,
                              " are out of range (count ", agent_count_, ")"});
  }
  if (first < next_) {
    fail(Errc::unsupported, {"mask: scenes are not in order (found first agent ", first,
                             ", expected ", next_, " or later)"});
  }
  skip_to(first);
  if (!mask.empty()) emit_(mask);
  next_ += count;
}

void MaskRows::skip_to(std::uint64_t row) {
  static constexpr std::array<std::uint32_t, 2048> kNone{};
  while (next_ < row) {
    const auto count = std::min<std::uint64_t>(row - next_, kNone.size() / 2);
    emit_(std::span(kNone).first(static_cast<std::size_t>(2 * count)));
    next_ += count;
  }
}

zarr::ArrayMeta MaskWriter::array_meta(std::uint64_t agent_count,
                                       const zarr::Compressor& compressor) {
  zarr::ArrayMeta meta;
  meta.shape = {agent_count, 2};
  meta.chunks = {kChunkRows, 2};
  meta.dtype = zarr::parse_dtype(nlohmann::json("<u4"), "agents_mask");
  meta.fill.resize(meta.dtype.size());
  meta.compressor = compressor;
  return meta;
}

MaskWriter::MaskWriter(Sink& sink, std::string path, std::uint64_t agent_count,
                       const zarr::Compressor& compressor)
    : sink_(sink), path_(std::move(path)), meta_(array_meta(agent_count, compressor)) {
  pending_.reserve(meta_.chunk_bytes());
}

void MaskWriter::append(std::span<const std::uint32_t> rows) {
  if (is_growing_) meta_.shape[0] += rows.size() / 2;
  for (const auto value : rows) {
    const auto at = pending_.size();
    pending_.resize(at + sizeof value);
    store_le(pending_.data() + at, value);
    if (pending_.size() == meta_.chunk_bytes()) flush();
  }
}

nlohmann::json MaskWriter::state() const {
  return pending_state(meta_.shape[0], pending_);
}

void MaskWriter::restore(const nlohmann::json& state) {
  meta_.shape[0] = restored_rows(state, meta_, pending_);
  chunk_ = meta_.shape[0] / meta_.chunks[0];
}

void MaskWriter::close() {
  if (!pending_.empty()) {
    pending_.resize(meta_.chunk_bytes());
    flush();
  }
  const auto text = zarr::array_meta_json(meta_);
  sink_.put(path_ + "/.zarray", std::as_bytes(std::span(text)));
}

void MaskWriter::flush() {
  const std::array<std::uint64_t, 2> place{chunk_, 0};
  sink_.put(path_ + "/" + zarr::chunk_key(meta_, place),
            zarr::encode_chunk(meta_, pending_));
  ++chunk_;
  pending_.clear();
}

}  // namespace bev::scene
