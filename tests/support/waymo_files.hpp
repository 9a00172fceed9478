#pragma once

#include <doctest/doctest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace bev::test {

/// Returns the directory of files of the Waymo Open Dataset's repository
/// (src/waymo_open_dataset/utils: sim_agents/testdata/test_submission.binproto and
/// testdata/motion_data_one_scenario.tfrecord) from BEV_WAYMO, or "" if unset. If it is
/// set but a file is missing, the first read fails its test case.
inline std::string waymo_files() {
  const char* folder = std::getenv("BEV_WAYMO");
  return folder == nullptr ? std::string() : std::string(folder);
}

}  // namespace bev::test

/// First line of a case that reads these files: without BEV_WAYMO it prints the line that
/// scripts/test counts, and ends the case.
#define BEV_REQUIRE_WAYMO()                                           \
  do {                                                                \
    if (bev::test::waymo_files().empty()) {                           \
      std::printf("[skipped] %s\n",                                   \
                  doctest::getContextOptions()->currentTest->m_name); \
      return;                                                         \
    }                                                                 \
  } while (false)
