#pragma once

#include <curl/curl.h>

#include <cstddef>
#include <map>

namespace bev::native {

/// The last answer on a connection.
struct LastAnswer {
  bool exists = false;
  bool is_http2 = false;
  std::size_t question = 0;  ///< digest of the request; 0: the answer is not compared
  std::size_t digest = 0;    ///< equal for equal answers
  bool is_spoiled = false;   ///< the connection must not be used again

  /// Whether this may be the answer to the question before.
  bool repeats(const LastAnswer& before) const {
    return !is_http2 && question != 0 && before.question != 0 &&
           question != before.question && digest == before.digest;
  }
};

/// A request in progress. libcurl can reuse its connection for another request before it
/// reports that the answer is complete.
class Asking {
 public:
  virtual ~Asking() = default;
  virtual LastAnswer answer() const = 0;
};

/// The connections of an HttpClient, which libcurl keeps open between requests.
///
/// libcurl 7.88 takes an answer that waits on a kept connection for the answer to the
/// next request. A server that sends an answer twice or late would then answer every
/// further request with another object. This class detects bytes that wait before a
/// request is sent, and answers that repeat the previous one of their connection.
///
/// Connections are identified by their local port. Those of HTTP/2, where answers name
/// their request, are not checked.
class KeptConnections {
 public:
  /// Makes `handle` open and close its sockets here; they must not outlive this.
  void watch(CURL* handle);

  /// Begins a request; returns the connection's last answer. `asking` is asked for the
  /// next one if another request begins before it is noted.
  LastAnswer begin(int port, const Asking& asking);

  /// Whether a request may be sent on the connection: false if bytes wait on it, or
  /// after a repeated answer.
  bool may_send(int port) const;

  /// Records the answer of the connection that `asking` uses.
  void note(const Asking& asking);

  /// Ends a request without an answer.
  void forget(const Asking& asking);

 private:
  struct Kept {
    LastAnswer last{};
    const Asking* asking = nullptr;
  };
  using Sockets = std::map<curl_socket_t, Kept>;

  static curl_socket_t open(void* self, curlsocktype, curl_sockaddr* address);
  static int close(void* self, curl_socket_t socket);
  Sockets::const_iterator find(int port) const;
  Kept* used_by(const Asking& asking);

  Sockets sockets_;
};

}  // namespace bev::native
