#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/reader/statistics.hpp"
#include "core/store/plan.hpp"
#include "core/store/store.hpp"
#include "core/zarr/metadata.hpp"
#include "core/zip/directory.hpp"

namespace bev {

/// The side file of facts as bytes: a zarr group of one-dimensional arrays in a .zip
/// without compression, which is an object of the data set's store. Its directory and
/// metadata are at its end, so that they take one read; then only the chunks that are
/// asked for are read. Each chunk is checked by the CRC-32 of its member.
///
/// Throws  As zip::Directory and zip::MemberRead; invalid_metadata for arrays that are
///         not as expected; limit_exceeded above a limit; changed if the object ends
///         early. Nothing is allocated by a number of the file before it is checked.
/// Lifetime  Store and plan outlive it.
class FactArchive {
 public:
  static constexpr std::string_view kKey = ".bevscope/facts.zip";
  /// Maximum number of rows of a chunk, and bytes of the metadata.
  static constexpr std::uint64_t kMaxChunkRows = std::uint64_t{1} << 16;
  static constexpr std::size_t kMaxDocumentBytes = std::size_t{64} << 20;

  /// @param size  of the object, which exists
  FactArchive(store::Store& store, store::Plan& plan, std::uint64_t size);

  /// Reads directory and metadata; returns false while requests are pending.
  bool open();

  /// The attributes of the group; none without any.
  const nlohmann::json* attributes() const noexcept { return group_.attrs.get(); }

  /// The limits of the chunks' values.
  const reader::Statistics& statistics() const noexcept { return statistics_; }

  /// An array that is as expected.
  struct Column {
    std::string path;
    const zarr::ArrayMeta* meta = nullptr;
    std::size_t size = 0;  ///< of a value, in bytes
  };

  /// Finds an array of values of this dtype.
  Column column(std::string path, std::string_view dtype, std::uint64_t length) const;

  /// Appends values [begin, end) of a column; returns false while requests are pending,
  /// and then appends nothing.
  bool read(const Column& column, std::uint64_t begin, std::uint64_t end,
            std::vector<std::byte>& out);

 private:
  std::optional<std::vector<std::byte>> bytes(ByteRange range);
  std::optional<std::vector<std::byte>> member(std::string_view name,
                                               std::size_t max_bytes);
  std::optional<std::string> document(std::string_view name);

  store::Store& store_;
  store::Plan& plan_;
  zip::Directory directory_;
  zarr::Group group_;
  reader::Statistics statistics_;
  bool is_open_ = false;
};

}  // namespace bev
