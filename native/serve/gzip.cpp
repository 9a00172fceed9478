#include "native/serve/gzip.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "core/base/error.hpp"
#include "native/http/header_text.hpp"

namespace bev::serve {

using native::lower;
using native::trimmed;

namespace {

constexpr std::uint64_t kMaxBytes = std::uint64_t{32} << 20;
constexpr int kGzipFormat = 16;  // added to windowBits, see zlib's manual

/// Whether a coding's parameters are a weight of zero: "q=0", "q=0.000".
bool is_refused(std::string_view parameters) {
  const auto q = trimmed(parameters);
  return q.size() >= 3 && (q[0] | 0x20) == 'q' && q[1] == '=' &&
         q.substr(2).find_first_not_of("0.") == q.npos;
}

}  // namespace

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, MAX_WBITS + kGzipFormat,
                   MAX_MEM_LEVEL, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw Error(Errc::out_of_memory, "gzip: zlib: out of memory");
  }
  std::string out(deflateBound(&stream, static_cast<uLong>(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  const int ended = deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  if (ended != Z_STREAM_END) throw Error(Errc::out_of_memory, "gzip: zlib failed");
  return out;
}

bool accepts_gzip(std::string_view accept_encoding) {
  while (!accept_encoding.empty()) {
    const auto item = accept_encoding.substr(0, accept_encoding.find(','));
    const auto semicolon = std::min(item.find(';'), item.size());
    const bool is_gzip = lower(trimmed(item.substr(0, semicolon))) == "gzip";
    if (is_gzip) return !is_refused(item.substr(std::min(semicolon + 1, item.size())));
    accept_encoding.remove_prefix(std::min(item.size() + 1, accept_encoding.size()));
  }
  return false;
}

std::shared_ptr<const std::string> GzipCache::get(const std::string& path,
                                                  const std::string& version,
                                                  const native::File& file) {
  if (file.size() > kMaxBytes) return nullptr;
  {
    const std::lock_guard lock(mutex_);
    const auto hit = entries_.find(path);
    if (hit != entries_.end() && hit->second.version == version) {
      return hit->second.bytes;
    }
  }
  std::string content(static_cast<std::size_t>(file.size()), '\0');
  const auto got = file.read_at(0, std::as_writable_bytes(std::span(content)));
  if (got != content.size()) {
    throw Error(Errc::io, path + ": truncated while it was read");
  }
  auto bytes = std::make_shared<const std::string>(gzip(content));
  const std::lock_guard lock(mutex_);
  entries_[path] = {version, bytes};
  return bytes;
}

}  // namespace bev::serve
