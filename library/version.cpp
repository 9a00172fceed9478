#include <bevscope/version.hpp>

namespace bev {

std::string_view version() noexcept {
  return BEVSCOPE_VERSION;
}

}  // namespace bev
