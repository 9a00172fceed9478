#include "native/serve/loop.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <list>
#include <new>
#include <vector>

#include "native/serve/address.hpp"

namespace bev::serve {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds kAcceptPause{100};  // if the process has run out of descriptors
constexpr milliseconds kLongestWait{60'000};

class Loop {
 public:
  explicit Loop(const LoopContext& context) : context_(context) {}

  void run() {
    while (!stopping_ || !connections_.empty()) {
      try {
        turn();
      } catch (const std::bad_alloc&) {
        connections_.clear();  // frees most of the memory in use
      }
    }
  }

 private:
  bool accepts(Time now) const {
    return !stopping_ && connections_.size() < kLoopConnections && now >= accept_from_;
  }

  void watch(int descriptor, short events) {
    watched_.push_back({descriptor, events, 0});
  }

  /// Returns the milliseconds until the next deadline.
  int wait_ms(Time now) const {
    Time due = now + kLongestWait;
    if (now < accept_from_) due = std::min(due, accept_from_);
    for (const auto& connection : connections_) {
      due = std::min(due, connection.deadline());
    }
    if (due <= now) return 0;
    return static_cast<int>(std::chrono::ceil<milliseconds>(due - now).count());
  }

  void turn() {
    const auto before = Clock::now();
    const bool accepting = accepts(before);
    watched_.clear();
    watch(stopping_ ? -1 : context_.stop, POLLIN);
    watch(accepting ? context_.listener : -1, POLLIN);
    for (const auto& connection : connections_) {
      watch(connection.socket(), connection.events());
    }
    if (::poll(watched_.data(), watched_.size(), wait_ms(before)) < 0) {
      for (auto& entry : watched_) entry.revents = 0;  // interrupted
    }
    const auto now = Clock::now();
    serve(now);
    if (watched_[0].revents != 0) stop(now);
    if (watched_[1].revents != 0 && accepts(now)) accept(now);
  }

  void serve(Time now) {
    std::size_t at = 2;
    for (auto here = connections_.begin(); here != connections_.end(); ++at) {
      const bool is_due = watched_[at].revents != 0 || here->deadline() <= now;
      const bool goes_on = !is_due || here->advance(now);
      here = goes_on ? std::next(here) : connections_.erase(here);
    }
  }

  void stop(Time now) {
    stopping_ = true;
    connections_.remove_if([&](auto& connection) { return !connection.stop(now); });
  }

  void accept(Time now) {
    sockaddr_storage client{};
    socklen_t size = sizeof client;
    const int socket =
        ::accept4(context_.listener, reinterpret_cast<sockaddr*>(&client), &size,
                  SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (socket >= 0) {
      const int yes = 1;
      ::setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
      connections_.emplace_back(socket, context_.connection, now, address_text(client));
      return;
    }
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) {
      return;  // another thread took it, or the peer gave up
    }
    const auto idle = std::find_if(connections_.begin(), connections_.end(),
                                   [](const auto& one) { return one.is_idle(); });
    if (idle != connections_.end()) connections_.erase(idle);
    accept_from_ = now + kAcceptPause;
  }

  const LoopContext context_;
  bool stopping_ = false;
  Time accept_from_ = Time::min();
  std::list<Connection> connections_;
  std::vector<pollfd> watched_;
};

}  // namespace

void run_loop(const LoopContext& context) {
  Loop(context).run();
}

}  // namespace bev::serve
