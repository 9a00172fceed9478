#include "tests/support/files.hpp"

namespace bev::test {

std::string test_path(const std::string& name) {
  return BEV_TESTS "/" + name;
}

}  // namespace bev::test
