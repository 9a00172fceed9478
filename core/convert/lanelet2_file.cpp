#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/lanelet2.hpp"
#include "core/convert/xml_reader.hpp"

// The text of Lanelet2's files.

namespace bev::convert::lanelet2 {
namespace {

using map::Access;
using map::Divider;
using Kind = Lanelet::Kind;
using Tags = std::map<std::string, std::string, std::less<>>;

constexpr double kFarthestLocalM = 1e7;
constexpr double kMaxHeightM = 1e5;

/// Lane markings (line_thin, line_thick), as seen from the left and right of a line.
struct Marking {
  std::string_view subtype;
  Divider white, yellow_from_left, yellow_from_right;
  bool to_left, to_right;
};
constexpr Marking kMarkings[] = {
    {"dashed", Divider::single_white_dashed, Divider::single_yellow_dashed,
     Divider::single_yellow_dashed, true, true},
    {"solid", Divider::single_white_solid, Divider::single_yellow_solid,
     Divider::single_yellow_solid, false, false},
    {"solid_solid", Divider::double_white_solid, Divider::double_yellow_solid,
     Divider::double_yellow_solid, false, false},
    {"dashed_solid", Divider::double_white_solid, Divider::double_yellow_solid_dashed,
     Divider::double_yellow_dashed_solid, false, true},
    {"solid_dashed", Divider::double_white_solid, Divider::double_yellow_dashed_solid,
     Divider::double_yellow_solid_dashed, true, false}};

/// Users of lanelets by subtype.
struct Use {
  std::string_view subtype;
  Access access;
};
constexpr Use kUses[] = {
    {"", Access::no_restriction},        {"road", Access::no_restriction},
    {"highway", Access::no_restriction}, {"play_street", Access::no_restriction},
    {"exit", Access::no_restriction},    {"bus_lane", Access::only_bus},
    {"bicycle_lane", Access::only_bike}};

/// The same by participant, which replace the subtype; the first that is allowed counts.
constexpr Use kParticipants[] = {{"participant", Access::no_restriction},
                                 {"participant:vehicle", Access::no_restriction},
                                 {"participant:vehicle:car", Access::no_restriction},
                                 {"participant:vehicle:bus", Access::only_bus},
                                 {"participant:bicycle", Access::only_bike}};

// Names that are counted; others are "other".
constexpr std::string_view kOtherLanelets[] = {
    "walkway", "shared_walkway", "stairs", "emergency_lane", "rail", "road_shoulder"};
constexpr std::string_view kOtherRules[] = {"traffic_sign", "speed_limit",
                                            "right_of_way", "all_way_stop"};

template <std::size_t N>
std::string counted_as(const char* what, const std::string_view (&known)[N],
                       std::string_view name) {
  const bool is_known = std::find(known, known + N, name) != known + N;
  return std::string(what) + (is_known ? std::string(name) : "other");
}

std::string_view value_of(const Tags& tags, std::string_view key) {
  const auto found = tags.find(key);
  return found == tags.end() ? std::string_view() : std::string_view(found->second);
}

bool is_yes(const Tags& tags, std::string_view key) {
  const auto value = value_of(tags, key);
  return value == "yes" || value == "true" || value == "1";
}

/// Sets where a line may be crossed by its tags, if these say so.
void override_crossing(const Tags& tags, Way& way) {
  constexpr std::string_view kBoth = "lane_change", kLeft = "lane_change:left",
                             kRight = "lane_change:right";
  if (tags.contains(kBoth)) {
    way.to_left = way.to_right = is_yes(tags, kBoth);
  } else if (tags.contains(kRight) || is_yes(tags, kLeft)) {
    way.to_left = is_yes(tags, kLeft);
    way.to_right = is_yes(tags, kRight);
  }
}

/// Sets what a way is as a line. Returns whether its marking has a type of its own.
bool set_line(const Tags& tags, Way& way) {
  bool is_exact = true;
  const auto type = value_of(tags, "type"), subtype = value_of(tags, "subtype");
  if (type == "virtual") way.from_left = way.from_right = Divider::none;
  if (type == "curbstone") way.from_left = way.from_right = Divider::curb;
  const bool is_marking = type == "line_thin" || type == "line_thick";
  for (const auto& marking : kMarkings) {
    if (!is_marking || marking.subtype != subtype) continue;
    const bool is_yellow = value_of(tags, "color") == "yellow";
    way.from_left = is_yellow ? marking.yellow_from_left : marking.white;
    way.from_right = is_yellow ? marking.yellow_from_right : marking.white;
    way.to_left = marking.to_left;
    way.to_right = marking.to_right;
    is_exact = is_yellow || marking.to_left == marking.to_right;
  }
  override_crossing(tags, way);
  constexpr std::pair<std::string_view, map::Colour> kColours[] = {
      {"red", map::Colour::red},
      {"yellow", map::Colour::yellow},
      {"green", map::Colour::green}};
  for (const auto& [name, colour] : kColours) {
    if (type == "traffic_light" && subtype.find(name) != subtype.npos) {
      way.colours.push_back(colour);
    }
  }
  return is_exact;
}

std::optional<Access> users_of(const Tags& tags) {
  const auto first = tags.lower_bound("participant");
  if (first != tags.end() && first->first.starts_with("participant")) {
    for (const auto& [name, access] : kParticipants) {
      if (is_yes(tags, name)) return access;
    }
    return std::nullopt;
  }
  for (const auto& [name, access] : kUses) {
    if (name == value_of(tags, "subtype")) return access;
  }
  return std::nullopt;
}

template <class Element>
void sort_by_id(std::vector<Element>& all, const char* what) {
  std::sort(all.begin(), all.end(),
            [](const auto& a, const auto& b) { return a.id < b.id; });
  const auto twice =
      std::adjacent_find(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.id == b.id; });
  if (twice == all.end()) return;
  fail(Errc::invalid_metadata, {what, " ", twice->id, ": twice"});
}

/// Reads a file, element by element.
class OsmParser {
 public:
  explicit OsmParser(std::string_view text) : xml_(text) {}

