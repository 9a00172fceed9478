#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/zarr/dtype.hpp"

namespace bev::futures {

/// The header of a .npy file.
struct NpyHeader {
  zarr::DType type;
  std::vector<std::uint64_t> shape;
  std::size_t bytes = 0;  ///< of the header

  /// Returns the number of elements, which fits in 64 bits.
  std::uint64_t size() const noexcept;
};

/// Maximum bytes of a header, axes and elements.
inline constexpr std::size_t kMaxNpyHeader = 1'024;
inline constexpr std::size_t kMaxNpyAxes = 8;
inline constexpr std::uint64_t kMaxNpyValues = std::uint64_t{1} << 40U;

/// Parses the header at the begin of `bytes`. Nothing is unpickled.
///
/// @param where    of messages: "a.npz: futures"
/// @throws Error   unsupported for arrays of objects, records and Fortran order;
///                 corrupt_chunk for anything else than a header; limit_exceeded
/// Reference  numpy.lib.format
NpyHeader parse_npy_header(std::span<const std::byte> bytes, std::string_view where);

/// An array in memory.
struct NpyArray {
  NpyHeader header;
  std::vector<std::byte> bytes;  ///< of the file, header included

  /// Throws  corrupt_chunk unless bytes are as many as the header states
  void check(std::string_view where) const;

  bool is_text() const noexcept;

  /// Return an element. The caller has checked index, and kind with is_text().
  ///
  /// Throws  invalid_metadata for a number that is no integer, and invalid text
  double real(std::uint64_t index) const;
  std::int64_t integer(std::uint64_t index) const;
  std::string text(std::uint64_t index) const;

 private:
  const std::byte* at(std::uint64_t index) const noexcept;
};

/// Returns a number of a type at `from`: boolean, integer or real of 4 or 8 bytes.
double npy_real(const zarr::DType& type, const std::byte* from);

/// Throws  unsupported, naming the array, for types that npy_real() does not read
void require_numbers(const zarr::DType& type, std::string_view where);

}  // namespace bev::futures
