#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "native/http/http_policy.hpp"
#include "native/source/source.hpp"

namespace bev::native {

/// A source that knows the state of the objects it reads, as a cache needs it.
class ValidatedSource : public Source {
 public:
  /// Returns an object's URL with the source's query.
  virtual std::string url_of(const std::string& key) const = 0;

  /// The object's state according to the response that is being passed to OnAnswer;
  /// empty if the server does not expose it, or if the object is absent.
  virtual const Validator& answered_state() const = 0;

  /// Bytes of accepted bodies received so far.
  virtual std::uint64_t received_bytes() const = 0;

  /// Number of answered requests for states.
  virtual std::uint64_t state_requests() const = 0;

  /// Asks the server for the state of objects without reading them (HEAD), concurrently.
  /// Each request is sent once, because a failing HEAD is not a failure of the data.
  ///
  /// Returns  for each key its state, as far as the server exposes it; nullopt if the
  ///          request failed or the object is absent
  /// Throws   changed if an object changed since it was read
  virtual std::vector<std::optional<Validator>> states(
      std::span<const std::string> keys) = 0;
};

}  // namespace bev::native