  File run() {
    if (!xml_.open() || xml_.name() != "osm") {
      fail(Errc::unsupported, {"not a map of Lanelet2"});
    }
    xml_.each([&](std::string_view name) {
      const bool is_known = name == "node" || name == "way" || name == "relation";
      if (!is_known || is_deleted()) return;
      if (name == "node") return read_node();
      name == "way" ? read_way() : read_relation();
    });
    sort_by_id(out_.nodes, "node");
    sort_by_id(out_.ways, "way");
    sort_by_id(relations_, "relation");
    sort_by_id(out_.lights, "relation");
    if (!has_lanelets_) fail(Errc::unsupported, {"a map without lanelets"});
    return std::move(out_);
  }

 private:
  struct Member {
    std::string type, role;
    Id id = 0;
  };
  struct Relation {
    Id id = 0;
  };

  bool is_deleted() const {
    return xml_.find("action") == "delete" || xml_.find("visible") == "false";
  }

  double bounded(const char* attribute, double limit) const {
    const double value = xml_.number(attribute);
    if (std::abs(value) <= limit) return value;
    fail(Errc::invalid_metadata,
         {"element ", xml_.name(), ": attribute ", attribute, ": too large"});
  }

  void count_reference() {
    if (++references_ <= kMaxOsmReferences) return;
    fail(Errc::limit_exceeded, {"map: more than ", kMaxOsmReferences, " references"});
  }

  void take_tag(Tags& tags) {
    tags.insert_or_assign(std::string(xml_.text("k")), std::string(xml_.text("v")));
  }

  void read_node() {
    if (out_.nodes.size() == kMaxOsmNodes) {
      fail(Errc::limit_exceeded, {"map: more than ", kMaxOsmNodes, " nodes"});
    }
    Node node;
    node.id = xml_.integer("id");
    if (!xml_.find("lat").value_or("").empty()) {
      node.degrees = geom::Vec2{bounded("lon", 180), bounded("lat", 90)};
    }
    std::optional<double> x, y;
    xml_.each([&](std::string_view name) {
      if (name != "tag") return;
      const auto key = xml_.text("k");
      if (key == "ele") node.height = bounded("v", kMaxHeightM);
      if (key == "local_x") x = bounded("v", kFarthestLocalM);
      if (key == "local_y") y = bounded("v", kFarthestLocalM);
    });
    if (x && y) node.metres = geom::Vec2{*x, *y};
    out_.nodes.push_back(node);
  }

