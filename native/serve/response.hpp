#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "native/serve/request.hpp"
#include "native/serve/site.hpp"

namespace bev::serve {

/// What is sent back: a head, and a part of a file or a few words as the body.
struct Response {
  int status = 200;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string text;                  ///< the body, unless `file` is it
  std::optional<native::File> file;  ///< bytes [begin, end) of it are the body
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
  bool head_only = false;  ///< the answer to HEAD: no body follows

  std::uint64_t body_size() const { return file ? end - begin : text.size(); }
  const std::string* header(std::string_view name) const;
};

/// Answers a request: GET, HEAD and OPTIONS, ranges, revalidation, gzip for the app's
/// text, and the headers that let pages of other origins read, where site.access()
/// allows it. A request for a host that is not served gets 421.
///
/// Caching   Files with a hash in their name are immutable. Everything else is
///           "no-cache" (ask again each time), for data and app change under a
///           developer's hands.
/// Errors    None for what a client may do: those are statuses. Errc::network if a file
///           cannot be read.
/// Source: RFC 9110; RFC 8246; the Fetch standard, "CORS protocol".
Response respond(const Request& request, const Site& site);

/// A plain answer of its own, "404 Not Found" and a line of text.
Response plain_response(int status, std::string text);

/// The status line and headers, the empty line included. `now` is in seconds since
/// 1970.
std::string head_of(const Response& response, bool keep_alive, std::int64_t now);

}  // namespace bev::serve
