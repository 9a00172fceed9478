#pragma once

#include <cstdint>
#include <string>

#include "native/serve/log_writer.hpp"
#include "native/serve/record.hpp"

namespace bev::serve {

/// Returns a line of an access log, without its end, in the combined format of Apache and
/// nginx, followed by the seconds that the answer took, and "aborted" if it was not sent
/// to its end:
///
///     127.0.0.1 - - [29/Nov/2026:07:43:13 +0000] "GET /data/a HTTP/1.1" 206 512 "-"
///     "curl/7.88.1" 0.000812
///
/// Times are UTC. Bytes are those of the body. Bytes other than printable ASCII, quotation
/// marks and backslashes are written as \xHH, and long values are cut. Neither query nor
/// user name, password or fragment of an address is written: they may be secret.
std::string combined_line(const Record& record);

/// Returns the same as JSON object: time, client, method, path, protocol, range, status,
/// bytes, seconds, complete, referer, agent. What is not known is null.
std::string json_line(const Record& record);

enum class LogFormat { combined, json };

/// One line per request, see combined_line() and json_line().
///
/// Thread safety  All functions are safe.
class AccessLog {
 public:
  /// As LogWriter.
  explicit AccessLog(const std::string& path, LogFormat format = LogFormat::combined)
      : format_(format), writer_(path) {}

  void add(const Record& record);

  /// Counts a line that could not be made.
  void drop_line() noexcept { writer_.drop_line(); }

  void reopen() { writer_.reopen(); }
  std::uint64_t dropped() const noexcept { return writer_.dropped(); }

 private:
  LogFormat format_;
  LogWriter writer_;
};

}  // namespace bev::serve
