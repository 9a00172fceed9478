#include <array>
#include <csetjmp>
#include <cstddef>
#include <optional>
#include <utility>

#include "core/base/error.hpp"
#include "native/images/decoders.hpp"
#include "native/images/jpeg_library.hpp"

// As in png.cpp: libjpeg's error callback must not return, so it jumps.

namespace bev::native {
namespace {

struct Jpeg {
  jpeg_decompress_struct decoder{};
  ImageBytes bytes;
  jpeg_error_mgr errors{};
  jpeg_source_mgr source{};
  std::array<JOCTET, 65536> buffer{};
  std::jmp_buf back{};
  std::optional<Error> error;
  std::optional<DecodedImage> image;

  explicit Jpeg(ImageBytes of) : bytes(std::move(of)) {}
  Jpeg(const Jpeg&) = delete;
  Jpeg& operator=(const Jpeg&) = delete;
  ~Jpeg() { jpeg_destroy_decompress(&decoder); }
};

Jpeg& self(jpeg_common_struct* common) {
  return *static_cast<Jpeg*>(common->client_data);
}

[[noreturn]] void jump_back(Jpeg& jpeg) {
  std::longjmp(jpeg.back, 1);  // NOLINT(cert-err52-cpp): see png.cpp
}

void note(Jpeg& jpeg, Errc code, const char* what) {
  if (!jpeg.error) jpeg.error.emplace(code, jpeg.bytes.name + ": " + what);
}

void note_message(j_common_ptr common) {
  std::array<char, JMSG_LENGTH_MAX> text{};
  common->err->format_message(common, text.data());
  note(self(common), Errc::corrupt_chunk,
       (std::string("libjpeg: ") + text.data()).c_str());
}

[[noreturn]] void on_error(j_common_ptr common) {
  note_message(common);
  jump_back(self(common));
}

/// A negative level is a warning about corrupt data that libjpeg would conceal.
void on_message(j_common_ptr common, int level) {
  if (level >= 0) return;
  note_message(common);
  jump_back(self(common));
}

/// Runs a step that may throw inside libjpeg; returns false if it did.
template <class Step>
bool step(Jpeg& jpeg, Step&& run) {
  try {
    run();
    return true;
  } catch (const Error& error) {
    jpeg.error = error;
  } catch (const std::bad_alloc&) {
    note(jpeg, Errc::out_of_memory, "out of memory");
  }
  return false;
}

boolean on_fill(j_decompress_ptr decoder) {
  Jpeg& jpeg = self(reinterpret_cast<j_common_ptr>(decoder));
  std::size_t got = 0;
  const bool is_read = step(jpeg, [&] {
    got = jpeg.bytes.read_at(jpeg.bytes.at,
                             std::as_writable_bytes(std::span(jpeg.buffer)));
  });
  if (is_read && got == 0) {
    note(jpeg, Errc::corrupt_chunk, "libjpeg: truncated file");
  }
  if (got == 0) jump_back(jpeg);
  jpeg.bytes.at += got;
  jpeg.source.next_input_byte = jpeg.buffer.data();
  jpeg.source.bytes_in_buffer = got;
  return TRUE;
}

void on_skip(j_decompress_ptr decoder, long count) {
  Jpeg& jpeg = self(reinterpret_cast<j_common_ptr>(decoder));
  if (count <= 0) return;
  auto left = static_cast<std::size_t>(count);
  if (left > jpeg.source.bytes_in_buffer) {
    jpeg.bytes.at += left - jpeg.source.bytes_in_buffer;
    left = jpeg.source.bytes_in_buffer;
  }
  jpeg.source.next_input_byte += left;
  jpeg.source.bytes_in_buffer -= left;
}

void on_nothing(j_decompress_ptr) {}

void connect(Jpeg& jpeg) {
  jpeg.decoder.err = jpeg_std_error(&jpeg.errors);
  jpeg.errors.error_exit = on_error;
  jpeg.errors.emit_message = on_message;
  jpeg.decoder.client_data = &jpeg;
}

void set_source(Jpeg& jpeg) {
  jpeg.source.init_source = on_nothing;
  jpeg.source.fill_input_buffer = on_fill;
  jpeg.source.skip_input_data = on_skip;
  jpeg.source.resync_to_restart = jpeg_resync_to_restart;
  jpeg.source.term_source = on_nothing;
  jpeg.decoder.src = &jpeg.source;
}

void make_image(Jpeg& jpeg) {
  const auto& decoder = jpeg.decoder;
  if (decoder.jpeg_color_space == JCS_CMYK || decoder.jpeg_color_space == JCS_YCCK) {
    throw Error(Errc::unsupported,
                jpeg.bytes.name + ": unsupported JPEG colour space CMYK");
  }
  check_size(jpeg.bytes, decoder.image_width, decoder.image_height);
  jpeg.image.emplace(decoder.image_width, decoder.image_height);
}

void decode(Jpeg& jpeg) {
  // NOLINTNEXTLINE(cert-err52-cpp): see png.cpp
  if (setjmp(jpeg.back) != 0) return;
  jpeg_create_decompress(&jpeg.decoder);
  jpeg.decoder.client_data = &jpeg;
  set_source(jpeg);
  jpeg_read_header(&jpeg.decoder, TRUE);
  if (!step(jpeg, [&] { make_image(jpeg); })) return;
  jpeg.decoder.out_color_space = JCS_RGB;
  jpeg_start_decompress(&jpeg.decoder);
  while (jpeg.decoder.output_scanline < jpeg.decoder.output_height) {
    JSAMPROW row = jpeg.image->row(jpeg.decoder.output_scanline);
    jpeg_read_scanlines(&jpeg.decoder, &row, 1);
  }
  jpeg_finish_decompress(&jpeg.decoder);
}

}  // namespace

DecodedImage read_jpeg(ImageBytes bytes) {
  Jpeg jpeg(std::move(bytes));
  connect(jpeg);
  decode(jpeg);
  if (jpeg.error) throw Error(*jpeg.error);
  return std::move(*jpeg.image);
}

}  // namespace bev::native
