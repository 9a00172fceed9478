#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/sink.hpp"

namespace bev::zip {

/// Writes a .zip sequentially: one uncompressed member per key, because chunks are
/// already compressed. Uses zip64 if offsets or counts require it. A key written again
/// has two members, of which readers use the later.
///
/// Throws     unsupported for a member of 4 GiB or more; errors of `out`.
/// Reference  PKWARE's APPNOTE, 4.3.7 to 4.3.16 and 4.5.3.
class ZipSink final : public Sink {
 public:
  using Out = std::function<void(std::span<const std::byte>)>;

  /// @param out  receives the bytes in order
  explicit ZipSink(Out out) : out_(std::move(out)) {}

  void put(std::string_view key, std::span<const std::byte> bytes) override;

  /// Writes the directory. Call after the last member.
  void finish();

 private:
  using Bytes = std::vector<std::byte>;

  void append(const Bytes& bytes);
  void put_end64(std::uint64_t directory);

  Out out_;
  std::uint64_t place_ = 0;  ///< bytes written so far
  std::uint64_t count_ = 0;
  Bytes directory_;
};

}  // namespace bev::zip
