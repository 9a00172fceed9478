#include "native/images/image_file.hpp"

#include <array>
#include <cstddef>
#include <cstring>
#include <span>

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
  throw Error(Errc::unsupported, name + ": neither a PNG nor a JPEG file");
}

}  // namespace bev::native
