#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace bev::test {

/// A server on 127.0.0.1 that sends scripted bytes and records requests. Connections
/// are kept open unless an answer is "".
class ScriptedServer {
 public:
  /// Returns the answer, including its head, to a request: its head, and after an empty
  /// line its body, if it has one.
  using Script = std::function<std::string(const std::string& request)>;
  /// The same, told which connection the request came on.
  using ConnectionScript =
      std::function<std::string(const std::string&, int connection)>;

  /// Whether the script is called for one request at a time.
  enum class Calls { single, concurrent };

  explicit ScriptedServer(Script script, Calls calls = Calls::single)
      : ScriptedServer([script = std::move(script)](const std::string& request,
                                                    int) { return script(request); },
                       calls) {}

  explicit ScriptedServer(ConnectionScript script, Calls calls = Calls::single)
      : script_(std::move(script)),
        calls_(calls),
        listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
      throw std::runtime_error("no port");
    }
    port_ = ntohs(address.sin_port);
    acceptor_ = std::thread([this] { accept(); });
  }
  ScriptedServer(const ScriptedServer&) = delete;
  ScriptedServer& operator=(const ScriptedServer&) = delete;
  ~ScriptedServer() {
    stopped_ = true;
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int socket : sockets_) ::shutdown(socket, SHUT_RDWR);
    }
    for (auto& thread : threads_) thread.join();
    for (const int socket : sockets_) ::close(socket);
    ::close(listener_);
  }

  std::string origin() const { return "http://127.0.0.1:" + std::to_string(port_); }

  /// Returns the request lines and headers received so far.
  std::vector<std::string> requests() const {
    const std::lock_guard lock(mutex_);
    return requests_;
  }
  std::size_t connections() const {
    const std::lock_guard lock(mutex_);
    return sockets_.size();
  }

  /// Returns a whole answer: a status such as "200 OK", headers, each with a line end,
  /// and a body.
  static std::string answer(const std::string& status, const std::string& body,
                            const std::string& headers = "") {
    return "HTTP/1.1 " + status + "\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }

 private:
  void accept() {
    while (!stopped_) {
      const int socket = ::accept(listener_, nullptr, nullptr);
      if (socket < 0) return;
      const std::lock_guard lock(mutex_);
      sockets_.push_back(socket);
      threads_.emplace_back([this, socket] { serve(socket); });
    }
  }

  void serve(int socket) {
    std::string heard;
    char buffer[4096];
    for (;;) {
      const auto end = heard.find("\r\n\r\n");
      if (end == std::string::npos) {
        const auto got = ::recv(socket, buffer, sizeof buffer, 0);
        if (got <= 0) return;
        heard.append(buffer, static_cast<std::size_t>(got));
        continue;
      }
      const auto size = end + 4 + body_bytes(heard.substr(0, end + 2));
      if (heard.size() < size) {
        const auto got = ::recv(socket, buffer, sizeof buffer, 0);
        if (got <= 0) return;
        heard.append(buffer, static_cast<std::size_t>(got));
        continue;
      }
      auto request = heard.substr(0, end + 2);
      if (size > end + 4) request += heard.substr(end + 2, size - end - 2);
      const auto said = reply(request, socket);
      heard.erase(0, size);
      if (said.empty()) {
        ::shutdown(socket, SHUT_RDWR);
        return;
      }
      if (::send(socket, said.data(), said.size(), MSG_NOSIGNAL) < 0) return;
      if (said.find("Connection: close") != std::string::npos) {
        ::shutdown(socket, SHUT_RDWR);
      }
    }
  }

  static std::size_t body_bytes(const std::string& head) {
    const std::string name = "\r\nContent-Length: ";
    const auto at = head.find(name);
    return at == head.npos ? 0 : std::stoul(head.substr(at + name.size()));
  }

  std::string reply(const std::string& request, int socket) {
    std::unique_lock lock(mutex_);
    requests_.push_back(request);
    if (calls_ == Calls::concurrent) lock.unlock();
    return script_(request, socket);
  }

  ConnectionScript script_;
  Calls calls_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<bool> stopped_ = false;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::vector<int> sockets_;
  std::list<std::thread> threads_;
  std::thread acceptor_;
};

}  // namespace bev::test
