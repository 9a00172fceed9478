#include "native/images/image_file.hpp"

#include <png.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "core/base/error.hpp"
#include "native/images/decoders.hpp"

namespace bev::native {

map::AerialImage read_aerial_image(const File& file, const std::string& name,
                                   const geom::Affine3& aerial_from_world) {
  constexpr std::array<unsigned char, 8> kPng = {0x89, 'P',  'N',  'G',
                                                 '\r', '\n', 0x1A, '\n'};
  constexpr std::array<unsigned char, 3> kJpeg = {0xFF, 0xD8, 0xFF};
  std::array<unsigned char, 8> head{};
  file.read_at(0, std::as_writable_bytes(std::span(head)));
  if (head == kPng) return read_png({file, name}, aerial_from_world);
  if (std::memcmp(head.data(), kJpeg.data(), kJpeg.size()) == 0) {
    return read_jpeg({file, name}, aerial_from_world);
  }
  throw Error(Errc::unsupported,
              name + ": unsupported image format (expected PNG or JPEG)");
}

std::vector<std::byte> encode_png(std::span<const std::uint8_t> pixels,
                                  std::uint32_t rows, std::uint32_t columns) {
  const auto expected = std::uint64_t{3} * rows * columns;
  if (pixels.size() != expected) {
    throw Error(Errc::internal,
                "png: wrong pixel count (found " + std::to_string(pixels.size()) +
                    " bytes, expected " + std::to_string(expected) + ")");
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
