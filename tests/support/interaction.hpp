#pragma once

#include <string>

namespace bev::test {

inline const std::string kTrackHeader =
    "track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy,psi_rad,length,width\n";

/// The rows of a car that drives to the east from (x, y) at 10 m/s, from a time on.
inline std::string car_rows(const std::string& id, int frames, double x, double y,
                            int first = 1, const std::string& before = "") {
  std::string out;
  for (int i = 0; i < frames; ++i) {
    const auto frame = std::to_string(first + i);
    out += before + id + "," + frame + "," + frame + "00,car," + std::to_string(x + i) +
           "," + std::to_string(y) + ",10,0,0,4,1.8\n";
  }
  return out;
}

/// A recording of two cars on the lanes of small_lanelet2().
inline std::string small_tracks() {
  return kTrackHeader + car_rows("1", 10, 1, 2) + car_rows("2", 6, 3, 6, 3);
}

/// Pedestrians of the same recording: P1 walks, then stands; P2 stands.
inline std::string small_pedestrians() {
  return "track_id,frame_id,timestamp_ms,agent_type,x,y,vx,vy\n"
         "P1,1,100,pedestrian/bicycle,53,0,0,0.1\n"
         "P1,2,200,pedestrian/bicycle,53,0.1,0,1\n"
         "P1,3,300,pedestrian/bicycle,53,0.1,0.01,0\n"
         "P2,1,100,pedestrian/bicycle,54,0,0,0\n";
}

/// A file of the challenge with the cases 1 and 2, each with a track 1.
inline std::string small_cases() {
  return "case_id," + kTrackHeader + car_rows("1", 4, 1, 2, 1, "1.0,") +
         car_rows("2", 4, 3, 6, 1, "1.0,") + car_rows("1", 3, 20, 2, 1, "2.0,") +
         "2.0,3,1,100,pedestrian/bicycle,53,1,0,1,,,\n";
}

}  // namespace bev::test
