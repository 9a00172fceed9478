#include "core/base/cleared.hpp"

namespace bev {

std::vector<std::byte> cleared(std::size_t size) {
  return std::vector<std::byte>(size);
}

}  // namespace bev
