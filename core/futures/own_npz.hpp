#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/futures/npy.hpp"
#include "core/futures/own_form.hpp"
#include "core/zip/member_read.hpp"

namespace bev::futures {

class NpzForm;

/// Maximum bytes of the arrays that are kept with the index: all but `futures`. Of those
/// that are compressed, the limit is lower, for a small file may contain much.
inline constexpr std::uint64_t kMaxKeptArrays = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t kMaxInflatedArrays = std::uint64_t{16} << 20U;
/// Maximum bytes of the archive's directory.
inline constexpr std::uint64_t kMaxNpzDirectory = std::uint64_t{1} << 20U;

/// Finds the scenarios of a NumPy archive: reads its directory, the header of `futures`,
/// and the other arrays. A scenario is a range of `futures`, which must not be
/// compressed.
///
/// Throws  unsupported for compressed futures, objects (pickles), records and Fortran
///         order; invalid_metadata for a missing array, another shape or type, and values
///         that are not understood; corrupt_chunk and limit_exceeded. Messages name file
///         and array.
class NpzIndexer {
 public:
  NpzIndexer(std::string name, std::uint64_t file_size);

  std::optional<ByteRange> missing() const;
  void supply(std::span<const std::byte> bytes);
  SubmissionShard take();

 private:
  void advance();
  void check_directory() const;
  void begin_array(zip::Member& member);
  void take_array();
  void finish();

  SubmissionShard out_;
  std::unique_ptr<zip::Directory> directory_;
  std::optional<zip::MemberRead> read_;
  zip::Member* futures_ = nullptr;
  std::size_t next_ = 0;                   // of the arrays' names
  std::uint64_t kept_ = 0, inflated_ = 0;  // bytes of arrays, by how they are stored
  std::map<std::string_view, NpyArray> arrays_;
  bool is_complete_ = false;
};

}  // namespace bev::futures
