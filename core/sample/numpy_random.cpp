#include "core/sample/numpy_random.hpp"

#include <array>
#include <cmath>
#include <cstddef>

#include "core/geom/exp_log.hpp"

namespace bev::sample {
namespace {

/// NumPy's SeedSequence of a single integer: eight words of state.
class SeedSequence {
 public:
  explicit SeedSequence(std::uint64_t seed) noexcept {
    const std::array<std::uint32_t, 4> entropy{static_cast<std::uint32_t>(seed),
                                               static_cast<std::uint32_t>(seed >> 32)};
    for (std::size_t i = 0; i < pool_.size(); ++i) pool_[i] = hash(entropy[i]);
    for (std::size_t from = 0; from < pool_.size(); ++from) {
      for (std::size_t to = 0; to < pool_.size(); ++to) {
        if (from != to) pool_[to] = mix(pool_[to], hash(pool_[from]));
      }
    }
  }

  std::array<std::uint64_t, 4> state() const noexcept {
    std::array<std::uint32_t, 8> words{};
    std::uint32_t constant = 0x8b51f9ddU;
    for (std::size_t i = 0; i < words.size(); ++i) {
      auto value = pool_[i % pool_.size()] ^ constant;
      constant *= 0x58f38dedU;
      value *= constant;
      words[i] = value ^ (value >> 16);
    }
    std::array<std::uint64_t, 4> out{};
    for (std::size_t i = 0; i < out.size(); ++i) {
      out[i] = words[2 * i] | std::uint64_t{words[2 * i + 1]} << 32;
    }
    return out;
  }

 private:
  std::uint32_t hash(std::uint32_t value) noexcept {
    value ^= constant_;
    constant_ *= 0x931e8875U;
    value *= constant_;
    return value ^ (value >> 16);
  }

  static std::uint32_t mix(std::uint32_t x, std::uint32_t y) noexcept {
    const auto value = 0xca01f9ddU * x - 0x4973f715U * y;
    return value ^ (value >> 16);
  }

  std::uint32_t constant_ = 0x43b0d7e5U;
  std::array<std::uint32_t, 4> pool_{};
};

constexpr double kTailStart = 3.6541528853610088;  // right edge of the last full strip
constexpr double kStripArea = 0.00492867323397465524494;

/// 256 strips of equal area under the bell curve, as tables for 52 random bits.
struct Ziggurat {
  std::array<double, 256> width{};          // width of one unit of the bits
  std::array<std::uint64_t, 256> inside{};  // bits below this are under the curve
  std::array<double, 256> height{};

  Ziggurat() noexcept {
    const auto bell = [](double x) { return geom::exp(-0.5 * x * x); };
    double x = kTailStart;
    width[0] = kStripArea / bell(x) * 0x1p-52;
    inside[0] = static_cast<std::uint64_t>(x * bell(x) / kStripArea * 0x1p52);
    height[0] = 1;
    for (std::size_t i = 255; i > 0; --i) {
      width[i] = x * 0x1p-52;
      height[i] = bell(x);
      const double above = kStripArea / x + height[i];
      const double next = i > 1 ? std::sqrt(-2 * geom::log(above)) : 0;
      inside[i] = static_cast<std::uint64_t>(next / x * 0x1p52);
      x = next;
    }
  }
};

const Ziggurat& ziggurat() noexcept {
  static const Ziggurat table;
  return table;
}

}  // namespace

double LegacyRandom::uniform() {
  const auto high = static_cast<double>(engine_() >> 5);
  const auto low = static_cast<double>(engine_() >> 6);
  return (high * 67108864.0 + low) / 9007199254740992.0;
}

Generator::Generator(std::uint64_t seed) noexcept {
  const auto words = SeedSequence(seed).state();
  increment_ = {words[2] << 1 | words[3] >> 63, words[3] << 1 | 1};
  step();
  state_ = sum(state_, {words[0], words[1]});
  step();
}

Generator::Wide Generator::sum(Wide a, Wide b) noexcept {
  const auto low = a.low + b.low;
  return {a.high + b.high + (low < a.low ? 1 : 0), low};
}

Generator::Wide Generator::product(Wide a, Wide b) noexcept {
  constexpr std::uint64_t kHalf = 0xffffffffU;
  const auto low = (a.low & kHalf) * (b.low & kHalf);
  const auto middle = (a.low >> 32) * (b.low & kHalf) + (low >> 32);
  const auto other = (a.low & kHalf) * (b.low >> 32) + (middle & kHalf);
  const auto carry = (a.low >> 32) * (b.low >> 32) + (middle >> 32) + (other >> 32);
  return {carry + a.high * b.low + a.low * b.high, a.low * b.low};
}

void Generator::step() noexcept {
  constexpr Wide kMultiplier{2549297995355413924U, 4865540595714422341U};
  state_ = sum(product(state_, kMultiplier), increment_);
}

std::uint64_t Generator::next() noexcept {
  step();
  // Not std::rotr, whose count has different types in the supported standard libraries.
  const std::uint64_t bits = state_.high ^ state_.low;
  const std::uint64_t count = state_.high >> 58;
  return bits >> count | bits << (-count & 63);
}

double Generator::uniform() noexcept {
  return static_cast<double>(next() >> 11) * 0x1p-53;
}

double Generator::normal() noexcept {
  const auto& strips = ziggurat();
  for (;;) {
    const auto bits = next();
    const auto strip = static_cast<std::size_t>(bits & 0xff);
    const bool negative = (bits >> 8 & 1) != 0;
    const auto magnitude = bits >> 9 & 0xfffffffffffffU;
    const double size = static_cast<double>(magnitude) * strips.width[strip];
    const double x = negative ? -size : size;
    if (magnitude < strips.inside[strip]) return x;
    if (strip == 0) return tail((magnitude >> 8 & 1) != 0);
    const double rise = strips.height[strip - 1] - strips.height[strip];
    const double y = rise * uniform() + strips.height[strip];
    if (y < geom::exp(-0.5 * x * x)) return x;
  }
}

double Generator::tail(bool negative) noexcept {
  for (;;) {
    const double x = -geom::log(1 - uniform()) / kTailStart;
    const double y = -geom::log(1 - uniform());
    if (y + y > x * x) return negative ? -(kTailStart + x) : kTailStart + x;
  }
}

}  // namespace bev::sample
