#pragma once

#include <optional>

#include "include/bevscope/error.hpp"

namespace bev::test {

/// Returns the code of the error that `call` throws; nullopt if it throws none.
template <class Call>
std::optional<Errc> error_code(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return std::nullopt;
}

}  // namespace bev::test
