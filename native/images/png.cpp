#include <png.h>

#include <algorithm>
#include <csetjmp>
#include <memory>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "native/images/decoders.hpp"

// libpng's error callback must not return. libpng is C code, through which exceptions
// must not propagate, so the callback jumps. Functions that are jumped out of or into
// hold no objects with destructors.

namespace bev::native {
namespace {

struct Png {
  ImageBytes bytes;
  png_structp png = nullptr;
  png_infop info = nullptr;
  std::jmp_buf back{};
  std::optional<Error> error;
  std::optional<DecodedImage> image;

  explicit Png(ImageBytes of) : bytes(std::move(of)) {}
  Png(const Png&) = delete;
  Png& operator=(const Png&) = delete;
  ~Png() { png_destroy_read_struct(&png, &info, nullptr); }
};

Png& self(void* pointer) {
  return *static_cast<Png*>(pointer);
}

void note(Png& png, const char* what) {
  png.error.emplace(Errc::corrupt_chunk, png.bytes.name + ": libpng: " + what);
}

[[noreturn]] void on_error(png_structp raw, png_const_charp what) {
  Png& png = self(png_get_error_ptr(raw));
  if (!png.error) note(png, what);
  std::longjmp(png.back, 1);  // NOLINT(cert-err52-cpp): see above
}

// Warnings concern chunks other than pixels; damaged pixels are errors.
void on_warning(png_structp, png_const_charp) {}

/// Runs a step that may throw inside libpng; stores an exception as the error.
template <class Step>
void step(Png& png, Step&& run) {
  try {
    run();
    return;
  } catch (const Error& error) {
    png.error = error;
  } catch (const std::bad_alloc&) {
    png.error.emplace(Errc::out_of_memory, png.bytes.name + ": out of memory");
  }
}

void on_read(png_structp raw, png_bytep out, std::size_t size) {
  Png& png = self(png_get_io_ptr(raw));
  std::size_t got = 0;
  step(png, [&] {
    got = png.bytes.read_at(png.bytes.at, std::as_writable_bytes(std::span(out, size)));
  });
  png.bytes.at += got;
  if (got < size) png_error(raw, "truncated file");
}

/// A byte of Deflate expands to at most 1,032 bytes. Rejects a small file that claims a
/// large image before allocating memory.
void check_plausible(const Png& png, std::uint32_t height) {
  constexpr std::uint64_t kMaxPerByte = 1032;
  const std::uint64_t wanted = png_get_rowbytes(png.png, png.info) * height;
  if (wanted / kMaxPerByte <= png.bytes.size) return;
  throw Error(Errc::corrupt_chunk,
              png.bytes.name + ": " + std::to_string(png.bytes.size) +
                  " bytes are too few for an image of " + std::to_string(wanted));
}

void make_image(Png& png) {
  const auto width = png_get_image_width(png.png, png.info);
  const auto height = png_get_image_height(png.png, png.info);
  check_size(png.bytes, width, height);
  check_plausible(png, height);
  png.image.emplace(width, height);
}

void want_rgb(const Png& png) {
  png_set_palette_to_rgb(png.png);
  png_set_expand_gray_1_2_4_to_8(png.png);
  png_set_strip_16(png.png);
  png_set_strip_alpha(png.png);
  png_set_gray_to_rgb(png.png);
}

void read_rows(Png& png, int passes) {
  const std::uint32_t height = png.image->height;
  for (int pass = 0; pass < passes; ++pass) {
    for (std::uint32_t y = 0; y < height; ++y) {
      png_read_row(png.png, png.image->row(y), nullptr);
    }
  }
  png_read_end(png.png, nullptr);
}

void decode(Png& png) {
  // NOLINTNEXTLINE(cert-err52-cpp): see above
  if (setjmp(png.back) != 0) return;
  png_set_read_fn(png.png, &png, on_read);
  png_set_user_limits(png.png, map::kMaxAerialSide, map::kMaxAerialSide);
  png_read_info(png.png, png.info);
  step(png, [&] { make_image(png); });
  if (png.error) return;
  want_rgb(png);
  const int passes = png_set_interlace_handling(png.png);
  png_read_update_info(png.png, png.info);
  if (png_get_rowbytes(png.png, png.info) != std::size_t{png.image->width} * 3) {
    note(png, "unexpected row size");
    return;
  }
  read_rows(png, passes);
}

}  // namespace

DecodedImage read_png(ImageBytes bytes) {
  Png png(std::move(bytes));
  png.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &png, on_error, on_warning);
  if (png.png != nullptr) png.info = png_create_info_struct(png.png);
  if (png.info == nullptr) throw std::bad_alloc();
  decode(png);
  if (png.error) throw Error(*png.error);
  return std::move(*png.image);
}

}  // namespace bev::native
