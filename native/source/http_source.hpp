#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/http/http_client.hpp"
#include "native/http/http_policy.hpp"
#include "native/source/source.hpp"
#include "native/source/validated_source.hpp"

namespace bev::native {

/// A store at an http(s) URL: "https://host/town.zarr" has the key agents/3 at
/// https://host/town.zarr/agents/3. The URL's query is added to every request.
///
/// 404 means absent. So does 403 if HttpSettings say so, and for a metadata document
/// beside one that can be read: `.zmetadata` beside `.zgroup`, say. Transient failures
/// (408, 425, 429, 5xx, no response, a truncated one) are retried, each request with
/// its own delays. After a 429, fewer concurrent requests are sent. A server that
/// answers ranges with whole or with encoded objects is remembered and asked for whole
/// objects. See native/http/http_policy.hpp.
///
/// An object that changes while it is read in parts is an error, and so is a metadata
/// document that differs when read again; see check_unchanged().
///
/// Throws         invalid_argument for an invalid URL or key; changed for an object
///                that changed; network, with key and URL, for everything else.
/// Thread safety  None: use one source from one thread.
class HttpSource : public ValidatedSource {
 public:
  explicit HttpSource(const std::string& address, const HttpSettings& settings = {});

  void read_all(std::span<const ReadRequest> requests, const OnAnswer& take) override;

  /// HTTP cannot list objects.
  std::optional<std::vector<Listed>> list(const std::string&) override {
    return std::nullopt;
  }

  std::optional<std::uint64_t> size(const std::string& key) override;
  std::string address() const override { return base_; }
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override;
  void check_unchanged() override;

  std::string url_of(const std::string& key) const override;
  const Validator& answered_state() const override { return answered_; }
  std::uint64_t received_bytes() const override { return received_; }
  std::uint64_t state_requests() const override { return heads_; }
  std::vector<std::optional<Validator>> states(
      std::span<const std::string> keys) override;

 private:
  /// An object's state according to a response.
  struct State {
    Validator validator;
    std::optional<std::size_t> hash;  ///< of a metadata document's bytes
  };
  /// The last object that was received whole in response to a range request.
  struct Whole {
    std::string key;
    std::vector<std::byte> bytes;
  };
  struct Job;
  struct Round;

  void attempt(std::vector<Job>& jobs, const OnAnswer& take);
  void schedule(const Round& round);
  void settle_denied(Job& job, const OnAnswer& take);
  bool is_described(const std::string& folder, const std::string& except);
  void settle(Job& job, HttpAnswer& answer);
  void take_whole(Job& job, HttpAnswer& answer);
  void note(const Job& job, State seen);
  [[noreturn]] void fail(const Job& job, const std::string& said,
                         Errc code = Errc::network) const;

  std::string base_;   // ends with a slash
  std::string query_;  // with its question mark, or empty
  HttpSettings settings_;
  HttpClient client_;
  std::map<std::string, State> states_;
  Whole last_;
  Validator answered_;
  std::uint64_t received_ = 0;
  std::uint64_t heads_ = 0;
  bool refuses_head_ = false;
  bool ignores_ranges_ = false;
  std::size_t width_ = HttpClient::kWide;  // concurrent requests
  std::minstd_rand random_{std::random_device{}()};
};

}  // namespace bev::native
