#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <span>

#include "native/http/http_client.hpp"

namespace bev::native {

/// Sends requests and calls the last argument with each answer, as HttpClient::get().
using HttpTransport =
    std::function<void(const HttpSettings& settings, std::span<const HttpRequest>,
                       std::size_t width, const HttpClient::OnAnswer&)>;

/// Waits until a time; may throw to end the read.
using HttpWait = std::function<void(std::chrono::steady_clock::time_point due)>;

/// Sets the transport of all clients, and how they wait before a retry. Only for builds without libcurl, in which
/// http_client_host.cpp replaces http_client.cpp; without a transport, requests throw
/// `unsupported`.
///
/// Thread safety  Call it before the first request.
void set_http_transport(HttpTransport transport, HttpWait wait = nullptr);

}  // namespace bev::native
