#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/s3/s3_client.hpp"

namespace bev::native {

/// Bytes above which an object is uploaded in parts, and of a part.
inline constexpr std::size_t kPartBytes = std::size_t{8} << 20;

/// How an object is written.
struct S3Put {
  /// Random; stored with the object, so that a writer recognizes its own object if the
  /// answer was lost
  std::string writer;
  bool if_absent = false;        ///< fail if the object exists
  std::string if_match{};        ///< fail unless the object has this ETag
  bool needs_condition = false;  ///< fail if the service has no conditional writes
};

/// Writes an object. Transient failures are retried, and a lost answer to a request that
/// succeeded is no failure. An object that exists against the condition, but with equal
/// bytes, is no failure either. Conditions are dropped if a server has no conditional
/// writes, unless they are needed.
///
/// Returns  its ETag; "" if it is not this writer's
/// Throws   changed if the condition does not hold; network, with URL and S3's code, for
///          everything else; parts of the object are then removed
std::string put_object(S3Client& client, const std::string& key,
                       std::span<const std::byte> bytes, const S3Put& put);

/// Removes an object, if it exists.
void delete_object(S3Client& client, const std::string& key);

/// An object that is written in parts and appears when it is complete.
///
/// Throws         see put_object()
/// Thread safety  Concurrent calls of put_part() with different clients are safe.
class S3Multipart {
 public:
  static constexpr std::size_t kMaxParts = 10'000;

  S3Multipart(S3Client& client, std::string key, S3Put put);

  /// Writes a part, all but the last of kPartBytes or more. Numbers begin with 1.
  ///
  /// Returns  its ETag
  std::string put_part(S3Client& client, std::size_t number,
                       std::span<const std::byte> bytes) const;

  /// Publishes the object; see put_object().
  ///
  /// @param etags  of all parts
  /// @param bytes  of the object, if they are in memory
  std::string complete(
      S3Client& client, std::span<const std::string> etags,
      std::optional<std::span<const std::byte>> bytes = std::nullopt) const;

  /// Removes the parts; failures are ignored.
  void abort(S3Client& client) const noexcept;

 private:
  std::string key_;
  S3Put put_;
  std::string id_;  // URL-encoded
};

/// Returns a writer's name: 128 random bits.
std::string random_writer();

}  // namespace bev::native
