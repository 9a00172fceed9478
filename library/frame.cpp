#include <algorithm>
#include <bevscope/frame.hpp>
#include <cstring>
#include <string>
#include <string_view>

#include "library/dataset_impl.hpp"

namespace bev::library {
namespace {

/// Finds the arrays of a frame query by name. Queries emit them in one order, so that
/// the search starts behind the previous array.
class FrameReader {
 public:
  explicit FrameReader(const Arrays& arrays) : arrays_(arrays.all()), all_(arrays) {}

  template <Element T, std::size_t... Inner>
  auto rows(std::string_view name) {
    return find(name).template rows<T, Inner...>();
  }

  template <Element T>
  T value(std::string_view name) {
    return find(name).values<T>()[0];
  }

  /// Copies a value of fixed size.
  template <class Value>
  void copy(std::string_view name, Value& out) {
    const auto bytes = find(name).bytes();
    std::memcpy(&out, bytes.data(), std::min(bytes.size(), sizeof out));
  }

  /// Views an array of bytes as an enumeration.
  template <class Enum>
  std::span<const Enum> enums(std::string_view name) {
    static_assert(sizeof(Enum) == 1);
    const auto values = find(name).values<std::uint8_t>();
    return {reinterpret_cast<const Enum*>(values.data()), values.size()};
  }

  Polylines lines(std::string_view name) {
    const std::string prefix(name);
    return {rows<double, 2>(prefix + ".points"),
            rows<std::uint32_t>(prefix + ".offsets")};
  }

  TextView text(std::string_view name) { return all_.text(name); }

 private:
  const ArrayView& find(std::string_view name) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      const auto& array = arrays_[(next_ + i) % arrays_.size()];
      if (array.name() != name) continue;
      next_ = next_ + i + 1;
      return array;
    }
    return all_[name];  // throws
  }

  std::span<const ArrayView> arrays_;
  const Arrays& all_;
  std::size_t next_ = 0;
};

FrameEgo ego_of(FrameReader& reader) {
  FrameEgo ego;
  reader.copy("ego.centroid", ego.centroid);
  reader.copy("ego.translation", ego.translation);
  reader.copy("ego.rotation", ego.rotation);
  ego.is_virtual = reader.value<bool>("ego.is_virtual");
  ego.yaw = reader.value<double>("ego.yaw");
  ego.speed = reader.value<float>("ego.speed");
  reader.copy("ego.corners", ego.corners);
  ego.trail = reader.rows<double, 2>("ego.trail");
  ego.future = reader.rows<double, 2>("ego.future");
  return ego;
}

FrameAgents agents_of(FrameReader& reader) {
  FrameAgents agents;
  agents.row = reader.rows<std::int64_t>("agents.row");
  agents.track_id = reader.rows<std::uint64_t>("agents.track_id");
  agents.centroid = reader.rows<double, 2>("agents.centroid");
  agents.corners = reader.rows<double, 4, 2>("agents.corners");
  agents.yaw = reader.rows<float>("agents.yaw");
  agents.extent = reader.rows<float, 3>("agents.extent");
  agents.velocity = reader.rows<float, 2>("agents.velocity");
  agents.speed = reader.rows<float>("agents.speed");
  agents.label = reader.rows<std::uint8_t>("agents.label");
  agents.agent_class = reader.enums<AgentClass>("agents.class");
  agents.probability = reader.rows<float>("agents.probability");
  agents.known_probability = reader.rows<float>("agents.known_probability");
  agents.kept = reader.rows<bool>("agents.kept");
  agents.distance = reader.rows<float>("agents.distance");
  agents.label_probabilities = reader.rows<float, 17>("agents.label_probabilities");
  agents.trails = reader.lines("trails");
  agents.futures = reader.lines("futures");
  return agents;
}

}  // namespace

FrameView frame_view(const Arrays& arrays) {
  FrameReader reader(arrays);
  FrameView view;
  view.index = reader.value<std::int64_t>("frame.index");
  view.timestamp = reader.value<std::int64_t>("frame.timestamp");
  view.ego = ego_of(reader);
  view.agents = agents_of(reader);
  view.lights.face_id = reader.text("lights.face_id");
  view.lights.traffic_light_id = reader.text("lights.traffic_light_id");
  view.lights.state = reader.enums<FaceState>("lights.state");
  view.lights.status = reader.rows<float, 3>("lights.status");
  view.owner = arrays.owner();
  return view;
}

}  // namespace bev::library
