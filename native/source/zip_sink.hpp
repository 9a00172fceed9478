#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/scene/writer.hpp"

namespace bev::native {

/// A .zip as a writer fills it, front to back: a member per key, none of them packed,
/// for chunks are. Zip64 where places or numbers need it. A key that is written again
/// has two members, of which readers take the later.
///
/// Errors  unsupported for a member of 4 GiB or more; whatever `out` throws.
/// Source: PKWARE's APPNOTE, 4.3.7 to 4.3.16 and 4.5.3.
class ZipSink final : public scene::Sink {
 public:
  using Out = std::function<void(std::span<const std::byte>)>;

  /// @param out  where bytes go, in order
  explicit ZipSink(Out out) : out_(std::move(out)) {}

  void write(std::string_view key, std::span<const std::byte> bytes) override;

  /// Writes the directory, after the last member.
  void finish();

 private:
  using Bytes = std::vector<std::byte>;

  void put(const Bytes& bytes);
  void put_end64(std::uint64_t directory);

  Out out_;
  std::uint64_t place_ = 0;  ///< bytes written so far
  std::uint64_t count_ = 0;
  Bytes directory_;
};

}  // namespace bev::native
