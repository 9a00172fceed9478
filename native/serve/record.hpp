#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "native/serve/request.hpp"

namespace bev::serve {

/// A request and its answer, when the answer has ended.
struct Record {
  std::string_view client = {};      ///< IP address; "": not known
  const Request* request = nullptr;  ///< nullptr: it could not be parsed
  int status = 0;
  std::uint64_t body_bytes = 0;  ///< passed to the system, without the head
  /// Whether the whole answer was passed to the system. If not, the client left or was
  /// too slow, the server stopped, or the file was truncated.
  bool complete = true;
  std::chrono::system_clock::time_point received{};  ///< when the request was complete
  std::chrono::nanoseconds duration{};               ///< from then to the answer's end
};

}  // namespace bev::serve
