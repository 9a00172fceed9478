#pragma once

#include <string_view>

#include "core/base/error.hpp"

namespace bev::zarr {

/// Throws an Error whose message is prefixed by its subject: "agents/.zarray: ...".
[[noreturn]] inline void refuse(Errc code, std::string_view where, Message what) {
  fail(code, {where, ": ", joined(what)});
}

}  // namespace bev::zarr
