#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/http/http_client.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// A store below an http(s) address: "https://host/town.zarr" has the key agents/3 at
/// https://host/town.zarr/agents/3. A query in the address goes with every request.
///
/// 404 is absence. 403 is too where HttpSettings say so, and for a metadata document
/// next to one that can be read: `.zmetadata` beside `.zgroup`, say. What may pass (408,
/// 425, 429, 5xx, no answer, one cut short) is tried again, each request after pauses of
/// its own. After a 429 fewer requests are sent at a time. A server that answers ranges
/// with whole objects is remembered.
///
/// An object that changes while it is read in parts is an error, and so is a metadata
/// document that differs when it is read again; see check_unchanged().
///
/// Errors   invalid_argument for an address that is none, and a key that is no path;
///          network, with key and address, for everything else.
/// Threads  A source belongs to one thread.
class HttpSource final : public Source {
 public:
  explicit HttpSource(const std::string& address, const HttpSettings& settings = {});

  std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<store::ByteRange>& range) override;
  void read_all(std::span<const store::Request> requests, const Take& take) override;

  /// HTTP has no listing.
  std::optional<std::vector<Listed>> list(const std::string&) override {
    return std::nullopt;
  }

  std::optional<std::uint64_t> size(const std::string& key) override;
  std::vector<std::optional<std::uint64_t>> sizes(
      std::span<const std::string> keys) override;
  void check_unchanged() override;

 private:
  /// What an answer says of the state of its object.
  struct State {
    std::string etag;
    std::string modified;
    std::optional<std::uint64_t> size;
    std::optional<std::size_t> hash;  ///< of the bytes of a metadata document
  };
  /// The last object that came whole for the sake of a range.
  struct Whole {
    std::string key;
    std::vector<std::byte> bytes;
  };
  struct Job;
  struct Round;

  std::string url_of(const std::string& key) const;
  void attempt(std::vector<Job>& jobs, const Take& take);
  void schedule(const Round& round);
  void settle_denied(Job& job, const Take& take);
  bool is_described(const std::string& folder, const std::string& except);
  void judge(Job& job, HttpAnswer& answer);
  void judge_whole(Job& job, HttpAnswer& answer);
  void judge_part(Job& job, HttpAnswer& answer);
  void judge_denied(Job& job) const;
  void note(const Job& job, State seen);
  [[noreturn]] void fail(const Job& job, const std::string& said,
                         Errc code = Errc::network) const;

  std::string base_;   // ends in a slash
  std::string query_;  // with its question mark, or empty
  HttpSettings settings_;
  HttpClient client_;
  std::map<std::string, State> states_;
  Whole last_;
  bool ignores_ranges_ = false;
  std::size_t width_ = HttpClient::kWide;  // requests at a time
  std::minstd_rand random_{std::random_device{}()};
};

/// Whether a DATASET of the command line is read by HttpSource.
bool is_url(std::string_view dataset);

}  // namespace bev::native
