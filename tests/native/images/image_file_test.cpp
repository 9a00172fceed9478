#include "native/images/image_file.hpp"

#include <doctest/doctest.h>
#include <png.h>

#include <numeric>
#include <string>
#include <vector>

#include "core/base/error.hpp"
#include "native/images/jpeg_library.hpp"
#include "tests/support/files.hpp"
#include "tests/support/goldens.hpp"
#include "tests/support/temp_folder.hpp"

namespace image_file_test {

using Bytes = std::vector<int>;
using bev::Errc;
using bev::Error;
using bev::map::AerialImage;
using bev::native::encode_png;
using bev::native::File;
using bev::test::TempFolder;

namespace {

AerialImage decode(const std::string& text) {
  const TempFolder folder;
  const auto file = File::open(folder.write("image", text), "image");
  REQUIRE(file.has_value());
  return bev::native::read_aerial_image(*file, "image", {});
}

Errc code_of(const std::string& text) {
  try {
    decode(text);
  } catch (const Error& error) {
    return error.code();
  }
  return Errc::internal;
}

Bytes pixels_of(const std::string& text) {
  const auto image = decode(text);
  return {image.pixels().begin(), image.pixels().end()};
}

/// Encodes two adjacent pixels in one of libpng's formats.
template <class T>
std::string png(std::uint32_t format, const std::vector<T>& pixels,
                const std::vector<std::uint8_t>& palette = {}) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = 2;
  image.height = 1;
  image.format = format;
  image.colormap_entries = static_cast<png_uint_32>(palette.size() / 3);
  std::string out(4096, '\0');
  png_alloc_size_t size = out.size();
  REQUIRE(png_image_write_to_memory(&image, out.data(), &size, 0, pixels.data(), 0,
                                    palette.data()) != 0);
  out.resize(size);
  return out;
}

/// Encodes an image of one colour.
std::string jpeg(unsigned width, unsigned height, J_COLOR_SPACE space, int channels,
                 std::uint8_t level) {
  jpeg_compress_struct encoder{};
  jpeg_error_mgr errors{};
  encoder.err = jpeg_std_error(&errors);
  jpeg_create_compress(&encoder);
  unsigned char* bytes = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&encoder, &bytes, &size);
  encoder.image_width = width;
  encoder.image_height = height;
  encoder.input_components = channels;
  encoder.in_color_space = space;
  jpeg_set_defaults(&encoder);
  jpeg_start_compress(&encoder, TRUE);
  std::vector<JSAMPLE> row(std::size_t{width} * static_cast<unsigned>(channels), level);
  JSAMPROW rows = row.data();
  while (encoder.next_scanline < height) jpeg_write_scanlines(&encoder, &rows, 1);
  jpeg_finish_compress(&encoder);
  std::string out(reinterpret_cast<char*>(bytes), size);
  jpeg_destroy_compress(&encoder);
  std::free(bytes);
  return out;
}

std::string golden_image(const char* name) {
  return bev::test::read_text(bev::test::goldens() + "/inputs/" + name);
}

}  // namespace

