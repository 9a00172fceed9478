#include "core/scene/filters.hpp"

#include <cstddef>

namespace bev::scene {

float kept_mass(LabelProbabilities probabilities) noexcept {
  float mass = 0;
  for (std::size_t label = 3; label <= 15; ++label) mass += probabilities[label];
  return mass;
}

bool keeps(LabelProbabilities probabilities, float threshold) noexcept {
  return kept_mass(probabilities) > threshold;
}

}  // namespace bev::scene
