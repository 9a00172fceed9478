#pragma once

#include <cstdint>

#include "native/town/canvas.hpp"
#include "native/town/plan.hpp"

namespace bev::town {

/// Returns the frame of an aerial image of the whole town with a margin.
AerialFrame aerial_frame(const Plan& plan, double metres_per_pixel);

/// Paints an aerial image of the town on a sunny day.
Canvas paint_aerial(const Plan& plan, const AerialFrame& frame, std::uint64_t seed);

/// The steps of paint_aerial(), in this order.
void paint_ground(Canvas& canvas, const Plan& plan, std::uint64_t seed);
void paint_streets(Canvas& canvas, const Plan& plan);
void paint_marks(Canvas& canvas, const Plan& plan);
void paint_objects(Canvas& canvas, const Plan& plan, std::uint64_t seed);

}  // namespace bev::town
