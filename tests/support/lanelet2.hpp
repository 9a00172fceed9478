#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

namespace bev::test {

/// The text of a map of Lanelet2. Positions are metres east and north of latitude and
/// longitude 0, in the UTM zone there, within a millimetre.
class OsmMap {
 public:
  using Tags = std::vector<std::pair<std::string, std::string>>;
  struct Member {
    std::string type;
    long long id;
    std::string role;
  };

  OsmMap& node(long long id, double x, double y, const Tags& tags = {}) {
    // Of Lanelet2's UtmProjector at 0, 0.
    constexpr double kLatPerMetre = 9.03483e-6, kLonPerMetre = 8.97435e-6;
    return element("node",
                   id_of(id) + " lat='" + std::to_string(y * kLatPerMetre * 1e6) +
                       "e-6' lon='" + std::to_string(x * kLonPerMetre * 1e6) + "e-6'",
                   "", tags);
  }

  OsmMap& way(long long id, const std::vector<long long>& nodes,
              const Tags& tags = {}) {
    std::string content;
    for (const auto node : nodes) content += "<nd ref='" + std::to_string(node) + "'/>";
    return element("way", id_of(id), content, tags);
  }

  OsmMap& relation(long long id, const std::vector<Member>& members, const Tags& tags) {
    std::string content;
    for (const auto& one : members) {
      content += "<member type='" + one.type + "' ref='" + std::to_string(one.id) +
                 "' role='" + one.role + "'/>";
    }
    return element("relation", id_of(id), content, tags);
  }

  /// Adds a lanelet between two ways, of the subtype road unless tags say otherwise.
  OsmMap& lanelet(long long id, long long left, long long right,
                  Tags tags = {{"subtype", "road"}}, long long rule = 0) {
    std::vector<Member> members = {{"way", left, "left"}, {"way", right, "right"}};
    if (rule != 0) members.push_back({"relation", rule, "regulatory_element"});
    tags.emplace_back("type", "lanelet");
    return relation(id, members, tags);
  }

  std::string text() const {
    return "<?xml version='1.0'?><osm version='0.6'>" + text_ + "</osm>";
  }

 private:
  static std::string id_of(long long id) { return "id='" + std::to_string(id) + "'"; }

  OsmMap& element(const std::string& name, const std::string& attributes,
                  const std::string& content, const Tags& tags) {
    text_ += "<" + name + " " + attributes + ">" + content;
    for (const auto& [key, value] : tags) {
      text_ += "<tag k='" + key + "' v='" + value + "'/>";
    }
    text_ += "</" + name + ">";
    return *this;
  }

  std::string text_;
};

/// Two lanes to the east beside each other, 20 below 21; 22 is ahead of 20, behind the
/// crosswalk 23, and has a light at its end.
inline OsmMap small_lanelet2() {
  const OsmMap::Tags dashed = {{"type", "line_thin"}, {"subtype", "dashed"}};
  OsmMap out;
  for (int i = 0; i < 3; ++i) {
    for (int k = 0; k < 3; ++k) out.node(1 + 3 * k + i, 50 * i, 4 * k);
  }
  out.node(101, 52, -1).node(102, 52, 9).node(103, 55, -1).node(104, 55, 9);
  out.node(105, 101, 3, {{"ele", "4.5"}}).node(106, 101, 5, {{"ele", "5.5"}});
  out.way(10, {1, 2}, {{"type", "road_border"}});
  out.way(11, {4, 5}, dashed);
  out.way(12, {8, 7}, {{"type", "curbstone"}, {"subtype", "high"}});
  out.way(13, {2, 3}, {{"type", "road_border"}});
  out.way(14, {5, 6}, {{"type", "virtual"}});
  out.way(15, {105, 106}, {{"type", "traffic_light"}, {"subtype", "red_yellow_green"}});
  out.way(16, {101, 102}).way(17, {103, 104});
  out.lanelet(20, 11, 10).lanelet(21, 12, 11);
  out.lanelet(22, 14, 13, {{"subtype", "road"}, {"turn_direction", "straight"}}, 30);
  out.lanelet(23, 16, 17, {{"subtype", "crosswalk"}});
  out.lanelet(24, 16, 17, {{"subtype", "walkway"}});
  out.relation(30, {{"way", 15, "refers"}, {"way", 16, "ref_line"}},
               {{"type", "regulatory_element"}, {"subtype", "traffic_light"}});
  return out;
}

}  // namespace bev::test
