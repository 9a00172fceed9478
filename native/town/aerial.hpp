#pragma once

#include <cstdint>

#include "native/town/canvas.hpp"
#include "native/town/plan.hpp"

namespace bev::town {

/// The ground that an aerial image of the town shows: all of it and a margin.
AerialFrame aerial_frame(const Plan& plan, double metres_per_pixel);

/// The town from above, as an aircraft would photograph it on a sunny day.
Canvas paint_aerial(const Plan& plan, const AerialFrame& frame, std::uint64_t seed);

/// The parts of it, in this order.
void paint_ground(Canvas& canvas, const Plan& plan, std::uint64_t seed);
void paint_streets(Canvas& canvas, const Plan& plan);
void paint_marks(Canvas& canvas, const Plan& plan);
void paint_things(Canvas& canvas, const Plan& plan, std::uint64_t seed);

}  // namespace bev::town
