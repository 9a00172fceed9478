#include "core/save/chunker.hpp"

#include <algorithm>
#include <utility>

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
  if (chunk_rows_) return fill(rows);
  pending_.insert(pending_.end(), rows.begin(), rows.end());
  length_.search(pending_);
  chunk_rows_ = length_.rows();
  if (!chunk_rows_) return;
  const auto first_rows = std::exchange(pending_, {});
  fill(first_rows);
}

/// Copies rows into chunks. Each block has its memory from the beginning, so that it is
/// passed on without another copy.
void Chunker::fill(std::span<const std::byte> rows) {
  const auto size = static_cast<std::size_t>(*chunk_rows_) * row_bytes_;
  while (!rows.empty()) {
    pending_.reserve(size);
    const auto part = rows.first(std::min(rows.size(), size - pending_.size()));
    pending_.insert(pending_.end(), part.begin(), part.end());
    rows = rows.subspan(part.size());
    if (pending_.size() < size) continue;
    full_.push_back({first_, std::exchange(pending_, {})});
    first_ += *chunk_rows_;
  }
}

std::optional<RowBlock> Chunker::take() {
  if (full_.empty()) return std::nullopt;
  auto block = std::move(full_.front());
  full_.pop_front();
  return block;
}

}  // namespace bev::save
