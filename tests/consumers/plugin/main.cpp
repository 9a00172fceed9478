#include <cstdio>

extern "C" int first_frame(const char* path, double* centroid, char* error);

int main(int, char** words) {
  double centroid[2] = {};
  char error[32] = {};
  const int agents = first_frame(words[1], centroid, error);
  std::printf("frame 0: ego at %.1f %.1f, %d agents\n", centroid[0], centroid[1],
              agents);
  std::printf("%d %s\n", first_frame("/nonexistent", centroid, error), error);
}
