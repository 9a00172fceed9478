#pragma once

#include "core/map/fragment.hpp"
#include "core/map/wire.hpp"

// Readers of the messages below an element, one function each. Each adds to its target
// because protobuf merges repeated messages.

namespace bev::map {

/// Counts elements, numbers and references read, and enforces the limits.
///
/// Throws  Errc::limit_exceeded, naming the exceeded limit.
class Budget {
 public:
  explicit Budget(const Limits& limits) : limits_(limits) {}

  void take_element() { take(elements_, limits_.elements, "elements"); }
  void take_number() { take(numbers_, limits_.numbers, "numbers"); }
  void take_reference() { take(references_, limits_.references, "references"); }

 private:
  static void take(std::size_t& used, std::size_t limit, const char* what);

  Limits limits_;
  std::size_t elements_ = 0;
  std::size_t numbers_ = 0;
  std::size_t references_ = 0;
};

/// The field of TrafficControlElement's oneof that contains faces.
inline constexpr std::uint32_t kTrafficLight = 29;

void read_id(Wire wire, std::string& id);
void read_lane(Wire wire, RawLane& lane, Budget& budget);
void read_control(Wire wire, RawControl& control, Budget& budget);
void read_junction(Wire wire, RawJunction& junction, Budget& budget);
void read_segment(Wire wire, RawSegment& segment, Budget& budget);

}  // namespace bev::map
