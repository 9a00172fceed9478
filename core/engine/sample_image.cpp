#include "core/engine/sample_image.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "core/base/error.hpp"

namespace bev {
namespace {

/// Values of an image's part: 128 KiB, a fraction of usual second-level caches.
constexpr std::size_t kPartValues = std::size_t{1} << 15;

/// Values that are black or not: most of the channels with boxes are black.
constexpr std::size_t kRunValues = std::size_t{1} << 10;

/// Table of i / 255 in float32.
std::array<float, 256> levels() noexcept {
  std::array<float, 256> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(i) / 255.0F;
  return out;
}

/// Converts bytes to values from 0 to 1. Box images are mostly black, so eight zero
/// bytes are handled at once.
void to_floats(std::span<const std::uint8_t> bytes, float* out) {
  static const std::array<float, 256> level_of = levels();
  constexpr std::size_t kStep = sizeof(std::uint64_t);
  const std::size_t steps = bytes.size() / kStep * kStep;
  for (std::size_t i = 0; i < steps; i += kStep) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], kStep);
    if (word == 0) {
      std::memset(&out[i], 0, kStep * sizeof(float));
      continue;
    }
    for (std::size_t j = i; j < i + kStep; ++j) out[j] = level_of[bytes[j]];
  }
  for (std::size_t i = steps; i < bytes.size(); ++i) out[i] = level_of[bytes[i]];
}

/// Returns whether the first kRunValues bytes are 0; false if there are fewer.
bool begins_black(std::span<const std::uint8_t> bytes) {
  if (bytes.size() < kRunValues) return false;
  constexpr std::size_t kStep = 64;
  for (std::size_t at = 0; at < kRunValues; at += kStep) {
    std::array<std::uint64_t, kStep / sizeof(std::uint64_t)> words;
    std::memcpy(words.data(), &bytes[at], kStep);
    std::uint64_t any = 0;
    for (const auto word : words) any |= word;
    if (any != 0) return false;
  }
  return true;
}

// The rasterizer checks its planes' size; other forms take up to four times as much.
void check_size(ImageForm form, const raster::Rasterizer& rasterizer) {
  const std::uint64_t pixels = std::uint64_t{rasterizer.height()} * rasterizer.width();
  const std::uint64_t bytes = form == ImageForm::rgba
                                  ? pixels * 4
                                  : std::uint64_t{rasterizer.byte_count()} *
                                        (form == ImageForm::f32 ? sizeof(float) : 1);
  if (bytes <= raster::kMaxImageBytes) return;
  fail(Errc::limit_exceeded,
       {"sample: image too large (found ", bytes, " bytes, expected at most ",
        raster::kMaxImageBytes, ")"});
}

}  // namespace

SampleImage::SampleImage(ImageForm form, const sample::Config& config, ImageMaps maps)
    : form_(form) {
  if (form == ImageForm::none) return;
  rasterizer_ =
      raster::make_rasterizer(config, std::move(maps.semantic), std::move(maps.aerial));
  const std::size_t channels = rasterizer_->channels();
  const std::size_t height = rasterizer_->height(), width = rasterizer_->width();
  check_size(form, *rasterizer_);
  planes_.resize(rasterizer_->byte_count());
  array_.name = "image";
  array_.dtype = form == ImageForm::f32 ? "<f4" : "|u1";
  array_.shape = {channels, height, width};
  array_.bytes = std::as_bytes(std::span(planes_));
  if (form == ImageForm::rgba) {
    rgba_.resize(height * width * 4);
    array_.shape = {height, width, 4};
    array_.bytes = std::as_bytes(std::span(rgba_));
  }
}

sample::SampleInputs SampleImage::needs() const noexcept {
  return rasterizer_ ? rasterizer_->needs() : sample::SampleInputs{};
}

std::vector<std::string> SampleImage::channels() const {
  std::vector<std::string> names(rasterizer_ ? rasterizer_->channels() : 0);
  for (std::uint32_t c = 0; c < names.size(); ++c) {
    names[c] = rasterizer_->channel_name(c);
  }
  return names;
}

void SampleImage::show(std::optional<std::uint32_t> channel) {
  if (channel && form_ != ImageForm::rgba) {
    fail(Errc::invalid_argument,
         {"sample: selecting channel ", *channel, " requires image form rgba"});
  }
  if (channel) static_cast<void>(rasterizer_->channel_name(*channel));
  shown_ = channel;
}

void SampleImage::draw_into(std::span<std::byte> memory) {
  if (form_ != ImageForm::f32 && form_ != ImageForm::u8) return;
  const std::size_t size =
      planes_.size() * (form_ == ImageForm::f32 ? sizeof(float) : 1);
  if (!memory.empty() && memory.size() != size) {
    fail(Errc::invalid_argument, {"sample: wrong image size (found ", memory.size(),
                                  " bytes, expected ", size, ")"});
  }
  target_ = memory;
}

const ResultArray& SampleImage::draw(const sample::RenderInput& input) {
  if (!rasterizer_) return array_;
  const bool direct = form_ == ImageForm::u8 && !target_.empty();
  auto* const bytes = reinterpret_cast<std::uint8_t*>(target_.data());
  const raster::Planes planes{
      rasterizer_->channels(), rasterizer_->height(), rasterizer_->width(),
      direct ? std::span(bytes, target_.size()) : std::span(planes_)};
  rasterizer_->draw(input, planes);
  if (form_ == ImageForm::rgba && shown_) {
    raster::grey_from(planes, *shown_, rgba_);
  } else if (form_ == ImageForm::rgba) {
    rasterizer_->to_rgb(planes, rgba_);
  }
  converted_ = 0;
  if (is_in_parts()) {
    floats_.resize(kPartValues);
    array_.bytes = std::as_bytes(std::span(floats_));
  } else if (form_ == ImageForm::f32) {
    if (target_.empty()) floats_.resize(planes_.size());
    auto* const floats =
        target_.empty() ? floats_.data() : reinterpret_cast<float*>(target_.data());
    to_floats(planes_, floats);
    array_.bytes = std::as_bytes(std::span(floats, planes_.size()));
  } else if (form_ == ImageForm::u8) {
    array_.bytes = std::as_bytes(planes.u8);
  }
  return array_;
}

bool SampleImage::is_in_parts() const noexcept {
  return in_parts_ && form_ == ImageForm::f32 && target_.empty() &&
         planes_.size() > kPartValues;
}

SampleImage::Part SampleImage::next_part() {
  if (!is_in_parts() || converted_ == planes_.size()) return {};
  const auto rest = std::span<const std::uint8_t>(planes_).subspan(converted_);
  const bool black = begins_black(rest);
  // Of black values, all; of others, as many as there is memory for.
  const auto most = black ? rest.size() : std::min(kPartValues, rest.size());
  auto size = std::min(kRunValues, rest.size());
  while (size < most && begins_black(rest.subspan(size)) == black) {
    size = std::min(size + kRunValues, most);
  }
  if (!black) to_floats(rest.first(size), floats_.data());
  converted_ += size;
  return {size * sizeof(float), black};
}

}  // namespace bev
