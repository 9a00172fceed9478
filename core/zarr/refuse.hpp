#pragma once

#include <string_view>

#include "core/base/error.hpp"

namespace bev::zarr {

/// Fails with a message that begins with what it is about: "agents/.zarray: ...".
[[noreturn]] inline void refuse(Errc code, std::string_view where, Message what) {
  fail(code, {where, ": ", joined(what)});
}

}  // namespace bev::zarr
