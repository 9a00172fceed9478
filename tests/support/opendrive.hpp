#pragma once

#include <string>

// A made-up map of OpenDRIVE.

namespace bev::test {

/// Two roads that a junction connects, with every shape of a reference line.
inline std::string small_opendrive() {
  const std::string lane =
      "<lane id='-1' type='driving'><link><successor id='-1'/></link><width "
      "sOffset='0' "
      "a='3' b='0.01' c='0' d='0'/><roadMark sOffset='0' type='broken' color='white'/>"
      "</lane>";
  const std::string lanes =
      "<lanes><laneOffset s='0' a='0.5' b='0' c='0' d='0'/><laneSection s='0'><left>"
      "<lane id='1' type='biking'><border sOffset='0' a='2' b='0' c='0' d='0'/></lane>"
      "</left><center><lane id='0' type='none'/></center><right>" +
      lane + "</right></laneSection></lanes>";
  return "<?xml version='1.0'?><OpenDRIVE><header><geoReference><![CDATA[+proj=utm]]>"
         "</geoReference><offset x='1' y='2' z='3' hdg='0.1'/></header>"
         "<road id='1' length='9' junction='-1'><link><successor "
         "elementType='junction' "
         "elementId='7'/></link><planView><geometry s='0' x='0' y='0' hdg='0' "
         "length='4'>"
         "<line/></geometry><geometry s='4' x='4' y='0' hdg='0' length='5'><spiral "
         "curvStart='0' "
         "curvEnd='0.1'/></geometry></planView><elevationProfile><elevation "
         "s='0' a='1' b='0.1' c='0' d='0'/></elevationProfile>" +
         lanes +
         "<objects><object id='3' type='crosswalk' s='2' t='0' hdg='0'><outline>"
         "<cornerLocal u='0' v='0'/><cornerLocal u='1' v='0'/><cornerRoad s='3' t='1'/>"
         "</outline></object></objects><signals><signal id='5' s='8' t='-4' "
         "dynamic='yes' "
         "orientation='+'><validity fromLane='-1' "
         "toLane='-1'/></signal></signals></road>"
         "<road id='2' length='6' junction='7' rule='LHT'><planView><geometry s='0' "
         "x='9' "
         "y='0' hdg='0' length='2'><arc curvature='0.2'/></geometry><geometry s='2' "
         "x='11' "
         "y='0' hdg='0' length='2'><poly3 a='0' b='0' c='0.05' d='0'/></geometry>"
         "<geometry s='4' x='13' y='0' hdg='0' length='2'><paramPoly3 aU='0' bU='2' "
         "cU='0' "
         "dU='0' aV='0' bV='0' cV='0.1' dV='0' "
         "pRange='normalized'/></geometry></planView>" +
         lanes +
         "</road><junction id='7'><connection incomingRoad='1' connectingRoad='2' "
         "contactPoint='start'><laneLink from='-1' to='-1'/></connection></junction>"
         "</OpenDRIVE>";
}

}  // namespace bev::test
