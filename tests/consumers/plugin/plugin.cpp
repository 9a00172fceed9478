#include <bevscope/bevscope.hpp>
#include <cstring>

extern "C" int first_frame(const char* path, double* centroid, char* error) try {
  auto dataset = bev::open(path);
  const auto frame = dataset.frame_at(0);
  std::memcpy(centroid, frame.ego.centroid.data(), 2 * sizeof(double));
  return static_cast<int>(frame.agents.size());
} catch (const bev::Error& caught) {
  std::strncpy(error, bev::to_string(caught.code()).data(), 31);
  return -1;
}
