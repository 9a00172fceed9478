#include "native/serve/address.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "core/base/error.hpp"

namespace bev::serve {
namespace {

[[noreturn]] void refuse(const std::string& address, std::uint16_t port, int error) {
  throw Error(Errc::network, address + ", port " + std::to_string(port) + ": " +
                                 std::generic_category().message(error));
}

template <class SocketAddress>
bool bind_to(int socket, const SocketAddress& address) {
  return ::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) ==
         0;
}

}  // namespace

Address::Address(const std::string& text) : text_(text) {
  if (::inet_pton(AF_INET, text.c_str(), &four_) == 1) return;
  v6_ = ::inet_pton(AF_INET6, text.c_str(), &six_) == 1;
  if (v6_) return;
  throw Error(Errc::invalid_argument,
              "not an IP address (found \"" + text +
                  "\", expected one such as 0.0.0.0, for all of this machine's)");
}

bool Address::is_public() const {
  return v6_ ? !IN6_IS_ADDR_LOOPBACK(&six_) : ntohl(four_.s_addr) >> 24 != 127;
}

bool Address::is_wildcard() const {
  return v6_ ? IN6_IS_ADDR_UNSPECIFIED(&six_) : four_.s_addr == INADDR_ANY;
}

std::string Address::in_url() const {
  if (is_wildcard()) return v6_ ? "[::1]" : "127.0.0.1";
  return v6_ ? "[" + text_ + "]" : text_;
}

int Address::listen(std::uint16_t port) const {
  const int socket = ::socket(family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (socket < 0) refuse(text_, port, errno);
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (v6_ && is_wildcard()) {
    const int no = 0;
    ::setsockopt(socket, IPPROTO_IPV6, IPV6_V6ONLY, &no, sizeof no);
  }
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(port);
  four.sin_addr = four_;
  sockaddr_in6 six{};
  six.sin6_family = AF_INET6;
  six.sin6_port = htons(port);
  six.sin6_addr = six_;
  const bool bound = v6_ ? bind_to(socket, six) : bind_to(socket, four);
  if (!bound || ::listen(socket, 128) != 0) {
    const int error = errno;
    ::close(socket);
    refuse(text_, port, error);
  }
  return socket;
}

std::string address_text(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const void* bytes = nullptr;
  if (address.ss_family == AF_INET) {
    bytes = &reinterpret_cast<const sockaddr_in&>(address).sin_addr;
  } else if (address.ss_family == AF_INET6) {
    bytes = &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr;
  }
  if (bytes == nullptr ||
      ::inet_ntop(address.ss_family, bytes, text.data(), text.size()) == nullptr) {
    return {};
  }
  constexpr std::string_view kMapped = "::ffff:";
  const std::string_view found(text.data());
  const bool is_mapped =
      found.starts_with(kMapped) && found.find('.') != std::string_view::npos;
  return std::string(is_mapped ? found.substr(kMapped.size()) : found);
}

bool is_address(std::string_view host) {
  in_addr four{};
  in6_addr six{};
  if (host.starts_with('[') && host.ends_with(']')) {
    const std::string inside(host.substr(1, host.size() - 2));
    return ::inet_pton(AF_INET6, inside.c_str(), &six) == 1;
  }
  return ::inet_pton(AF_INET, std::string(host).c_str(), &four) == 1;
}

}  // namespace bev::serve
