#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/base/sha256.hpp"

namespace bev {

/// What is known of an object of a data set without its bytes.
struct ObjectState {
  /// Size of an object that does not exist.
  static constexpr std::uint64_t kAbsent = ~std::uint64_t{0};

  std::uint64_t size = kAbsent;  ///< in bytes
  std::uint32_t checksum = 0;    ///< CRC-32C
  std::uint32_t zip_crc = 0;     ///< CRC-32, as the directory of a .zip has it

  bool operator==(const ObjectState&) const = default;
};

/// Returns the state of an object with these bytes.
ObjectState state_of(std::span<const std::byte> bytes);

/// Computes the identity of a data set: a hash of the states of all its objects.
class DataIdentity {
 public:
  /// Adds the next object. The order matters.
  void add(std::string_view key, const ObjectState& state);

  /// Returns 32 hexadecimal digits: the first half of the SHA-256 of the states. Call
  /// once, last.
  std::string hex();

 private:
  Sha256 hash_;
};

/// Whether a text is an identity as hex() writes it.
bool is_data_identity(std::string_view text) noexcept;

/// Whether an address is below a folder that is named after the data's identity, whose
/// objects never change: "data-", and the identity or its first 16 digits or more, with
/// other parts between dashes.
///
/// Example  https://host/town/data-0123456789abcdef/scenes/town.zarr
bool is_published_as(std::string_view address, std::string_view identity) noexcept;

}  // namespace bev
