#include <algorithm>
#include <cmath>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/opendrive.hpp"
#include "core/convert/xml_reader.hpp"
#include "core/zarr/text.hpp"

// The text of OpenDRIVE files.

namespace bev::convert::opendrive {
namespace {

using map::Divider;

constexpr double kFarthestM = 1e7;  // of coordinates

/// Reads a file, element by element.
class RoadParser {
 public:
  explicit RoadParser(std::string_view text) : xml_(text) {}

  File run() {
    if (!xml_.open() || xml_.name() != "OpenDRIVE") {
      fail(Errc::unsupported, {"not a map of OpenDRIVE"});
    }
    xml_.each([&](std::string_view name) {
      if (name == "road") read_road();
      if (name == "junction") read_junction();
      if (name == "header") {
        xml_.each([&](std::string_view child) {
          if (child == "geoReference") out_.geo_reference = xml_.content();
          if (child != "offset") return;
          out_.offset = {bounded("x", kFarthestM), bounded("y", kFarthestM),
                         bounded("z", kMaxRoadM), xml_.number("hdg", 0)};
        });
      }
    });
    return std::move(out_);
  }

 private:
  double bounded(const char* attribute, double most) {
    const double value = xml_.number(attribute);
    if (std::abs(value) <= most) return value;
    fail(Errc::invalid_metadata,
         {"element ", xml_.name(), ": attribute ", attribute, ": too large"});
  }

  double station(const char* attribute = "s") {
    return bounded(attribute, 2 * kMaxRoadM);
  }

  Cubic cubic(const char* attribute) {
    return {station(attribute),
            {xml_.number("a"), xml_.number("b"), xml_.number("c"), xml_.number("d")}};
  }

  /// Returns an id, which maps have as text.
  std::string id() const {
    const auto out = xml_.text("id");
    if (zarr::valid_utf8(out) != out.size()) {
      fail(Errc::invalid_metadata, {"element ", xml_.name(), ": id is not UTF-8"});
    }
    return std::string(out);
  }

  void read_road() {
    Road road;
    road.id = id();
    road.junction = xml_.find("junction").value_or("-1");
    road.length = station("length");
    road.is_left_hand = xml_.find("rule") == "LHT";
    xml_.each([&](std::string_view name) {
      if (name == "link") read_link(road);
      if (name == "planView") read_plan(road);
      if (name == "elevationProfile") {
        read_cubics("elevation", road.elevation);
      } else if (name == "lateralProfile") {
        xml_.each([&](std::string_view) { ++out_.lost["superelevation"]; });
      } else if (name == "lanes") {
        read_lanes(road);
      } else if (name == "objects") {
        xml_.each([&](std::string_view) { read_object(road); });
      } else if (name == "signals") {
        xml_.each([&](std::string_view) { read_signal(road); });
      }
    });
    check(road);
    out_.roads.push_back(std::move(road));
  }

  static void check(Road& road) {
    const auto by_s = [](const auto& a, const auto& b) { return a.s < b.s; };
    const bool is_sorted =
        std::is_sorted(road.parts.begin(), road.parts.end(), by_s) &&
        std::is_sorted(road.sections.begin(), road.sections.end(), by_s);
    if (!is_sorted || road.parts.empty() || road.length < 0 ||
        road.length > kMaxRoadM) {
      fail(Errc::invalid_metadata,
           {"road ", road.id, ": no reference line, or not by increasing s"});
    }
    std::stable_sort(road.elevation.begin(), road.elevation.end(), by_s);
    std::stable_sort(road.offset.begin(), road.offset.end(), by_s);
  }

  void read_link(Road& road) {
    xml_.each([&](std::string_view name) {
      if (name != "predecessor" && name != "successor") return;
      End end;
      end.is_junction = xml_.text("elementType") == "junction";
      end.id = xml_.text("elementId");
      end.at_start = xml_.find("contactPoint") == "start";
      (name == "successor" ? road.successor : road.predecessor) = std::move(end);
    });
  }

  void read_plan(Road& road) {
    xml_.each([&](std::string_view) {
      RoadGeometry part;
      part.s = station();
      part.x = bounded("x", kFarthestM);
      part.y = bounded("y", kFarthestM);
      part.heading_rad = xml_.number("hdg");
      part.length = station("length");
      xml_.each([&](std::string_view kind) { read_shape(kind, part); });
      road.parts.push_back(part);
    });
  }

  void read_shape(std::string_view name, RoadGeometry& part) {
    using Kind = RoadGeometry::Kind;
    if (name == "arc") {
      part.kind = Kind::arc;
      part.curvature_start = part.curvature_end = xml_.number("curvature");
    } else if (name == "spiral") {
      part.kind = Kind::spiral;
      part.curvature_start = xml_.number("curvStart");
      part.curvature_end = xml_.number("curvEnd");
    } else if (name == "poly3") {
      part.kind = Kind::poly3;
      part.v = {xml_.number("a"), xml_.number("b"), xml_.number("c"), xml_.number("d")};
    } else if (name == "paramPoly3") {
      part.kind = Kind::param_poly3;
      part.u = {xml_.number("aU"), xml_.number("bU"), xml_.number("cU"),
                xml_.number("dU")};
      part.v = {xml_.number("aV"), xml_.number("bV"), xml_.number("cV"),
                xml_.number("dV")};
      part.is_normalized = xml_.find("pRange").value_or("normalized") != "arcLength";
    } else if (name != "line" && name != "userData") {
      fail(Errc::unsupported, {"geometry ", name});
    }
  }

