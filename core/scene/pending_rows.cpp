#include "core/scene/pending_rows.hpp"

#include <cstring>
#include <nlohmann/json.hpp>

#include "core/base/error.hpp"

namespace bev::scene {

using nlohmann::json;

json pending_state(std::uint64_t rows, const std::vector<std::byte>& pending) {
  json::binary_t bytes;
  bytes.resize(pending.size());
  if (!pending.empty()) std::memcpy(bytes.data(), pending.data(), pending.size());
  return {{"rows", rows}, {"pending", json::binary(std::move(bytes))}};
}

std::uint64_t restored_rows(const json& state, const zarr::ArrayMeta& meta,
                            std::vector<std::byte>& pending) {
  const json& rows = state_member(state, "rows");
  const json& bytes = state_member(state, "pending");
  if (!rows.is_number_unsigned() || !bytes.is_binary()) {
    fail(Errc::corrupt_chunk, {"state: rows and pending have other types"});
  }
  const auto count = rows.get<std::uint64_t>();
  const auto chunk_bytes = meta.chunk_bytes();
  const auto row_bytes = chunk_bytes / static_cast<std::size_t>(meta.chunks[0]);
  const auto expected = static_cast<std::size_t>(count % meta.chunks[0]) * row_bytes;
  const auto& binary = bytes.get_binary();
  if (binary.size() != expected) {
    fail(Errc::corrupt_chunk, {"state: wrong length (found ", binary.size(),
                               " bytes, expected ", expected, ")"});
  }
  pending.resize(expected);
  if (expected != 0) std::memcpy(pending.data(), binary.data(), expected);
  return count;
}

const json& state_member(const json& state, const char* name) {
  const auto found = state.is_object() ? state.find(name) : state.end();
  if (!state.is_object() || found == state.end()) {
    fail(Errc::corrupt_chunk, {"state: ", name, " not found"});
  }
  return *found;
}

}  // namespace bev::scene
