#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace bev::test {

/// The folder of the golden files that BEV_GOLDENS names, "" where it is not set. Set
/// but missing is not looked at here: the first file that cannot be read fails its
/// case.
inline std::string goldens() {
  const char* folder = std::getenv("BEV_GOLDENS");
  return folder == nullptr ? std::string() : std::string(folder);
}

}  // namespace bev::test

/// First line of a case that reads golden files: without BEV_GOLDENS the case says so,
/// in the form that scripts/test counts, and is over.
#define BEV_REQUIRE_GOLDENS()                                         \
  do {                                                                \
    if (bev::test::goldens().empty()) {                               \
      std::printf("[skipped] %s\n",                                   \
                  doctest::getContextOptions()->currentTest->m_name); \
      return;                                                         \
    }                                                                 \
  } while (false)
