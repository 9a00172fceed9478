#pragma once

#include "core/ops/dispatcher.hpp"

namespace bev::wasm {

/// The operations of this module; each module defines it.
ops::Dispatcher::Groups groups();

}  // namespace bev::wasm
