#include "core/save/chunk_length.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/zarr/encode.hpp"

namespace bev::save {
namespace {

constexpr std::uint64_t kFine = 32;   // the search ends within 1/32
constexpr std::uint64_t kClose = 16;  // or within 1/16 of the limit

std::uint64_t scaled(std::uint64_t rows, std::uint64_t by, std::uint64_t of) {
  return static_cast<std::uint64_t>(static_cast<double>(rows) *
                                    static_cast<double>(by) / static_cast<double>(of));
}

void append(std::vector<EncodedRows>& out, const DataConfig& config,
            const Attribute& attribute, EncodedRows rows,
            std::span<const std::byte> decoded) {
  rows.bytes = encode_rows(config, attribute, decoded);
  if (rows.bytes.size() <= config.max_chunk_size()) {
    out.push_back(std::move(rows));
    return;
  }
  if (rows.rows == 1) {  // DataConfig has checked the largest possible size
    fail(Errc::internal,
         {attribute.name, ": a row encodes to ", rows.bytes.size(), " bytes"});
  }
  const auto half = rows.rows / 2;
  const auto bytes = static_cast<std::size_t>(half) * attribute.row_bytes();
  append(out, config, attribute, {rows.first, half, {}}, decoded.first(bytes));
  append(out, config, attribute, {rows.first + half, rows.rows - half, {}},
         decoded.subspan(bytes));
}

}  // namespace

ChunkLength::ChunkLength(const DataConfig& config, const Attribute& attribute)
    : config_(config), attribute_(attribute) {
  const auto limit = config.max_chunk_size();
  const std::uint64_t row = attribute.row_bytes();
  fit_bytes_ = row;
  exceeds_ = limit * kMaxRatio / row + 1;
  probe_ = std::max<std::uint64_t>(limit / row, 1);
  if (config.compressor().id == zarr::Compressor::Id::none) rows_ = probe_;
}

void ChunkLength::search(std::span<const std::byte> first_rows) {
  const auto available = first_rows.size() / attribute_.row_bytes();
  while (!rows_ && probe_ <= available) {
    const auto bytes = static_cast<std::size_t>(probe_) * attribute_.row_bytes();
    step(encode_rows(config_, attribute_, first_rows.first(bytes)).size());
  }
}

/// Takes the encoded size of `probe_` rows and chooses the next probe, or the result.
void ChunkLength::step(std::uint64_t encoded_bytes) {
  const auto limit = config_.max_chunk_size();
  if (encoded_bytes <= limit) {
    fits_ = probe_;
    fit_bytes_ = std::max<std::uint64_t>(encoded_bytes, 1);
  } else {
    exceeds_ = probe_;
  }
  const auto fine = std::max<std::uint64_t>(fits_ / kFine, 1);
  const bool is_close =
      encoded_bytes <= limit && encoded_bytes >= limit - limit / kClose;
  if (is_close || exceeds_ - fits_ <= fine) {
    // Room for chunks that compress less
    rows_ = fits_ < kFine ? fits_ : fits_ - fits_ / kFine;
    return;
  }
  const auto estimate = scaled(fits_, limit, fit_bytes_);
  probe_ = encoded_bytes <= limit ? std::clamp(estimate, fits_ + fine, exceeds_ - 1)
                                  : fits_ + (exceeds_ - fits_) / 2;
}

std::uint64_t ChunkLength::finish(std::span<const std::byte> all_rows) {
  const auto count = all_rows.size() / attribute_.row_bytes();
  search(all_rows);
  if (rows_ || count == 0) return rows_.value_or(probe_);
  exceeds_ = std::min<std::uint64_t>(exceeds_, count + 1);
  if (exceeds_ == count + 1 && fits_ < count) {
    probe_ = count;
    const auto encoded = encode_rows(config_, attribute_, all_rows).size();
    if (encoded <= config_.max_chunk_size()) return count;
    step(encoded);
    search(all_rows);
  }
  return rows_.value_or(std::max<std::uint64_t>(fits_, 1));
}

std::uint64_t ChunkLength::shortened(const DataConfig& config, std::uint64_t rows,
                                     std::uint64_t found) noexcept {
  const auto estimate = scaled(rows, config.max_chunk_size(), found);
  return std::clamp<std::uint64_t>(estimate, 1, std::max<std::uint64_t>(rows - 1, 1));
}

std::vector<std::byte> encode_rows(const DataConfig& config, const Attribute& attribute,
                                   std::span<const std::byte> rows) {
  const auto count = rows.size() / attribute.row_bytes();
  auto meta = config.array_meta(attribute, count, count);
  meta.sharding.reset();
  return zarr::encode_chunk(meta, rows);
}

std::vector<EncodedRows> encode_within_limit(const DataConfig& config,
                                             const Attribute& attribute,
                                             std::uint64_t first,
                                             std::span<const std::byte> rows) {
  std::vector<EncodedRows> out;
  const std::uint64_t count = rows.size() / attribute.row_bytes();
  if (count > 0) append(out, config, attribute, {first, count, {}}, rows);
  return out;
}

}  // namespace bev::save
