#include "core/map/aerial_image.hpp"

#include <cmath>
#include <string>

#include "core/base/error.hpp"

namespace bev::map {
namespace {

std::string sides(std::uint32_t width, std::uint32_t height) {
  return joined({width, " x ", height, " pixels"});
}

double length(const geom::Affine3::Row& row) {
  return std::sqrt(row[0] * row[0] + row[1] * row[1] + row[2] * row[2]);
}

std::size_t byte_count(std::uint32_t width, std::uint32_t height) {
  check_aerial_size(width, height, "aerial image");
  return std::size_t{width} * height * 3;
}

}  // namespace

void check_aerial_size(std::uint32_t width, std::uint32_t height, const char* what) {
  const auto refuse = [&](Errc code, Message expected) {
    fail(code, {what, ": invalid size (found ", sides(width, height), ", expected ",
                joined(expected), ")"});
  };
  if (width == 0 || height == 0) refuse(Errc::corrupt_chunk, {"at least 1 x 1"});
  if (width > kMaxAerialSide || height > kMaxAerialSide) {
    refuse(Errc::limit_exceeded, {"no side above ", kMaxAerialSide});
  }
  if (std::uint64_t{width} * height > kMaxAerialPixels) {
    refuse(Errc::limit_exceeded, {"at most ", kMaxAerialPixels});
  }
}

geom::Affine3 aerial_from_world(const Meta& meta) {
  if (!meta.aerial_from_ecef) {
    fail(Errc::missing_key, {"meta.json: ecef_to_aerial not found"});
  }
  const auto out = *meta.aerial_from_ecef * meta.ecef_from_world;
  for (const auto& row : {out.rows[0], out.rows[1]}) {
    if (length(row) > 1e-12) continue;
    fail(Errc::invalid_metadata, {"meta.json: ecef_to_aerial: row of zeros"});
  }
  return out;
}

AerialImage::AerialImage(std::uint32_t width, std::uint32_t height,
                         const geom::Affine3& aerial_from_world)
    : width_(width),
      height_(height),
      aerial_from_world_(aerial_from_world),
      pixels_(byte_count(width, height)) {}

AerialImage::AerialImage(std::uint32_t width, std::uint32_t height,
                         std::vector<std::uint8_t> pixels,
                         const geom::Affine3& aerial_from_world)
    : width_(width),
      height_(height),
      aerial_from_world_(aerial_from_world),
      pixels_(std::move(pixels)) {
  if (pixels_.size() == byte_count(width, height)) return;
  fail(Errc::invalid_argument,
       {"aerial image: wrong size (found ", pixels_.size(),
        " bytes, expected 3 for each of ", sides(width, height), ")"});
}

double AerialImage::metres_per_pixel() const noexcept {
  const auto& rows = aerial_from_world_.rows;
  return (1 / length(rows[0]) + 1 / length(rows[1])) / 2;
}

std::span<std::uint8_t> AerialImage::row(std::uint32_t y) {
  if (y >= height_) {
    fail_index({"aerial image: row "}, y, height_);
  }
  const std::size_t bytes = std::size_t{width_} * 3;
  return std::span(pixels_).subspan(y * bytes, bytes);
}

void AerialImage::put_rgba_rows(std::uint32_t first,
                                std::span<const std::uint8_t> rgba) {
  const std::size_t bytes = std::size_t{width_} * 4;
  const std::size_t count = rgba.size() / bytes;
  if (count * bytes != rgba.size()) {
    fail(Errc::invalid_argument, {"aerial image: incomplete row (found ", rgba.size(),
                                  " bytes, expected a multiple of ", bytes, ")"});
  }
  if (first > height_ || count > height_ - first) {
    fail(Errc::out_of_range, {"aerial image: rows ", first, " to ", first + count,
                              " are out of range (count ", height_, ")"});
  }
  std::uint8_t* out = pixels_.data() + std::size_t{first} * width_ * 3;
  for (std::size_t i = 0; i < rgba.size(); i += 4) {
    *out++ = rgba[i];
    *out++ = rgba[i + 1];
    *out++ = rgba[i + 2];
  }
}

}  // namespace bev::map
