#include "native/images/encode_png.hpp"

#include <png.h>

#include <string>

#include "core/base/error.hpp"

namespace bev::native {

std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns) {
  const auto expected = std::uint64_t{3} * rows * columns;
  if (pixels.size() != expected) {
    throw Error(Errc::internal, "png: " + std::to_string(pixels.size()) +
                                    " bytes of pixels, expected " +
                                    std::to_string(expected));
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = columns;
  image.height = rows;
  image.format = PNG_FORMAT_RGB;
  std::vector<std::byte> out(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = out.size();
  if (png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0,
                                nullptr) == 0) {
    throw Error(Errc::internal, std::string("png: libpng: ") + image.message);
  }
  out.resize(size);
  return out;
}

}  // namespace bev::native
