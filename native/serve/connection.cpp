#include "native/serve/connection.hpp"

#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <ctime>
#include <exception>
#include <new>
#include <utility>

#include "core/base/error.hpp"
#include "native/serve/request.hpp"

namespace bev::serve {
namespace {

constexpr std::size_t kMaxHeadBytes = 16 << 10;
constexpr std::size_t kSendBytes = 256 << 10;
// Limits per turn, after which other connections are served.
constexpr int kSendsPerTurn = 8;
constexpr int kStepsPerTurn = 64;
constexpr std::string_view kEndOfHead = "\r\n\r\n";

Time after(Time now, int milliseconds) {
  return now + std::chrono::milliseconds(milliseconds);
}

bool may_pass(int error) {
  return error == EAGAIN || error == EWOULDBLOCK || error == EINTR;
}

/// The server accepts no request bodies. Bytes after a head that announces one could be
/// parsed as the next request, so the connection is closed.
bool announces_body(const Request& request) {
  const auto* length = request.header("content-length");
  return request.header("transfer-encoding") != nullptr ||
         (length != nullptr && length->find_first_not_of('0') != length->npos);
}

Response respond_or_report(const Request& request, const ConnectionContext& context) {
  try {
    return respond(request, context.site, context.pages);
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    return plain_response(500, std::string(error.what()) + "\n");
  }
}

}  // namespace

short Connection::events() const noexcept {
  return phase_ == Phase::sending ? POLLOUT : POLLIN;
}

Connection::Connection(int socket, const ConnectionContext& context, Time now,
                       std::string client)
    : socket_(socket),
      context_(context),
      client_(std::move(client)),
      deadline_(after(now, context.timeouts.idle_ms)) {
  if (context_.metrics != nullptr) context_.metrics->open();
  // Small, so that writability is reported often; see made_progress() for the rest.
  const int buffer = static_cast<int>(kSendBytes);
  ::setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &buffer, sizeof buffer);
}

