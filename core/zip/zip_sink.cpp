#include "core/zip/zip_sink.hpp"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <string>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::zip {
namespace {

using Bytes = std::vector<std::byte>;

constexpr std::uint16_t kMax16 = std::numeric_limits<std::uint16_t>::max();
constexpr std::uint32_t kMax32 = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersion64 = 45;

template <class... Numbers>
void add(Bytes& out, Numbers... numbers) {
  const auto one = [&](auto number) {
    std::array<std::byte, sizeof number> bytes{};
    store_le(bytes.data(), number);
    out.insert(out.end(), bytes.begin(), bytes.end());
  };
  (one(numbers), ...);
}

void add_text(Bytes& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text.data(), text.size()));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

/// Adds the fields that a local header shares with a directory entry.
void add_member(Bytes& out, std::string_view key, std::span<const std::byte> bytes,
                std::uint16_t extra) {
  constexpr std::uint16_t kUtf8 = 0x0800;
  constexpr std::uint16_t kFirstOf1980 = 0x21;
  const auto size = static_cast<std::uint32_t>(bytes.size());
  const auto crc =
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  add(out, extra > 0 ? kVersion64 : kVersion, kUtf8);
  add(out, std::uint16_t{0});                // stored
  add(out, std::uint16_t{0}, kFirstOf1980);  // midnight
  add(out, static_cast<std::uint32_t>(crc), size, size);
  add(out, static_cast<std::uint16_t>(key.size()), extra);
}

std::uint32_t cut32(std::uint64_t number) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(number, kMax32));
}

}  // namespace

void ZipSink::put(std::string_view key, std::span<const std::byte> bytes) {
  if (bytes.size() >= kMax32 || key.size() > kMax16) {
    throw Error(Errc::unsupported,
                std::string(key) + ": " + std::to_string(bytes.size()) +
                    " bytes are too many for a .zip member (expected less than 4 GiB)");
  }
  const bool far = place_ >= kMax32;
  constexpr std::uint16_t kPlace64 = 12;
  add(directory_, std::uint32_t{0x02014b50}, kVersion64);
  add_member(directory_, key, bytes, far ? kPlace64 : std::uint16_t{0});
  add(directory_, std::uint16_t{0}, std::uint16_t{0}, std::uint16_t{0});  // no comment
  add(directory_, std::uint32_t{0}, cut32(place_));
  add_text(directory_, key);
  if (far) add(directory_, std::uint16_t{1}, std::uint16_t{8}, place_);
  ++count_;

  Bytes local;
  add(local, std::uint32_t{0x04034b50});
  add_member(local, key, bytes, 0);
  add_text(local, key);
  append(local);
  out_(bytes);
  place_ += bytes.size();
}

void ZipSink::finish() {
  const auto directory = place_;
  append(directory_);
  if (count_ >= kMax16 || directory >= kMax32 || directory_.size() >= kMax32) {
    put_end64(directory);
  }
  const auto count =
      static_cast<std::uint16_t>(std::min<std::uint64_t>(count_, kMax16));
  Bytes end;
  add(end, std::uint32_t{0x06054b50}, std::uint32_t{0}, count, count);
  add(end, cut32(directory_.size()), cut32(directory), std::uint16_t{0});
  append(end);
}

void ZipSink::put_end64(std::uint64_t directory) {
  const auto place = place_;
  Bytes end;
  add(end, std::uint32_t{0x06064b50}, std::uint64_t{44}, kVersion64, kVersion64);
  add(end, std::uint32_t{0}, std::uint32_t{0}, count_, count_);
  add(end, std::uint64_t{directory_.size()}, directory);
  add(end, std::uint32_t{0x07064b50}, std::uint32_t{0}, place, std::uint32_t{1});
  append(end);
}

void ZipSink::append(const Bytes& bytes) {
  out_(bytes);
  place_ += bytes.size();
}

}  // namespace bev::zip
