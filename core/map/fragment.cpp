#include "core/map/fragment.hpp"

#include <utility>

#include "core/base/error.hpp"
#include "core/map/messages.hpp"

namespace bev::map {
namespace {

const char* name_of(ElementKind kind) {
  switch (kind) {
    case ElementKind::none: return "empty";
    case ElementKind::segment: return "segment";
    case ElementKind::node: return "node";
    case ElementKind::lane: return "lane";
    case ElementKind::control: return "traffic_control_element";
    case ElementKind::junction: return "junction";
    case ElementKind::segment_sequence: return "segment_sequence";
    case ElementKind::annotated_shape: return "annotated_shape";
  }
  return "unknown";
}

void clear(RawElement& element) {
  element.id.clear();
  element.kind = ElementKind::none;
  element.lane.clear();
  element.control.clear();
  element.junction.clear();
  element.segment.clear();
}

/// Selects the oneof member `kind`. Repeating a kind merges; another kind clears the
/// previous one.
void choose(RawElement& element, ElementKind kind) {
  if (element.kind == kind) return;
  std::string id = std::move(element.id);
  clear(element);
  element.id = std::move(id);
  element.kind = kind;
}

/// Reads the message Element, which determines the kind.
void read_kind(Wire wire, RawElement& element, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(1):
        choose(element, ElementKind::segment);
        read_segment(Wire(wire.bytes()), element.segment, budget);
        break;
      case bytes_field(3):
        choose(element, ElementKind::lane);
        read_lane(Wire(wire.bytes()), element.lane, budget);
        break;
      case bytes_field(4):
        choose(element, ElementKind::control);
        read_control(Wire(wire.bytes()), element.control, budget);
        break;
      case bytes_field(5):
        choose(element, ElementKind::junction);
        read_junction(Wire(wire.bytes()), element.junction, budget);
        break;
      case bytes_field(2):
      case bytes_field(6):
      case bytes_field(8):
        choose(element, static_cast<ElementKind>(wire.tag() >> 3U));
        wire.skip();
        break;
      default: wire.skip();
    }
  }
}

/// Reads the message MapElement: id and element.
void read_element(Wire wire, RawElement& element, Budget& budget) {
  while (wire.next()) {
    switch (wire.tag()) {
      case bytes_field(1): read_id(Wire(wire.bytes()), element.id); break;
      case bytes_field(2): read_kind(Wire(wire.bytes()), element, budget); break;
      default: wire.skip();
    }
  }
}

}  // namespace

std::string describe(const RawElement& element, std::size_t index) {
  return joined(
      {"element ", index, " (", name_of(element.kind), " \"", element.id, "\")"});
}

void read_fragment(std::string_view bytes, const Limits& limits,
                   const std::function<void(const RawElement&, std::size_t)>& take) {
  if (bytes.size() > limits.bytes) {
    fail(Errc::limit_exceeded, {"semantic map: too large (found ", bytes.size(),
                                " bytes, expected at most ", limits.bytes, ")"});
  }
  Budget budget(limits);
  RawElement element;
  std::size_t index = 0;
  Wire wire(bytes);
  const auto next = [&] {
    try {
      return wire.next();
    } catch (const Error& error) {
      fail(error.code(), {"semantic map: after ", index, " elements: ", error.what()});
    }
  };
  while (next()) {
    if (wire.tag() != bytes_field(2)) {
      wire.skip();
      continue;
    }
    clear(element);
    try {
      budget.take_element();
      read_element(Wire(wire.bytes()), element, budget);
      take(element, index);
    } catch (const Error& error) {
      fail(error.code(),
           {"semantic map: ", describe(element, index), ": ", error.what()});
    }
    ++index;
  }
}

}  // namespace bev::map
