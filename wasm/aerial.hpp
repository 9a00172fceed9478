#pragma once

#include <memory>

#include "core/map/aerial_image.hpp"

namespace bev::wasm {

/// An aerial image as JavaScript holds it; samples of it may live longer.
struct Aerial {
  std::shared_ptr<map::AerialImage> image;
};

}  // namespace bev::wasm
