#include "core/zarr/array_writer.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/base/error.hpp"
#include "core/zarr/box.hpp"
#include "core/zarr/encode.hpp"

namespace bev::zarr {

ArrayWriter::ArrayWriter(Sink& sink, std::string path, ArrayMeta meta, OnChunk on_chunk)
    : sink_(sink),
      path_(std::move(path)),
      meta_(std::move(meta)),
      on_chunk_(std::move(on_chunk)) {
  const bool has_rows = !meta_.shape.empty() && meta_.shape.front() == 0;
  if (!has_rows || meta_.chunks.size() != meta_.shape.size() ||
      !std::equal(meta_.shape.begin() + 1, meta_.shape.end(),
                  meta_.chunks.begin() + 1)) {
    fail_at(Errc::invalid_argument, path_, {"chunks must span all axes but the first"});
  }
  if (meta_.chunks.front() == 0) {
    fail_at(Errc::invalid_argument, path_, {"chunk length must not be 0"});
  }
  row_bytes_ = zarr::row_bytes(meta_);
  const auto most = kMaxChunkBytes / std::max<std::size_t>(row_bytes_, 1);
  if (meta_.chunks.front() > most) {
    fail_at(Errc::limit_exceeded, path_,
            {"chunk length too large (found ", meta_.chunks.front(),
             " rows, expected at most ", most, ")"});
  }
  if (meta_.fill.empty()) meta_.fill.resize(meta_.dtype.size());
}

void ArrayWriter::append(std::span<const std::byte> rows) {
  if (row_bytes_ == 0 || rows.size() % row_bytes_ != 0) {
    fail_at(Errc::invalid_argument, path_,
            {"rows have the wrong length (found ", rows.size(),
             " bytes, expected a multiple of ", row_bytes_, ")"});
  }
  if (rows.empty()) return;
  meta_.shape.front() += rows.size() / row_bytes_;
  chunk_.resize(meta_.chunk_bytes());
  while (!rows.empty()) {
    const auto size = std::min(rows.size(), chunk_.size() - filled_);
    std::memcpy(chunk_.data() + filled_, rows.data(), size);
    filled_ += size;
    rows = rows.subspan(size);
    if (filled_ == chunk_.size()) flush(filled_);
  }
}

void ArrayWriter::flush(std::size_t size) {
  std::vector<std::uint64_t> at(meta_.shape.size());
  at.front() = number_;
  const auto encoded = encode_chunk(meta_, chunk_);
  sink_.put(path_ + "/" + chunk_key(meta_, at), encoded);
  if (on_chunk_) on_chunk_({number_, std::span(chunk_).first(size), encoded});
  ++number_;
  filled_ = 0;
}

std::string ArrayWriter::close() {
  if (filled_ > 0) {
    const auto size = filled_;
    const auto element = meta_.fill.size();
    for (; filled_ < chunk_.size(); filled_ += element) {
      std::memcpy(chunk_.data() + filled_, meta_.fill.data(), element);
    }
    flush(size);
  }
  auto text = array_meta_json(meta_);
  sink_.put(path_ + "/.zarray", std::as_bytes(std::span(text)));
  return text;
}

}  // namespace bev::zarr
