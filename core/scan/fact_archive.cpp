#include "core/scan/fact_archive.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/store/held_ranges.hpp"
#include "core/zarr/decode.hpp"
#include "core/zip/member_read.hpp"

namespace bev {
namespace {

std::string named_in_archive(std::string_view path) {
  return joined({FactArchive::kKey, ": ", path});
}

}  // namespace

FactArchive::FactArchive(store::Store& store, store::Plan& plan, std::uint64_t size)
    : store_(store), plan_(plan), directory_(std::string(kKey), size) {}

bool FactArchive::open() {
  if (is_open_) return true;
  while (const auto range = directory_.missing()) {
    const auto found = bytes(*range);
    if (!found) return false;
    directory_.supply(*found);
  }
  const auto metadata = document(".zmetadata");
  const auto statistics = document(reader::Statistics::kKey);
  if (!metadata || !statistics) return false;
  group_ = zarr::parse_consolidated(*metadata, named_in_archive(".zmetadata"));
  statistics_ = reader::Statistics::parse(*statistics);
  is_open_ = true;
  return true;
}

/// Returns bytes of the object; requests them and returns nullopt if they are not in
/// memory.
std::optional<std::vector<std::byte>> FactArchive::bytes(ByteRange range) {
  store::HeldRanges pieces;
  if (store_.held_bytes(kKey)) {
    pieces.add(0, store_.find(kKey, plan_));
  } else if (store_.holds(kKey)) {
    fail_at(Errc::changed, kKey, {"removed while it was read"});
  } else {
    pieces = store_.pieces(kKey);
    for (const auto& piece : pieces.within(range)) plan_.pin(piece);
    const auto holes = pieces.holes(range);
    const auto end = pieces.end();
    if (!holes.empty() && (!end || range.end <= *end)) {
      plan_.request(kKey, holes);
      return std::nullopt;
    }
  }
  if (!pieces.holes(range).empty()) {
    fail_at(Errc::changed, kKey,
            {"ends before byte ", range.end, ": truncated, or replaced"});
  }
  std::vector<std::byte> out(static_cast<std::size_t>(range.size()));
  pieces.copy(range, out.data());
  return out;
}

std::optional<std::vector<std::byte>> FactArchive::member(std::string_view name,
                                                          std::size_t max_bytes) {
  auto* const found = directory_.find(name);
  if (found == nullptr) {
    fail(Errc::invalid_metadata, {named_in_archive(name), ": missing"});
  }
  if (found->size > max_bytes || found->stored > max_bytes) {
    fail(Errc::limit_exceeded, {named_in_archive(name), ": too long (found ",
                                found->size, " bytes, limit ", max_bytes, ")"});
  }
  zip::MemberRead read(directory_, *found);
  while (const auto range = read.missing()) {
    const auto part = bytes(*range);
    if (!part) return std::nullopt;
    read.supply(*part);
  }
  return read.take();
}

std::optional<std::string> FactArchive::document(std::string_view name) {
  const auto text = member(name, kMaxDocumentBytes);
  if (!text) return std::nullopt;
  return std::string(reinterpret_cast<const char*>(text->data()), text->size());
}

FactArchive::Column FactArchive::column(std::string path, std::string_view dtype,
                                        std::uint64_t length) const {
  const auto found = group_.arrays.find(path);
  if (found == group_.arrays.end()) {
    fail(Errc::invalid_metadata, {named_in_archive(path), ": missing"});
  }
  const auto& meta = found->second;
  const nlohmann::json code = std::string(dtype);
  const auto expected = zarr::parse_dtype(code, kKey);
  const bool is_list = meta.shape.size() == 1 && meta.filters.empty() &&
                       !meta.sharding && zarr::to_json(meta.dtype) == code;
  if (!is_list || meta.shape[0] != length) {
    fail(Errc::invalid_metadata,
         {named_in_archive(path), ": unexpected array (found ",
          meta.shape.empty() ? 0 : meta.shape[0], " of ",
          zarr::to_json(meta.dtype).dump(), ", expected ", length, " of ", dtype, ")"});
  }
  if (meta.chunk_rows() > kMaxChunkRows) {
    fail(Errc::limit_exceeded,
         {named_in_archive(path), ": chunk too long (found ", meta.chunk_rows(),
          " rows, limit ", kMaxChunkRows, ")"});
  }
  return {std::move(path), &meta, expected.size()};
}

bool FactArchive::read(const Column& column, std::uint64_t begin, std::uint64_t end,
                       std::vector<std::byte>& out) {
  const auto rows = column.meta->chunk_rows();
  const auto before = out.size();
  std::vector<std::byte> values(column.meta->chunk_bytes());
  bool complete = true;
  while (begin < end) {
    const auto chunk = begin / rows;
    const auto last = std::min(end, (chunk + 1) * rows);
    const auto key =
        joined({column.path, "/", zarr::chunk_key(*column.meta, {&chunk, 1})});
    const auto encoded = member(key, 2 * values.size() + 1024);
    complete = complete && encoded;
    if (complete) {
      zarr::decode_chunk(*column.meta, {named_in_archive(key), *encoded}, values);
      const auto* from = values.data() + (begin - chunk * rows) * column.size;
      out.insert(out.end(), from, from + (last - begin) * column.size);
    }
    begin = last;
  }
  if (!complete) out.resize(before);
  return complete;
}

}  // namespace bev
