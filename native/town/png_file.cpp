#include "native/town/png_file.hpp"

#include <png.h>

#include <cstddef>

#include "core/base/error.hpp"

namespace bev::town {

std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels, int rows,
                                  int columns) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(columns);
  image.height = static_cast<png_uint_32>(rows);
  image.format = PNG_FORMAT_RGB;
  const auto fail = [&] {
    throw Error(Errc::internal, std::string("aerial image: libpng: ") + image.message);
  };
  std::vector<std::byte> out(PNG_IMAGE_PNG_SIZE_MAX(image));
  png_alloc_size_t size = out.size();
  if (png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0,
                                nullptr) == 0) {
    fail();
  }
  out.resize(size);
  return out;
}

}  // namespace bev::town
