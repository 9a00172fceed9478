#pragma once

namespace bev::geom {

struct SinCosF32 {
  float sin;
  float cos;
};

/// Returns sine and cosine of a float32 as NumPy's float32 kernels compute them on a
/// machine with fused multiply-add: not always the nearest float. The data layer
/// computes corners of boxes and agent frames from these, so the last bit matters.
///
/// Units      Radians. Beyond +-71476 (cosine) and +-117435 (sine), where NumPy calls
///            the C library instead, the float nearest to the true value.
/// Reference  NumPy 1.17 and later, simd_cos_f32 and simd_sin_f32.
SinCosF32 sincos_f32(float x_rad) noexcept;

}  // namespace bev::geom
