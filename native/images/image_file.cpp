#include "native/images/image_file.hpp"

#include <png.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "native/images/decoders.hpp"

namespace bev::native {

namespace {

DecodedImage decode_by_head(ImageBytes bytes) {
  constexpr std::array<unsigned char, 8> kPng = {0x89, 'P',  'N',  'G',
                                                 '\r', '\n', 0x1A, '\n'};
  constexpr std::array<unsigned char, 3> kJpeg = {0xFF, 0xD8, 0xFF};
  std::array<unsigned char, 8> head{};
  bytes.read_at(0, std::as_writable_bytes(std::span(head)));
  if (head == kPng) return read_png(std::move(bytes));
  if (std::memcmp(head.data(), kJpeg.data(), kJpeg.size()) == 0) {
    return read_jpeg(std::move(bytes));
  }
  throw Error(Errc::unsupported,
              bytes.name + ": unsupported image format (expected PNG or JPEG)");
}

}  // namespace

void check_size(const ImageBytes& bytes, std::uint32_t width, std::uint32_t height) {
  map::check_aerial_size(width, height, bytes.name.c_str());
  const auto pixels = std::uint64_t{width} * height;
  if (pixels <= bytes.max_pixels) return;
  fail_at(Errc::limit_exceeded, bytes.name,
          {"too large (found ", width, " x ", height, " pixels, expected at most ",
           bytes.max_pixels, ")"});
}

DecodedImage decode_image(std::span<const std::byte> bytes, const std::string& name,
                          std::uint64_t max_pixels) {
  const auto read_at = [bytes](std::uint64_t offset, std::span<std::byte> out) {
    if (offset >= bytes.size()) return std::size_t{0};
    const auto rest = bytes.subspan(static_cast<std::size_t>(offset));
    const auto count = std::min(rest.size(), out.size());
    std::copy_n(rest.begin(), count, out.begin());
    return count;
  };
  return decode_by_head({read_at, bytes.size(), name, max_pixels});
}

map::AerialImage read_aerial_image(const File& file, const std::string& name,
                                   const geom::Affine3& aerial_from_world) {
  const auto read_at = [&file](std::uint64_t offset, std::span<std::byte> out) {
    return file.read_at(offset, out);
  };
  auto image = decode_by_head({read_at, file.size(), name, map::kMaxAerialPixels});
  return {image.width, image.height, std::move(image.pixels), aerial_from_world};
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
