#pragma once

#include <string>

// Made-up scenarios of CommonRoad: the elements of its files, with content of our own.

namespace bev::test {

inline std::string xml_of(const std::string& name, const std::string& content,
                          const std::string& attributes = "") {
  return "<" + name + (attributes.empty() ? "" : " " + attributes) + ">" + content +
         "</" + name + ">";
}

inline std::string xml_of(const std::string& name, double value) {
  return xml_of(name, std::to_string(value));
}

inline std::string xml_point(double x, double y) {
  return xml_of("point", xml_of("x", x) + xml_of("y", y));
}

inline std::string xml_exact(const std::string& name, double value) {
  return xml_of(name, xml_of("exact", value));
}

/// A state at (x, y) with heading 0, as the element `name`.
inline std::string xml_state(const std::string& name, int step, double x, double y,
                             const std::string& more =
                                 "<velocity><exact>5</exact>"
                                 "</velocity>") {
  return xml_of(name, xml_of("position", xml_point(x, y)) +
                          xml_exact("orientation", 0) +
                          xml_of("time", xml_of("exact", std::to_string(step))) + more);
}

inline const std::string kXmlBox =
    "<shape><rectangle><length>4.5</length><width>2</width></rectangle></shape>";

/// An obstacle of 2020a.
inline std::string xml_obstacle(int id, const std::string& states,
                                const std::string& type = "car",
                                const std::string& shape = kXmlBox,
                                const std::string& element = "dynamicObstacle") {
  return xml_of(element, xml_of("type", type) + shape + states,
                "id='" + std::to_string(id) + "'");
}

/// A lanelet along x between y and y + 3, with bounds of three points.
inline std::string xml_lanelet(int id, double y, const std::string& more,
                               const std::string& left = "dashed",
                               const std::string& right = "solid") {
  const auto bound = [](double at, const std::string& marking) {
    return xml_point(0, at) + xml_point(10, at) + xml_point(20, at) +
           (marking.empty() ? "" : xml_of("lineMarking", marking));
  };
  return xml_of("lanelet",
                xml_of("leftBound", bound(y + 3, left)) +
                    xml_of("rightBound", bound(y, right)) + more,
                "id='" + std::to_string(id) + "'");
}

inline std::string xml_scenario(const std::string& content,
                                const std::string& version = "2020a") {
  return xml_of("commonRoad", content,
                "commonRoadVersion='" + version +
                    "' benchmarkID='ZAM_Made-1_1_T-1' author='nobody' "
                    "timeStepSize='0.1'");
}

inline const std::string kXmlProblem =
    xml_of("planningProblem",
           xml_state("initialState", 0, 1, 2) +
               "<goalState><time><intervalStart>5</intervalStart><intervalEnd>9"
               "</intervalEnd></time></goalState>",
           "id='900'");

/// A scenario of four time steps with two cars, three lanelets, a crosswalk and a light.
inline std::string small_commonroad() {
  const auto states = xml_state("state", 1, 10.5, 1.5) +
                      xml_state("state", 2, 11, 1.5) + xml_state("state", 3, 11.5, 1.5);
  return xml_scenario(
      "<location><geoNameId>7</geoNameId><gpsLatitude>48.5</gpsLatitude>"
      "<gpsLongitude>11.5</gpsLongitude></location>"
      "<scenarioTags><urban/><critical/></scenarioTags>" +
      xml_lanelet(1, 0,
                  "<successor ref='3'/><adjacentLeft ref='2' drivingDir='same'/>"
                  "<laneletType>urban</laneletType><trafficLightRef ref='201'/>"
                  "<stopLine><lineMarking>solid</lineMarking></stopLine>") +
      xml_lanelet(2, 3,
                  "<adjacentRight ref='1' drivingDir='same'/><adjacentLeft ref='3' "
                  "drivingDir='opposite'/><laneletType>busLane</laneletType>",
                  "broad_solid", "dashed") +
      xml_lanelet(3, 6, "", "", "unknown") +
      xml_lanelet(4, 20,
                  "<laneletType>urban</laneletType><laneletType>crosswalk"
                  "</laneletType>") +
      "<trafficLight id='201'><cycle><cycleElement><duration>2</duration><color>red"
      "</color></cycleElement><cycleElement><duration>1</duration><color>redYellow"
      "</color></cycleElement><cycleElement><duration>3</duration><color>green</color>"
      "</cycleElement><timeOffset>1</timeOffset></cycle><position>" +
      xml_point(20, -1) +
      "</position><direction>all</direction></trafficLight>"
      "<intersection id='301'><incoming id='302'><incomingLanelet ref='1'/>"
      "<successorsLeft ref='3'/></incoming></intersection><trafficSign id='401'/>" +
      xml_obstacle(
          42, xml_state("initialState", 0, 10, 1.5) + xml_of("trajectory", states)) +
      xml_obstacle(43, xml_state("initialState", 0, 5, 4.5), "parkedVehicle", kXmlBox,
                   "staticObstacle") +
      kXmlProblem);
}

}  // namespace bev::test
