#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store/request.hpp"

namespace bev::native {

/// An object of a store, as a listing shows it.
struct Listed {
  std::string key;         ///< "agents/3"
  std::uint64_t size = 0;  ///< bytes as stored
};

/// Where bytes come from: what turns the keys that the core asks for into bytes.
class Source {
 public:
  virtual ~Source() = default;

  /// The object under `key`, or what there is of a range of it; nullopt if there is no
  /// such object. Every other failure throws Error: a failed read is never an absence.
  virtual std::optional<std::vector<std::byte>> read(
      const std::string& key, const std::optional<store::ByteRange>& range) = 0;

  /// Every object below `prefix` ("agents/", "" all), sorted by key.
  virtual std::vector<Listed> list(const std::string& prefix) = 0;
};

/// The source that a DATASET of the command line names.
///
/// @throws Error  not_found if nothing is there; unsupported for a .zip and an http(s)
///                address, which this version does not read
std::unique_ptr<Source> open_source(const std::string& dataset);

/// What is read before an array: the store it belongs to, and its path in there.
struct ArrayAddress {
  std::string dataset;  ///< the topmost group around the array, or the array itself
  std::string array;    ///< path below it; "" if the array is the store
};

/// Takes DATASET/ARRAY of the command line apart, by looking at what is there.
///
/// @throws Error  not_found if there is no array at that path; a group says which
/// arrays
///                it has. unsupported as open_source().
ArrayAddress find_array(const std::string& path);

}  // namespace bev::native
