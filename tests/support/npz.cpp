#include "tests/support/npz.hpp"

#include <zlib.h>

#include <string_view>

#include "core/base/bytes.hpp"
#include "tests/support/files.hpp"

namespace bev::test {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what);
}

Bytes part(Bytes bytes, std::size_t begin, std::size_t size) {
  if (begin > bytes.size() || size > bytes.size() - begin) fail("the file ends early");
  return bytes.subspan(begin, size);
}

template <class T>
T number(Bytes bytes, std::size_t at) {
  return load_le<T>(part(bytes, at, sizeof(T)).data());
}

std::string_view text(Bytes bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::byte> inflated(Bytes deflated, std::size_t size) {
  std::vector<std::byte> out(size + 1);  // one more byte: zlib requires output space
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail("zlib does not start");
  stream.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(deflated.data()));
  stream.avail_in = static_cast<uInt>(deflated.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int status = inflate(&stream, Z_FINISH);
  const auto written = stream.total_out;
  inflateEnd(&stream);
  if (status != Z_STREAM_END || written != size) fail("a zip entry does not inflate");
  out.resize(size);
  return out;
}

/// Returns the text after `key` in the header's dictionary, up to `end`.
std::string between(std::string_view header, std::string_view key,
                    std::string_view end) {
  const auto begin = header.find(key);
  if (begin == std::string_view::npos)
    fail("a .npy header without " + std::string(key));
  const auto rest = header.substr(begin + key.size());
  const auto stop = rest.find(end);
  if (stop == std::string_view::npos) fail("a .npy header that ends early");
  return std::string(rest.substr(0, stop));
}

std::vector<std::size_t> numbers_in(const std::string& tuple) {
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < tuple.size();) {
    const auto digit = tuple.find_first_of("0123456789", at);
    if (digit == std::string::npos) break;
    std::size_t length = 0;
    out.push_back(std::stoul(tuple.substr(digit), &length));
    at = digit + length;
  }
  return out;
}

/// Returns the bytes of the entry whose central directory record is at `at`.
///
/// Reference  PKWARE's APPNOTE, 4.3.7 and 4.3.12.
std::vector<std::byte> entry_bytes(Bytes zip, std::size_t at) {
  const auto method = number<std::uint16_t>(zip, at + 10);
  const auto crc = number<std::uint32_t>(zip, at + 16);
  const auto stored_size = number<std::uint32_t>(zip, at + 20);
  const auto size = number<std::uint32_t>(zip, at + 24);
  const std::size_t local = number<std::uint32_t>(zip, at + 42);
  const std::size_t begin = local + 30 + number<std::uint16_t>(zip, local + 26) +
                            number<std::uint16_t>(zip, local + 28);
  const Bytes stored = part(zip, begin, stored_size);
  if (method != 0 && method != 8) fail("a zip entry of another method");
  auto out = method == 8 ? inflated(stored, size)
                         : std::vector<std::byte>(stored.begin(), stored.end());
  const auto found = crc32(0, reinterpret_cast<const Bytef*>(out.data()),
                           static_cast<uInt>(out.size()));
  if (out.size() != size || found != crc) fail("a zip entry with a wrong checksum");
  return out;
}

/// Returns the offset of the end-of-directory record: its last signature.
std::size_t end_record(Bytes zip) {
  constexpr std::string_view kSignature("PK\x05\x06", 4);
  const auto at = text(zip).rfind(kSignature);
  if (at == std::string_view::npos) fail("not a zip");
  return at;
}

}  // namespace

std::size_t NpyArray::count() const {
  std::size_t out = 1;
  for (const auto length : shape) out *= length;
  return out;
}

NpyArray parse_npy(Bytes bytes) {
  if (text(part(bytes, 0, 6)) != std::string_view("\x93NUMPY", 6)) fail("not a .npy");
  const bool is_short = number<std::uint8_t>(bytes, 6) == 1;
  const std::size_t size =
      is_short ? number<std::uint16_t>(bytes, 8) : number<std::uint32_t>(bytes, 8);
  const std::size_t begin = is_short ? 10 : 12;
  const auto header = text(part(bytes, begin, size));
  const Bytes data = bytes.subspan(begin + size);
  return {between(header, "'descr': ", ", 'fortran_order'"),
          between(header, "'fortran_order': ", ",") == "True",
          numbers_in(between(header, "'shape': (", ")")),
          {data.begin(), data.end()}};
}

std::map<std::string, NpyArray> parse_npz(Bytes zip) {
  const std::size_t end = end_record(zip);
  const auto count = number<std::uint16_t>(zip, end + 10);
  std::size_t at = number<std::uint32_t>(zip, end + 16);
  std::map<std::string, NpyArray> out;
  for (std::uint16_t i = 0; i < count; ++i) {
    const auto name_size = number<std::uint16_t>(zip, at + 28);
    std::string name(text(part(zip, at + 46, name_size)));
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    out.emplace(std::move(name), parse_npy(entry_bytes(zip, at)));
    at += 46U + name_size + number<std::uint16_t>(zip, at + 30) +
          number<std::uint16_t>(zip, at + 32);
  }
  return out;
}

std::map<std::string, NpyArray> read_npz(const std::string& path) {
  return parse_npz(read_file(path));
}

}  // namespace bev::test