TEST_SUITE("native/images/image_file") {
  TEST_CASE("PNG colours are not converted") {
    const std::vector<std::uint8_t> rgb = {1, 2, 3, 253, 254, 255};
    CHECK(pixels_of(png(PNG_FORMAT_RGB, rgb)) == Bytes{1, 2, 3, 253, 254, 255});
  }

  TEST_CASE("alpha is dropped") {
    const std::vector<std::uint8_t> rgba = {10, 20, 30, 0, 40, 50, 60, 128};
    CHECK(pixels_of(png(PNG_FORMAT_RGBA, rgba)) == Bytes{10, 20, 30, 40, 50, 60});
  }

  TEST_CASE("greys and palettes are expanded") {
    const std::vector<std::uint8_t> grey = {7, 200}, indices = {1, 0};
    CHECK(pixels_of(png(PNG_FORMAT_GRAY, grey)) == Bytes{7, 7, 7, 200, 200, 200});
    CHECK(pixels_of(png(PNG_FORMAT_RGB_COLORMAP, indices, {9, 8, 7, 6, 5, 4})) ==
          Bytes{6, 5, 4, 9, 8, 7});
  }

  TEST_CASE("16-bit channels keep their upper 8 bits") {
    const std::vector<std::uint16_t> linear = {0x1234, 0x5678, 0x9ABC,
                                               0xFFFF, 0x00FF, 0x0100};
    CHECK(pixels_of(png(PNG_FORMAT_LINEAR_RGB, linear)) ==
          Bytes{0x12, 0x56, 0x9A, 0xFF, 0, 1});
  }

  TEST_CASE("JPEG is decoded; greyscale becomes three channels") {
    const auto image = decode(jpeg(37, 21, JCS_RGB, 3, 128));
    CHECK(image.width() == 37);
    CHECK(image.height() == 21);
    CHECK(image.pixels()[0] == 128);
    CHECK(image.pixels().back() == 128);
    const auto grey = decode(jpeg(5, 3, JCS_GRAYSCALE, 1, 200));
    CHECK(grey.pixels().size() == 45);
    CHECK(grey.pixels()[44] == 200);
  }

  TEST_CASE("CMYK JPEG is unsupported") {
    CHECK(code_of(jpeg(8, 8, JCS_CMYK, 4, 50)) == Errc::unsupported);
  }

  TEST_CASE("truncated images are errors at every length") {
    const std::vector<std::uint8_t> rgb = {1, 2, 3, 253, 254, 255};
    for (const auto& whole : {png(PNG_FORMAT_RGB, rgb), jpeg(40, 40, JCS_RGB, 3, 77)}) {
      for (std::size_t cut = 0; cut < whole.size(); ++cut) {
        CAPTURE(cut);
        const auto code = code_of(whole.substr(0, cut));
        CHECK((code == Errc::corrupt_chunk || code == Errc::unsupported));
      }
    }
  }

  TEST_CASE("flipped bytes give an image of the same size or an error, never a crash") {
    const std::vector<std::uint8_t> rgb = {1, 2, 3, 253, 254, 255};
    for (auto text : {png(PNG_FORMAT_RGB, rgb), jpeg(16, 16, JCS_RGB, 3, 77)}) {
      std::size_t refused = 0;
      for (char& byte : text) {
        byte = static_cast<char>(byte ^ 0x55);
        if (code_of(text) != Errc::internal) ++refused;
        byte = static_cast<char>(byte ^ 0x55);
      }
      CHECK(refused > 20);
    }
  }

  TEST_CASE("a small file with a large declared image is an error") {
    // Width and height of IHDR, 60,000 each, then 8,000, with a correct checksum, which
    // libpng verifies.
    const auto with_side = [](std::uint32_t side) {
      std::string head = "IHDR";
      for (int i = 0; i < 2; ++i) {
        for (int shift = 24; shift >= 0; shift -= 8) {
          head += static_cast<char>(side >> shift);
        }
      }
      head += std::string("\x08\x02\0\0\0", 5);
      std::uint32_t crc = 0xFFFFFFFF;
      for (const char c : head) {
        crc ^= static_cast<unsigned char>(c);
        for (int k = 0; k < 8; ++k) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xEDB88320U : 0);
      }
      crc = ~crc;
      std::string out = std::string("\x89PNG\r\n\x1A\n\0\0\0\x0D", 12) + head;
      for (int shift = 24; shift >= 0; shift -= 8)
        out += static_cast<char>(crc >> shift);
      const std::vector<std::uint8_t> rgb(6);
      return out + png(PNG_FORMAT_RGB, rgb).substr(33);
    };
    CHECK(code_of(with_side(60'000)) == Errc::limit_exceeded);
    CHECK(code_of(with_side(8'000)) == Errc::corrupt_chunk);
  }

  TEST_CASE("other formats are unsupported") {
    CHECK(code_of("") == Errc::unsupported);
    CHECK(code_of("GIF89a") == Errc::unsupported);
  }

  TEST_CASE("the reference's aerial images are read") {
    BEV_REQUIRE_GOLDENS();
    const auto black = decode(golden_image("aerial_map.png"));
    CHECK(black.width() == 1000);
    CHECK(black.height() == 2000);
    const auto town = decode(golden_image("aerial_town.png"));
    CHECK(town.pixels().size() == std::size_t{2000} * 1000 * 3);
  }

  TEST_CASE("libpng reads the pixels that were written") {
    std::vector<std::uint8_t> pixels(3 * 4 * 5);
    std::iota(pixels.begin(), pixels.end(), std::uint8_t{7});
    const auto bytes = encode_png(pixels, 4, 5);
    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    REQUIRE(png_image_begin_read_from_memory(&image, bytes.data(), bytes.size()) != 0);
    CHECK(image.height == 4);
    CHECK(image.width == 5);
    CHECK(image.format == PNG_FORMAT_RGB);
    std::vector<std::uint8_t> read(pixels.size());
    REQUIRE(png_image_finish_read(&image, nullptr, read.data(), 0, nullptr) != 0);
    CHECK(read == pixels);
  }

  TEST_CASE("a wrong number of pixels is an error") {
    const std::vector<std::uint8_t> pixels(3 * 4 * 5);
    CHECK_THROWS_AS(encode_png(pixels, 5, 5), bev::Error);
  }
}

}  // namespace image_file_test
