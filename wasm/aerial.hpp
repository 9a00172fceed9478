#pragma once

#include <memory>

#include "core/map/aerial_image.hpp"

namespace bev::wasm {

/// An aerial image's JavaScript handle; samples may keep the image alive longer.
struct Aerial {
  std::shared_ptr<map::AerialImage> image;
};

}  // namespace bev::wasm
