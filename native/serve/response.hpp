#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/serve/request.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// A response: a head, and as body part of a file or a short text.
struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string text;                  ///< the body, unless `file` is set
  std::optional<native::File> file;  ///< the body is bytes [begin, end) of it
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool head_only = false;  ///< response to HEAD: no body is sent

  std::uint64_t body_size() const { return file ? end - begin : text.size(); }
  const std::string* header(std::string_view name) const;
};

/// Returns the response to a request: GET, HEAD and OPTIONS, ranges, revalidation, gzip
/// for the app's text, and CORS headers if site.access() allows it. A request for an
/// unknown host gets 421.
///
/// Files with a hash in their name are cached as immutable. Everything else is
/// "no-cache" (revalidated each time), because data and app change during development.
///
/// Throws     Nothing for invalid requests, which get an error status. Errc::network if
///            a file cannot be read.
/// Reference  RFC 9110; RFC 8246; the Fetch standard, "CORS protocol".
Response respond(const Request& request, const Site& site);

/// Returns a response with a line of text as body, such as "404 Not Found".
Response plain_response(int status, std::string text);

/// Returns the status line and headers, including the empty line. `now` is in seconds
/// since 1970.
std::string head_of(const Response& response, bool keep_alive, std::int64_t now);

}  // namespace bev::serve
