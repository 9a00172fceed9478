#include "native/http/kept_connections.hpp"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace bev::native {
namespace {

/// Returns a socket's local port; 0 if it has none.
int local_port(curl_socket_t socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(socket, generic, &size) != 0) return 0;
  if (address.ss_family == AF_INET) {
    return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
  }
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return 0;
}

}  // namespace

void KeptConnections::watch(CURL* handle) {
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETFUNCTION, &open);
  curl_easy_setopt(handle, CURLOPT_OPENSOCKETDATA, this);
  curl_easy_setopt(handle, CURLOPT_CLOSESOCKETFUNCTION, &close);
  curl_easy_setopt(handle, CURLOPT_CLOSESOCKETDATA, this);
}

LastAnswer KeptConnections::begin(int port, const Asking& asking) {
  const auto found = find(port);
  if (found == sockets_.end()) return {};
  auto& kept = sockets_[found->first];
  if (kept.asking != nullptr && kept.asking != &asking)
    kept.last = kept.asking->answer();
  kept.asking = &asking;
  return kept.last;
}

bool KeptConnections::may_send(int port) const {
  const auto found = find(port);
  if (found == sockets_.end()) return true;
  const auto& last = found->second.last;
  if (last.is_spoiled) return false;
  if (!last.exists || last.is_http2) return true;
  char byte = 0;
  return ::recv(found->first, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0;
}

void KeptConnections::note(const Asking& asking) {
  if (auto* const kept = used_by(asking)) *kept = {.last = asking.answer()};
}

void KeptConnections::forget(const Asking& asking) {
  while (auto* const kept = used_by(asking)) kept->asking = nullptr;
}

KeptConnections::Kept* KeptConnections::used_by(const Asking& asking) {
  for (auto& [socket, kept] : sockets_) {
    if (kept.asking == &asking) return &kept;
  }
  return nullptr;
}

curl_socket_t KeptConnections::open(void* self, curlsocktype, curl_sockaddr* address) {
  const auto socket =
      ::socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
  if (socket == CURL_SOCKET_BAD) return socket;
  try {
    static_cast<KeptConnections*>(self)->sockets_[socket] = {};
  } catch (const std::bad_alloc&) {  // must not pass through libcurl
    ::close(socket);
    return CURL_SOCKET_BAD;
  }
  return socket;
}

int KeptConnections::close(void* self, curl_socket_t socket) {
  static_cast<KeptConnections*>(self)->sockets_.erase(socket);
  return ::close(socket);
}

KeptConnections::Sockets::const_iterator KeptConnections::find(int port) const {
  return std::find_if(sockets_.begin(), sockets_.end(),
                      [&](const auto& each) { return local_port(each.first) == port; });
}

}  // namespace bev::native
