#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "native/serve/request.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

class StatusPages;

/// A response: a head, and as body part of a file or a short text.
struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string text;                  ///< the body, unless `file` is set
  std::optional<native::File> file;  ///< the body is bytes [begin, end) of it
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool head_only = false;         ///< response to HEAD: no body is sent
  bool for_other_origins = true;  ///< their pages may read it if the site allows it

  std::uint64_t body_size() const { return file ? end - begin : text.size(); }
  const std::string* header(std::string_view name) const;
};

/// Returns the response to a request: GET, HEAD and OPTIONS, ranges, revalidation, gzip
/// for the app's text, and CORS headers if site.access() allows it. A request for an
/// unknown host gets 421. `pages` come before files; nullptr: there are none.
///
/// Files with a hash in their name are cached as immutable. Everything else is
/// "no-cache" (revalidated each time), because data and app change during development.
///
/// Throws     Nothing for invalid requests, which get an error status. Errc::io if
///            a file cannot be read.
/// Reference  RFC 9110; RFC 8246; the Fetch standard, "CORS protocol".
Response respond(const Request& request, const Site& site,
                 const StatusPages* pages = nullptr);

/// Returns a response with a line of text as body, such as "404 Not Found".
Response plain_response(int status, std::string text);

/// Returns the status line and headers, including the empty line. `now` is in seconds
/// since 1970.
std::string head_of(const Response& response, bool keep_alive, std::int64_t now);

/// The part of a file that a `Range` header selects.
struct RangeAnswer {
  enum class Kind {
    whole,          ///< no range, or one that may be ignored: 200
    part,           ///< bytes [begin, end): 206
    unsatisfiable,  ///< begins after the end of the file: 416
  };
  Kind kind = Kind::whole;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool operator==(const RangeAnswer&) const = default;
};

/// Evaluates `Range: value` for a file of `size` bytes. Multiple ranges and malformed
/// values select the whole file, which the standard allows.
///
/// Example: "bytes=0-511" of 100 bytes is [0, 100); "bytes=-10" is [90, 100).
///
/// Reference  RFC 9110, section 14.
RangeAnswer answer_range(std::string_view value, std::uint64_t size);

/// Formats seconds since 1970, UTC, as an HTTP date: "Sun, 06 Nov 1994 08:49:37 GMT".
///
/// Reference  RFC 9110, section 5.6.7.
std::string http_date(std::int64_t seconds);

}  // namespace bev::serve
