#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace bev::serve {

/// An address of this machine, without a port, at which a server listens.
class Address {
 public:
  /// 127.0.0.1
  Address() : Address("127.0.0.1") {}

  /// @param text  an IPv4 or IPv6 address, such as 0.0.0.0, the wildcard
  /// Throws  invalid_argument for anything else, such as a host name
  explicit Address(const std::string& text);

  /// Whether other machines may reach it.
  bool is_public() const;
  bool is_wildcard() const;

  /// Returns it as in a URL; a wildcard as the loopback address of its family.
  std::string in_url() const;

  /// Returns a socket that listens there; at ::, also for IPv4. Throws Errc::network, which names the port.
  int listen(std::uint16_t port) const;

 private:
  int family() const { return v6_ ? AF_INET6 : AF_INET; }

  std::string text_;
  bool v6_ = false;
  in_addr four_{};
  in6_addr six_{};
};

/// Returns an address without port: "127.0.0.1", "::1"; an IPv4 client of an IPv6 socket
/// as IPv4; "" for other families.
std::string address_text(const sockaddr_storage& address);

/// Whether the host of a URL is an IPv4 address, or an IPv6 address in brackets.
bool is_address(std::string_view host);

}  // namespace bev::serve