Connection::Connection(Connection&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      context_(other.context_),
      client_(std::move(other.client_)),
      phase_(other.phase_),
      deadline_(other.deadline_),
      stopping_(other.stopping_),
      received_(std::move(other.received_)),
      response_(std::move(other.response_)),
      keep_alive_(other.keep_alive_),
      request_(std::move(other.request_)),
      received_at_(other.received_at_),
      began_(other.began_),
      head_bytes_(other.head_bytes_),
      sent_before_(other.sent_before_),
      next_(other.next_),
      out_(std::move(other.out_)),
      out_sent_(other.out_sent_),
      sent_(other.sent_),
      acknowledged_(other.acknowledged_),
      has_more_(other.has_more_) {}

Connection::~Connection() {
  if (socket_ < 0) return;  // moved
  if (phase_ == Phase::sending) report(false);
  if (context_.metrics != nullptr) context_.metrics->close();
  ::close(socket_);
}

bool Connection::advance(Time now) {
  has_more_ = false;
  for (int i = 0; i < kStepsPerTurn; ++i) {
    const auto step = phase_ == Phase::receiving ? receive(now)
                      : phase_ == Phase::sending ? send(now)
                                                 : close(now);
    if (step != Step::again) return step == Step::wait;
  }
  has_more_ = true;
  return true;
}

bool Connection::stop(Time now) {
  stopping_ = true;
  deadline_ = std::min(deadline_, after(now, context_.timeouts.closing_ms));
  return phase_ != Phase::receiving;
}

Connection::Step Connection::receive(Time now) {
  if (received_.find(kEndOfHead) != std::string::npos) return take_request(now);
  if (received_.size() > kMaxHeadBytes) {
    return refuse(431, "head too long\n", now);
  }
  std::array<char, 4096> buffer{};
  const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (got > 0) {
    // One deadline for the whole request: single bytes do not extend it.
    if (received_.empty()) deadline_ = after(now, context_.timeouts.head_ms);
    received_.append(buffer.data(), static_cast<std::size_t>(got));
    return Step::again;
  }
  if (got == 0 || !may_pass(errno)) return Step::over;
  if (now < deadline_) return Step::wait;
  if (received_.empty()) {
    // Not idle while the client still acknowledges the previous response.
    if (unacknowledged() == 0 || !made_progress()) return Step::over;
    deadline_ = after(now, context_.timeouts.stall_ms);
    return Step::wait;
  }
  return refuse(408, "request incomplete\n", now);
}

void Connection::begin_answer() {
  request_.reset();
  received_at_ = std::chrono::system_clock::now();
  began_ = std::chrono::steady_clock::now();
}

Connection::Step Connection::refuse(int status, std::string reason, Time now) {
  begin_answer();
  return start(plain_response(status, std::move(reason)), false, now);
}

Connection::Step Connection::take_request(Time now) {
  const auto end = received_.find(kEndOfHead);
  auto request = parse_request(std::string_view(received_).substr(0, end));
  received_.erase(0, end + kEndOfHead.size());
  if (!request) return refuse(400, "not a request of HTTP/1.1\n", now);
  begin_answer();
  request_ = std::move(request);
  if (announces_body(*request_)) {
    return start(plain_response(413, "a request has no body here\n"), false, now);
  }
  return start(respond_or_report(*request_, context_), request_->keep_alive, now);
}

Connection::Step Connection::start(Response response, bool keep_alive, Time now) {
  keep_alive_ = keep_alive && !stopping_;
  const auto head = head_of(response, keep_alive_, std::time(nullptr));
  const auto bytes = std::as_bytes(std::span(head));
  out_.assign(bytes.begin(), bytes.end());
  out_sent_ = 0;
  head_bytes_ = out_.size();
  sent_before_ = sent_;
  next_ = response.head_only ? response.body_size() : 0;
  response_.emplace(std::move(response));
  phase_ = Phase::sending;
  deadline_ = after(now, context_.timeouts.stall_ms);
  return Step::again;
}

/// Counts and logs the current answer. A log that cannot be written is no reason to end
/// a connection.
void Connection::report(bool is_complete) noexcept {
  if (context_.metrics == nullptr && context_.log == nullptr) return;
  const auto bytes = sent_ - sent_before_;
  const Record record = {
      .client = client_,
      .request = request_ ? &*request_ : nullptr,
      .status = response_->status,
      .body_bytes = bytes - std::min(bytes, head_bytes_),
      .complete = is_complete,
      .received = received_at_,
      .duration = std::chrono::steady_clock::now() - began_,
  };
  if (context_.metrics != nullptr) context_.metrics->count(record);
  try {
    if (context_.log != nullptr) context_.log->add(record);
  } catch (const std::exception&) {
    context_.log->drop_line();
  }
}

/// Reads the next part of the body into out_. Returns false if the file is truncated:
/// the head announced more bytes, so closing the connection is the only way left to
/// signal failure.
bool Connection::fill() {
  const auto size = response_->body_size();
  const auto count =
      static_cast<std::size_t>(std::min<std::uint64_t>(kSendBytes, size - next_));
  out_sent_ = 0;
  if (!response_->file) {
    const auto bytes = std::as_bytes(std::span(response_->text).subspan(next_, count));
    out_.assign(bytes.begin(), bytes.end());
  } else {
    out_.resize(count);
    try {
      out_.resize(response_->file->read_at(response_->begin + next_, out_));
    } catch (const Error&) {
      return false;
    }
  }
  next_ += out_.size();
  return !out_.empty();
}

Connection::Step Connection::send(Time now) {
  for (int turn = 0; turn < kSendsPerTurn;) {
    if (out_sent_ == out_.size()) {
      if (next_ == response_->body_size()) return finish_answer(now);
      if (!fill()) return Step::over;
      ++turn;
    }
    const ssize_t count =
        ::send(socket_, out_.data() + out_sent_, out_.size() - out_sent_, MSG_NOSIGNAL);
    if (count >= 0) {
      out_sent_ += static_cast<std::size_t>(count);
      sent_ += static_cast<std::uint64_t>(count);
      if (context_.metrics != nullptr) {
        context_.metrics->send(static_cast<std::uint64_t>(count));
      }
      continue;
    }
    if (!may_pass(errno)) return Step::over;
    if (now < deadline_) return Step::wait;
    if (stopping_ || !made_progress()) return Step::over;
    deadline_ = after(now, context_.timeouts.stall_ms);
    return Step::wait;
  }
  return Step::wait;
}

/// Bytes in the send buffer that the client has not acknowledged.
std::uint64_t Connection::unacknowledged() const {
  int count = 0;
  if (::ioctl(socket_, SIOCOUTQ, &count) != 0 || count < 0) return 0;
  return static_cast<std::uint64_t>(count);
}

/// Whether the client has acknowledged bytes since the last call.
bool Connection::made_progress() {
  const auto acknowledged = sent_ - std::min(sent_, unacknowledged());
  return std::exchange(acknowledged_, acknowledged) != acknowledged;
}

Connection::Step Connection::finish_answer(Time now) {
  report(true);
  response_.reset();
  out_ = {};
  out_sent_ = 0;
  if (keep_alive_ && !stopping_) {
    phase_ = Phase::receiving;
    deadline_ = after(
        now, received_.empty() ? context_.timeouts.idle_ms : context_.timeouts.head_ms);
    return Step::again;
  }
  // close() with unread input would reset the connection, and the client would lose the
  // part of the response that it has not received.
  ::shutdown(socket_, SHUT_WR);
  phase_ = Phase::closing;
  deadline_ = after(now, stopping_ ? 0 : context_.timeouts.closing_ms);
  return Step::again;
}

Connection::Step Connection::close(Time now) {
  std::array<char, 4096> buffer{};
  const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
  if (got == 0 || (got < 0 && !may_pass(errno))) return Step::over;
  if (now < deadline_) return Step::wait;
  const bool has_all = unacknowledged() <= 1;  // except the FIN
  if (stopping_ || has_all || !made_progress()) return Step::over;
  deadline_ = after(now, context_.timeouts.stall_ms);
  return Step::wait;
}

}  // namespace bev::serve
