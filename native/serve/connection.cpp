#include "native/serve/connection.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <exception>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/serve/request.hpp"
#include "native/serve/response.hpp"

namespace bev::serve {
namespace {

constexpr std::size_t kMaxHeadBytes = 16 << 10;
constexpr std::size_t kSendBytes = 256 << 10;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

class Connection {
 public:
  Connection(int socket, const Site& site, const StopSignal& stop,
             const Patience& patience)
      : socket_(socket), site_(site), stop_(stop), patience_(patience) {}

  void run() {
    while (!stop_.stopping && answer_one()) {
    }
  }

 private:
  enum class Head { complete, too_long, timed_out, closed };

  bool answer_one();
  Head read_head();
  bool wait_for_bytes();
  bool receive();
  bool send(std::span<const std::byte> bytes);
  bool send_body(const Response& response);
  bool send_response(const Response& response, bool keep_alive);

  int socket_;
  const Site& site_;
  const StopSignal& stop_;
  const Patience& patience_;
  std::string received_;  // of the peer, not yet taken
};

/// A server that is asked for nothing but files takes no body; whatever follows a head
/// that announces one could be mistaken for the next request, so the connection ends.
bool announces_body(const Request& request) {
  const auto* length = request.header("content-length");
  return request.header("transfer-encoding") != nullptr ||
         (length != nullptr && *length != "0");
}

Response respond_or_report(const Request& request, const Site& site) {
  try {
    return respond(request, site);
  } catch (const std::exception& error) {
    return plain_response(500, std::string(error.what()) + "\n");
  }
}

bool Connection::answer_one() {
  switch (read_head()) {
    case Head::closed: return false;
    case Head::timed_out:
      send_response(plain_response(408, "too slow\n"), false);
      return false;
    case Head::too_long:
      send_response(plain_response(431, "head too long\n"), false);
      return false;
    case Head::complete: break;
  }
  const auto end = received_.find(kEndOfHead);
  const auto request = parse_request(std::string_view(received_).substr(0, end));
  received_.erase(0, end + kEndOfHead.size());
  if (!request) {
    send_response(plain_response(400, "not HTTP/1.1\n"), false);
    return false;
  }
  if (announces_body(*request)) {
    send_response(plain_response(413, "a request has no body here\n"), false);
    return false;
  }
  const bool keep_alive = request->keep_alive && !stop_.stopping;
  return send_response(respond_or_report(*request, site_), keep_alive) && keep_alive;
}

Connection::Head Connection::read_head() {
  while (received_.find(kEndOfHead) == std::string::npos) {
    if (received_.size() > kMaxHeadBytes) return Head::too_long;
    if (!wait_for_bytes()) return received_.empty() ? Head::closed : Head::timed_out;
    if (!receive()) return Head::closed;
  }
  return Head::complete;
}

bool Connection::wait_for_bytes() {
  std::array<pollfd, 2> watched = {
      {{socket_, POLLIN, 0}, {stop_.descriptor, POLLIN, 0}}};
  const int limit = received_.empty() ? patience_.idle_ms : patience_.transfer_ms;
  return ::poll(watched.data(), watched.size(), limit) > 0 && watched[0].revents != 0;
}

bool Connection::receive() {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (got > 0) received_.append(buffer.data(), static_cast<std::size_t>(got));
  return got > 0 || (got < 0 && (errno == EAGAIN || errno == EINTR));
}

bool Connection::send(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      bytes = bytes.subspan(static_cast<std::size_t>(sent));
      continue;
    }
    if (errno != EAGAIN && errno != EINTR) return false;
    pollfd writable = {socket_, POLLOUT, 0};
    const int limit = stop_.stopping ? patience_.farewell_ms : patience_.transfer_ms;
    if (::poll(&writable, 1, limit) == 0) return false;
  }
  return true;
}

bool Connection::send_body(const Response& response) {
  if (!response.file) return send(std::as_bytes(std::span(response.text)));
  std::vector<std::byte> buffer(
      std::min<std::uint64_t>(kSendBytes, response.body_size()));
  for (auto at = response.begin; at < response.end;) {
    const auto wanted = std::min<std::uint64_t>(buffer.size(), response.end - at);
    const auto got = response.file->read_at(at, std::span(buffer).first(wanted));
    if (got == 0) return false;  // cut since its size was announced
    if (!send(std::span(buffer).first(got))) return false;
    at += got;
  }
  return true;
}

bool Connection::send_response(const Response& response, bool keep_alive) {
  const auto head = head_of(response, keep_alive, std::time(nullptr));
  if (!send(std::as_bytes(std::span(head)))) return false;
  return response.head_only || send_body(response);
}

}  // namespace

void serve_connection(int socket, const Site& site, const StopSignal& stop,
                      const Patience& patience) {
  try {
    Connection(socket, site, stop, patience).run();
  } catch (const std::exception&) {
    // A file that fails half-way: the head is out, so the connection is cut, which is
    // the only sign of failure that HTTP has left.
  }
}

}  // namespace bev::serve
