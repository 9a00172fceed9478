#include <bevscope/raster.hpp>
#include <utility>

#include "core/map/meta.hpp"
#include "library/map_impl.hpp"

namespace bev {

AerialImage::AerialImage(std::uint32_t width, std::uint32_t height,
                         std::vector<std::uint8_t> pixels, std::string_view meta_json)
    : impl_(std::make_shared<Impl>(std::make_shared<const map::AerialImage>(
          width, height, std::move(pixels),
          map::aerial_from_world(map::parse_meta(meta_json))))) {}
AerialImage::AerialImage(std::shared_ptr<const Impl> impl) noexcept
    : impl_(std::move(impl)) {}
AerialImage::~AerialImage() = default;
AerialImage::AerialImage(AerialImage&&) noexcept = default;
AerialImage& AerialImage::operator=(AerialImage&&) noexcept = default;

std::uint32_t AerialImage::width() const noexcept {
  return impl_->image->width();
}

std::uint32_t AerialImage::height() const noexcept {
  return impl_->image->height();
}

std::span<const std::uint8_t> AerialImage::pixels() const noexcept {
  return impl_->image->pixels();
}

double AerialImage::metres_per_pixel() const noexcept {
  return impl_->image->metres_per_pixel();
}

}  // namespace bev