  void read_cubics(std::string_view wanted, std::vector<Cubic>& out) {
    xml_.each([&](std::string_view name) {
      if (name == wanted) out.push_back(cubic("s"));
    });
  }

  void read_lanes(Road& road) {
    xml_.each([&](std::string_view name) {
      if (name == "laneOffset") road.offset.push_back(cubic("s"));
      if (name != "laneSection") return;
      Section section;
      section.s = station();
      xml_.each([&](std::string_view) {  // left, center, right
        xml_.each([&](std::string_view lane) {
          if (lane == "lane") read_lane(section);
        });
      });
      road.sections.push_back(std::move(section));
    });
  }

  void read_lane(Section& section) {
    Lane lane;
    lane.id = xml_.integer("id");
    lane.type = xml_.find("type").value_or("none");
    xml_.each([&](std::string_view name) {
      if (name == "width") lane.widths.push_back(cubic("sOffset"));
      if (name == "border") lane.borders.push_back(cubic("sOffset"));
      if (name == "roadMark") lane.marks.push_back(mark());
      if (name != "link") return;
      xml_.each([&](std::string_view link) {
        if (link == "predecessor") lane.predecessor = xml_.integer("id");
        if (link == "successor") lane.successor = xml_.integer("id");
      });
    });
    section.lanes[lane.id] = std::move(lane);
  }

  Mark mark() {
    const auto type = xml_.find("type").value_or("none");
    const auto color = xml_.find("color").value_or("standard");
    const bool is_yellow = color == "yellow";
    Mark out;
    out.s = station("sOffset");
    if (type == "none") out.divider = Divider::none;
    if (type == "curb") out.divider = Divider::curb;
    if (is_yellow || color == "white" || color == "standard") {
      if (type == "solid") {
        out.divider =
            is_yellow ? Divider::single_yellow_solid : Divider::single_white_solid;
      } else if (type == "broken" || type == "broken broken") {
        out.divider =
            is_yellow ? Divider::single_yellow_dashed : Divider::single_white_dashed;
      } else if (type == "solid solid") {
        out.divider =
            is_yellow ? Divider::double_yellow_solid : Divider::double_white_solid;
      }
    }
    out.can_cross = type == "none" || type == "broken" || type == "broken broken";
    const auto change = xml_.find("laneChange");
    if (change) out.can_cross = *change == "both";
    return out;
  }

  void read_signal(Road& road) {
    if (xml_.name() != "signal") {
      ++out_.lost[std::string(xml_.name())];
      return;
    }
    if (xml_.find("dynamic") != "yes") {
      ++out_.lost["sign"];
      return;
    }
    Signal signal;
    signal.id = id();
    signal.s = station();
    signal.t = station("t");
    signal.z = xml_.find("zOffset") ? station("zOffset") : 0;
    const auto orientation = xml_.find("orientation").value_or("none");
    signal.orientation = orientation == "+" ? 1 : (orientation == "-" ? -1 : 0);
    xml_.each([&](std::string_view name) {
      if (name != "validity") return;
      signal.lanes.emplace_back(xml_.integer("fromLane"), xml_.integer("toLane"));
    });
    road.signals.push_back(std::move(signal));
  }

  void read_object(Road& road) {
    if (xml_.name() != "object" || xml_.find("type") != "crosswalk") {
      ++out_.lost["object"];
      return;
    }
    CrossingObject out;
    out.id = id();
    out.s = station();
    out.t = station("t");
    out.heading_rad = xml_.number("hdg", 0);
    const auto corner = [&](std::string_view name) {
      if (name == "cornerLocal") {
        out.corners.push_back({false, station("u"), station("v")});
      } else if (name == "cornerRoad") {
        out.corners.push_back({true, station(), station("t")});
      }
    };
    xml_.each([&](std::string_view name) {
      if (name == "outline" && out.corners.empty()) xml_.each(corner);
      if (name != "outlines") return;
      xml_.each([&](std::string_view) {
        if (out.corners.empty()) xml_.each(corner);
      });
    });
    if (out.corners.size() < 3) {
      ++out_.lost["crosswalk without outline"];
      return;
    }
    road.crossings.push_back(std::move(out));
  }

  void read_junction() {
    auto& connections = out_.junctions[std::string(xml_.text("id"))];
    xml_.each([&](std::string_view name) {
      if (name != "connection") return;
      Connection one;
      one.from = xml_.find("incomingRoad").value_or("");
      one.to = xml_.find("connectingRoad").value_or("");
      one.at_start = xml_.find("contactPoint").value_or("start") == "start";
      xml_.each([&](std::string_view link) {
        if (link != "laneLink") return;
        const auto from = xml_.integer("from");
        one.lanes[from] = xml_.integer("to");
      });
      connections.push_back(std::move(one));
    });
  }

  XmlReader xml_;
  File out_;
};

}  // namespace

File parse(std::string_view xml) {
  return RoadParser(xml).run();
}

}  // namespace bev::convert::opendrive