  void read_way() {
    Way way;
    way.id = xml_.integer("id");
    Tags tags;
    xml_.each([&](std::string_view name) {
      if (name == "tag") take_tag(tags);
      if (name != "nd") return;
      count_reference();
      way.nodes.push_back(xml_.integer("ref"));
    });
    if (!set_line(tags, way)) ++out_.lost["white double line, one of them dashed"];
    out_.ways.push_back(std::move(way));
  }

  void read_relation() {
    const auto id = xml_.integer("id");
    Tags tags;
    std::vector<Member> members;
    xml_.each([&](std::string_view name) {
      if (name == "tag") take_tag(tags);
      if (name != "member") return;
      count_reference();
      members.push_back({std::string(xml_.text("type")),
                         std::string(xml_.find("role").value_or("")),
                         xml_.integer("ref")});
    });
    relations_.push_back({id});
    const auto type = value_of(tags, "type");
    if (type == "lanelet") add_lanelet(id, tags, members);
    if (type == "multipolygon") ++out_.lost["area"];
    if (type == "regulatory_element") add_rule(id, tags, members);
  }

  /// Returns the one way with a role; nullopt if it may be absent and is.
  static std::optional<Id> way_of(Id lanelet, const std::vector<Member>& members,
                                  const char* role) {
    const auto is_role = [&](const Member& one) { return one.role == role; };
    const auto found = std::find_if(members.begin(), members.end(), is_role);
    const auto count = std::count_if(members.begin(), members.end(), is_role);
    const bool is_optional = std::string_view(role) == "centerline";
    if (count == 0 && is_optional) return std::nullopt;
    if (count == 1 && found->type == "way") return found->id;
    fail(Errc::invalid_metadata, {"lanelet ", lanelet, ": member ", role, " (found ",
                                  count, " members, expected one way)"});
  }

  void add_lanelet(Id id, const Tags& tags, const std::vector<Member>& members) {
    const auto subtype = value_of(tags, "subtype");
    const auto access = users_of(tags);
    const bool is_crosswalk = subtype == "crosswalk" && !access;
    has_lanelets_ = true;
    if (!access && !is_crosswalk) {
      ++out_.lost[counted_as("lanelet ", kOtherLanelets, subtype)];
      return;
    }
    Lanelet lanelet;
    lanelet.id = id;
    lanelet.kind = is_crosswalk ? Kind::crosswalk : Kind::lane;
    lanelet.left = *way_of(id, members, "left");
    lanelet.right = *way_of(id, members, "right");
    lanelet.centre = way_of(id, members, "centerline");
    lanelet.access = access.value_or(Access::unknown);
    lanelet.in_junction = tags.contains("turn_direction");
    if (access && tags.contains("one_way") && !is_yes(tags, "one_way")) {
      ++out_.lost["direction of a lane of both"];
    }
    if (access && tags.contains("speed_limit")) ++out_.lost["speed limit"];
    for (const auto& member : members) {
      if (member.role == "regulatory_element") lanelet.rules.push_back(member.id);
    }
    out_.lanelets.push_back(std::move(lanelet));
  }

  void add_rule(Id id, const Tags& tags, const std::vector<Member>& members) {
    const auto subtype = value_of(tags, "subtype");
    if (subtype != "traffic_light") {
      ++out_.lost[counted_as("regulatory element ", kOtherRules, subtype)];
      return;
    }
    LightRule rule{id, {}};
    for (const auto& member : members) {
      if (member.role == "ref_line") ++out_.lost["stop line"];
      if (member.role != "refers") continue;
      if (member.type == "way") {
        rule.ways.push_back(member.id);
      } else {
        ++out_.lost["traffic light that is not a way"];
      }
    }
    out_.lights.push_back(std::move(rule));
  }

  XmlReader xml_;
  File out_;
  std::vector<Relation> relations_;
  std::size_t references_ = 0;
  bool has_lanelets_ = false;
};

}  // namespace

File parse(std::string_view xml) {
  return OsmParser(xml).run();
}

}  // namespace bev::convert::lanelet2
