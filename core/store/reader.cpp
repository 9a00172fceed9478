#include "core/store/reader.hpp"

#include <string>

#include "core/base/checked.hpp"
#include "core/base/error.hpp"

namespace bev::store {

namespace {

constexpr std::size_t kMaxBytes = std::size_t{1} << 30;

}  // namespace

bool Reader::read(const Array& array, const RowSelection& rows,
                  std::span<const zarr::ColumnSlot> slots, Access access) {
  if (rows.count == 0) return true;
  if (least_ == Access::whole) access = Access::whole;
  if (array.columns != nullptr) return read_fields(array, rows, slots, access);
  return array.meta.shape.size() == 1 ? read_columns(array, rows, slots, access)
                                      : read_grid(array, rows, slots);
}

bool Reader::request(const Array& array, const RowSelection& rows,
                     std::span<const zarr::ColumnSlot> slots) {
  if (rows.count == 0 || array.meta.shape.size() != 1) return true;
  if (array.columns != nullptr) return request_fields(array, rows, slots);
  const bool here = find_chunks(array, rows, least_);
  chunks_.clear();
  return here;
}

std::optional<std::uint64_t> Reader::encoded_bytes(
    const Array& array, std::span<const std::uint64_t> chunk) const {
  if (array.meta.sharding) return std::nullopt;
  return store_.held_bytes(array.key(chunk));
}

std::vector<std::uint64_t> Reader::absent_chunks(const Array& array,
                                                 const RowSelection& rows) {
  if (rows.count == 0) return {};
  if (array.columns != nullptr) return absent_fields(array, rows);
  auto numbers = chunks_of(rows, array.meta.chunk_rows(), array.name());
  std::erase_if(numbers, [&](std::uint64_t number) {
    const auto object = store_.find(array.key({&number, 1}), plan_);
    return !object || !object->absent;
  });
  return numbers;
}

std::size_t result_bytes(const Array& array, std::uint64_t rows,
                         std::size_t row_bytes) {
  const auto bytes = checked_mul<std::uint64_t>(rows, row_bytes);
  if (bytes && *bytes <= kMaxBytes) return static_cast<std::size_t>(*bytes);
  fail_at(Errc::limit_exceeded, array.name(),
          {"result too large (found ", rows, " rows of ", row_bytes,
           " bytes, expected at most ", kMaxBytes, " bytes)"});
}

}  // namespace bev::store
