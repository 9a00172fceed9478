#include "core/save/chunker.hpp"

namespace bev::save {

Chunker::Chunker(const DataConfig& config, const Attribute& attribute)
    : row_bytes_(attribute.row_bytes()), length_(config, attribute) {
  const std::vector<std::byte> row(row_bytes_);
  encode_rows(config, attribute, row);
}

void Chunker::resume(std::uint64_t first, std::optional<std::uint64_t> chunk_rows) {
  first_ = first;
  chunk_rows_ = chunk_rows;
}

void Chunker::append(std::span<const std::byte> rows) {
  pending_.insert(pending_.end(), rows.begin(), rows.end());
  if (chunk_rows_) return;
  length_.search(pending_);
  chunk_rows_ = length_.rows();
}

std::optional<RowBlock> Chunker::take() {
  if (!chunk_rows_) return std::nullopt;
  const auto size = static_cast<std::size_t>(*chunk_rows_) * row_bytes_;
  if (pending_.size() - taken_ < size) {
    // Once per batch: removing each chunk from the front would copy the rest
    pending_.erase(pending_.begin(),
                   pending_.begin() + static_cast<std::ptrdiff_t>(taken_));
    taken_ = 0;
    return std::nullopt;
  }
  const auto begin = pending_.begin() + static_cast<std::ptrdiff_t>(taken_);
  RowBlock block{first_, {begin, begin + static_cast<std::ptrdiff_t>(size)}};
  first_ += *chunk_rows_;
  taken_ += size;
  return block;
}

}  // namespace bev::save
