#include "core/map/wire.hpp"

#include <limits>
#include <string>

#include "core/base/utf8.hpp"

namespace bev::map {
namespace {

[[noreturn]] void corrupt(Message what) {
  fail(Errc::corrupt_chunk, what);
}

}  // namespace

bool Wire::next() {
  const auto rest = reader_.data();
  if (rest.size() == 0) return false;
  const char* at = rest.data();
  const char* const end = at + rest.size();
  return detail::guarded([&] {
    const auto head = protozero::decode_varint(&at, end);
    if (head > std::numeric_limits<std::uint32_t>::max()) {
      corrupt({"a field number of more than 29 bits"});
    }
    if ((head & 7U) == 2) {
      const auto length = protozero::decode_varint(&at, end);
      const auto left = static_cast<std::size_t>(end - at);
      if (length > left) {
        corrupt({"field ", head >> 3U, " has ", length, " bytes, ", left, " are left"});
      }
    }
    return reader_.next();
  });
}

void Wire::skip() {
  detail::guarded([&] { reader_.skip(); });
}

std::string_view Wire::bytes() {
  const auto view = detail::guarded([&] { return reader_.get_view(); });
  return {view.data(), view.size()};
}

std::uint64_t Wire::varint() {
  return detail::guarded([&] { return reader_.get_uint64(); });
}

std::int32_t Wire::sfixed32() {
  return detail::guarded([&] { return reader_.get_sfixed32(); });
}

float Wire::real32() {
  return detail::guarded([&] { return reader_.get_float(); });
}

std::string_view checked_utf8(std::string_view id) {
  for (std::size_t at = 0; at < id.size();) {
    const auto length = first_point(id.substr(at)).length;
    if (length == 0) {
      corrupt({"an id of ", id.size(), " bytes is not UTF-8 at byte ", at});
    }
    at += length;
  }
  return id;
}

}  // namespace bev::map
