#pragma once

#include <string>

#include "core/base/error.hpp"
#include "core/base/secrets.hpp"

namespace bev::native {

/// Runs `work`, which reads a data set. Adds the data set's address to the error of an
/// absent object, which names the object alone: there may be no data set.
template <class Work>
auto at_dataset(const std::string& address, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    if (error.code() != Errc::missing_key) throw;
    fail_at(error.code(), without_secrets(address), {error.what()});
  }
}

}  // namespace bev::native
