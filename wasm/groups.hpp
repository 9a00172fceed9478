#pragma once

#include "core/ops/door.hpp"

namespace bev::wasm {

/// The operations of this module; each module defines it.
ops::Door::Groups groups();

}  // namespace bev::wasm
