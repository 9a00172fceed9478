#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace bev::test {

/// Returns the directory of golden files from BEV_GOLDENS, or "" if unset. If it is set
/// but missing, the first read fails its test case.
inline std::string goldens() {
  const char* folder = std::getenv("BEV_GOLDENS");
  return folder == nullptr ? std::string() : std::string(folder);
}

}  // namespace bev::test

/// First line of a case that reads golden files: without BEV_GOLDENS it prints the line
/// that scripts/test counts, and ends the case.
#define BEV_REQUIRE_GOLDENS()                                         \
  do {                                                                \
    if (bev::test::goldens().empty()) {                               \
      std::printf("[skipped] %s\n",                                   \
                  doctest::getContextOptions()->currentTest->m_name); \
      return;                                                         \
    }                                                                 \
  } while (false)
