"""The town's semantic map, written with L5Kit's protobuf classes."""

import numpy as np
import pymap3d as pm
from l5kit.geometry import transform_points
from town import CROSS_SEGS, LIGHTS, MAIN_SEGS, short_id, town_lanes


def build_town_map(town, path):
    from l5kit.data.proto.road_network_pb2 import MapFragment

    lanes = town_lanes(town)
    mf = MapFragment()
    mf.name = "synthetic town around single_scene"
    taken = set(LIGHTS) | {f for _, fs in LIGHTS.values() for f in fs}
    ids = {n: short_id(n, taken) for n in lanes}
    names = {"lanes": dict(ids), "crosswalks": {}, "other": {}}

    def new(name, given=None):
        el = mf.elements.add()
        i = given or short_id(name, taken)
        el.id.id = i.encode()
        return el, i

    def frame_for(msg, xyz, bearing=0.0):
        lat, lng, _ = pm.ecef2geodetic(*transform_points(xyz[None], town.M)[0])
        msg.origin.lat_e7 = int(np.round(lat * 1e7))
        msg.origin.lng_e7 = int(np.round(lng * 1e7))
        if bearing:
            msg.bearing_degrees = bearing
        return msg.origin.lat_e7 / 1e7, msg.origin.lng_e7 / 1e7

    def deltas(xyz, origin):
        e, n, u = pm.ecef2enu(*transform_points(xyz, town.M).T, origin[0], origin[1], 0)
        cm = np.round(np.stack([e, n, u], -1) * 100).astype(np.int64)
        return np.diff(cm, axis=0, prepend=np.zeros((1, 3), np.int64))

    # which lights control which lanes (approach lanes and the connecting lanes)
    ctl = {}
    for n in ("M2F0", "M2F1", "XMF0", "XMF1", "TRF"):
        ctl.setdefault(n, []).append("aLv7")
    for n in ("M3B0", "M3B1", "XMB0", "XMB1", "TRB"):
        ctl.setdefault(n, []).append("3VcD")
    for n in ("C1P0", "C1P1", "XCP0", "XCP1", "TLP", "TRP"):
        ctl.setdefault(n, []).append("pmaD")
    for n in ("C2N0", "C2N1", "XCN0", "XCN1", "TLN", "TRN"):
        ctl.setdefault(n, []).append("LhR9")
    ctl.setdefault("TLF", []).append("Ae1d")
    ctl.setdefault("TLB", []).append("MfzU")
    stop_id = short_id("stop_sign", taken)

    nxt = {}
    for i in range(len(MAIN_SEGS) - 1):
        for ln in ("F0", "F1"):
            if i == 2:
                nxt["M2" + ln] = ["XM" + ln]
                nxt["XM" + ln] = ["M3" + ln]
            else:
                nxt[f"M{i}{ln}"] = [f"M{i + 1}{ln}"]
        for ln in ("B0", "B1"):
            if i == 2:
                nxt["M3" + ln] = ["XM" + ln]
                nxt["XM" + ln] = ["M2" + ln]
            else:
                nxt[f"M{i + 1}{ln}"] = [f"M{i}{ln}"]
    for ln in ("P0", "P1"):
        nxt["C0" + ln], nxt["C1" + ln], nxt["XC" + ln], nxt["C2" + ln] = (
            ["C1" + ln],
            ["XC" + ln],
            ["C2" + ln],
            ["C3" + ln],
        )
    for ln in ("N0", "N1"):
        nxt["C3" + ln], nxt["C2" + ln], nxt["XC" + ln], nxt["C1" + ln] = (
            ["C2" + ln],
            ["XC" + ln],
            ["C1" + ln],
            ["C0" + ln],
        )
    for n, spec in lanes.items():
        if spec.get("turn"):
            nxt.setdefault(spec["src"], []).append(n)
            nxt[n] = [spec["dst"]]
    adj = {}
    for pre in [f"M{i}" for i in range(6)] + [f"C{i}" for i in range(4)]:
        pairs = (
            (("F0", "F1"), ("B0", "B1")) if pre[0] == "M" else (("P0", "P1"), ("N0", "N1"))
        )
        for a, b in pairs:
            adj.setdefault(pre + a, {})["right"] = pre + b
            adj.setdefault(pre + b, {})["left"] = pre + a

    # nodes / segments / junction: not read by MapAPI, they must be skipped
    junction_id = short_id("junction", taken)
    seg_ids = {}
    for r, segs in (("M", MAIN_SEGS), ("C", CROSS_SEGS)):
        for i, (a, b) in enumerate(segs):
            el, sid = new(f"segment{r}{i}")
            seg_ids[f"{r}{i}"] = sid
            sg = el.element.segment
            pts = (
                town.main_off(np.array([a, (a + b) / 2, b]), 1.95)
                if r == "M"
                else town.cross_off(np.array([a, (a + b) / 2, b], float), 0.0)
            )
            for x in transform_points(pts, town.M):
                lat, lng, alt = pm.ecef2geodetic(*x)
                v = sg.vertices.add()
                v.lat_e7, v.lng_e7 = int(np.round(lat * 1e7)), int(np.round(lng * 1e7))
                v.altitude_cm = int(np.round(alt * 100))
            sg.forward_lane_set.num_driving_lanes = 2
            sg.backward_lane_set.num_driving_lanes = 2
            sg.road_class = 5
            sg.travel_direction = 1
            sg.speed_limit_meters_per_second = 15.6
            nm = sg.name.add()
            nm.language_code, nm.value = "en", "Main Street" if r == "M" else "Cross Road"
            for n in lanes:
                if n.startswith(f"{r}{i}"):
                    sg.lanes.add().id = ids[n].encode()
            cond = el.associated_conditions.add()
            cond.conditions.add().daily_temporal_condition.start_local_time_seconds = 25200
            cond.overrides.segment.speed_limit_meters_per_second = 11.2
    node, node_id = new("node")
    node.element.node.z_level = -1
    names["other"]["node"] = node_id

    for k, (name, spec) in enumerate(lanes.items()):
        el, _ = new(name, ids[name])
        lane = el.element.lane
        bear = 30.0 if name == "M4F0" else 0.0  # MapAPI ignores the bearing
        origin = frame_for(lane.geo_frame, spec["center"][0], bear)
        if k % 5 == 0:
            lane.geo_frame.origin.altitude_cm = (
                1234  # ignored too: the frame height is always 0
            )
        par = (
            seg_ids.get(name[:2])
            if spec["road"] in ("main", "cross") and name[1].isdigit()
            else None
        )
        lane.parent_segment_or_junction.id = (par or junction_id).encode()
        for side in ("left", "right"):
            b = getattr(lane, side + "_boundary")
            d = deltas(spec[side], origin)
            b.vertex_deltas_x_cm.extend(d[:, 0].tolist())
            b.vertex_deltas_y_cm.extend(d[:, 1].tolist())
            b.vertex_deltas_z_cm.extend(d[:, 2].tolist())
            b.divider_type.append({"left": 2, "right": 5}[side])
            if name == "M3F0":
                b.divider_type.append(3)
                b.type_change_point_cm.append(2500)
        for n in nxt.get(name, []):
            lane.lanes_ahead.add().id = ids[n].encode()
        for side, n in adj.get(name, {}).items():
            getattr(lane, "adjacent_lane_change_" + side).id = ids[n].encode()
        for light in ctl.get(name, []):
            lane.traffic_controls.add().id = light.encode()
            for f in LIGHTS[light][1]:
                lane.traffic_controls.add().id = f.encode()
        if spec.get("stop"):
            lane.traffic_controls.add().id = stop_id.encode()
        if spec.get("parked"):
            lane.can_have_parked_cars = True
        if spec.get("access"):
            lane.access_restriction.type = spec["access"]
        if name[0] in "MC" and name[1].isdigit():
            lane.orientation_in_parent_segment = 2 if name[2] in "FP" else 3
        if spec.get("turn"):
            lane.turn_type_in_parent_junction = 2 if name[1] == "L" else 4
            lane.yield_to_lanes.add().id = ids["XMB0"].encode()
        if name == "M1F0":
            el.bounding_box.south_west.lat_e7 = lane.geo_frame.origin.lat_e7 - 1000
            el.bounding_box.north_east.lat_e7 = lane.geo_frame.origin.lat_e7 + 1000

    # traffic lights and their faces
    where = {
        "aLv7": town.main_off(np.array([166.0]), -4.0)[0],
        "3VcD": town.main_off(np.array([134.0]), 9.0)[0],
        "pmaD": town.cross_off(np.array([18.0]), -6.0)[0],
        "LhR9": town.cross_off(np.array([-14.0]), 6.0)[0],
        "Ae1d": town.main_off(np.array([166.0]), 1.0)[0],
        "MfzU": town.main_off(np.array([134.0]), 3.0)[0],
    }
    for light, (kind, faces) in LIGHTS.items():
        el, _ = new(light, light)
        tce = el.element.traffic_control_element
        frame_for(tce.geo_frame, where[light], 270.0)
        tce.geometry_type = 1
        for f in faces:
            tce.traffic_light.face_states.add().id = f.encode()
        for j, (f, col) in enumerate(faces.items()):
            el, _ = new(f, f)
            tce = el.element.traffic_control_element
            frame_for(tce.geo_frame, where[light] + [0, 0, 4.0 + 0.3 * j])
            fld = f"signal_{col}_face" if kind == "face" else f"signal_{kind}_{col}_face"
            st = getattr(tce, fld)
            st.SetInParent()
            if col == "green":
                y = st.yield_rules_when_on.add()
                y.lane.id = ids["TLF"].encode()
                y.yield_to_lanes.add().id = ids["XMB0"].encode()
            if col == "red" and j == 1:
                st.no_right_turn_on_red = True

    # crosswalks
    def box_main(s0, s1, o0, o1):
        return np.concatenate(
            [
                town.main_off(np.array([s0, s0]), np.array([o0, o1])),
                town.main_off(np.array([s1, s1]), np.array([o1, o0])),
            ]
        )

    def box_cross(u0, u1, o0, o1):
        a = np.concatenate([town.cross_off(np.array([u0]), o) for o in (o0, o1)])
        b = np.concatenate([town.cross_off(np.array([u1]), o) for o in (o1, o0)])
        return np.concatenate([a, b])

    cw = {
        "CWA": box_main(137.5, 140.5, -5.5, 9.4),
        "CWB": box_main(159.5, 162.5, -5.5, 9.4),
        "CWC": box_cross(-11.0, -8.0, -7.2, 7.2),
        "CWD": box_cross(12.5, 15.5, -7.2, 7.2),
        "CWE": box_main(78.0, 81.5, -5.4, 9.3),
    }
    ang = np.linspace(0, 2 * np.pi, 27)[:-1]
    c0 = town.main_off(np.array([250.0]), 2.0)[0]
    cw["CWF"] = np.stack(
        [c0[0] + 4 * np.cos(ang), c0[1] + 7 * np.sin(ang), np.full(26, c0[2])], -1
    )
    cw["CWG"] = box_main(20.0, 23.0, -5.5, 9.4)[[0, 1, 3]]
    for n, pts in cw.items():
        el, i = new(n)
        names["crosswalks"][n] = i
        tce = el.element.traffic_control_element
        origin = frame_for(tce.geo_frame, pts.mean(0), 133.5 if n == "CWB" else 0.0)
        d = deltas(pts, origin)
        tce.points_x_deltas_cm.extend(d[:, 0].tolist())
        tce.points_y_deltas_cm.extend(d[:, 1].tolist())
        tce.points_z_deltas_cm.extend(d[:, 2].tolist())
        tce.geometry_type = 4
        tce.pedestrian_crosswalk.SetInParent()
        if n in ("CWA", "CWB"):
            tce.pedestrian_crosswalk.traffic_lights.add().id = b"aLv7"
            sq = tce.controlled_paths.add()
            sq.lanes.add().id = ids["M2F0"].encode()
            sq.lanes.add().id = ids["XMF0"].encode()

    # elements MapAPI must not take for a lane, a crosswalk, a light or a coloured face
    def tce(name, fld, given=None, pts=None):
        el, i = new(name, given)
        t = el.element.traffic_control_element
        getattr(t, fld).SetInParent()
        o = frame_for(t.geo_frame, where["aLv7"])
        if pts is not None:
            d = deltas(pts, o)
            t.points_x_deltas_cm.extend(d[:, 0].tolist())
            t.points_y_deltas_cm.extend(d[:, 1].tolist())
            t.points_z_deltas_cm.extend(d[:, 2].tolist())
        names["other"][name] = i
        return t

    tce("crosswalk without points", "pedestrian_crosswalk")
    tce("stop sign", "stop_sign", stop_id)
    tce("yield sign", "yield_sign")
    tce(
        "stop line", "stop_line", pts=box_main(135.0, 135.4, -5.2, 1.7)
    ).stop_line.primary_traffic_control_elements.add().id = stop_id.encode()
    tce("speed bump", "speed_bump", pts=box_main(110, 112, -5.2, 9.0))
    tce("red u turn", "signal_red_u_turn")
    tce("flashing red", "signal_flashing_red")
    tce("construction zone sign", "construction_zone_sign")
    el, _ = new("junction", junction_id)
    names["other"]["junction"] = junction_id
    el.element.junction.is_non_trivial_intersection = True
    for n, spec in lanes.items():
        if spec["road"] == "x":
            el.element.junction.lanes.add().id = ids[n].encode()
    el, i = new("segment sequence")
    el.element.segment_sequence.type = 1
    for k in ("M2", "C1"):
        sw = el.element.segment_sequence.segments.add()
        sw.segment.id = seg_ids[k].encode()
        sw.orientation = 1
    el, i = new("park")
    el.element.annotated_shape.park.SetInParent()
    sh = el.element.annotated_shape.multipolygon.polygons.add()
    for dx, dy in ((0, 0), (1000, 0), (0, 1000)):
        v = sh.shell_vertices.add()
        v.lat_e7, v.lng_e7 = 374390000 + dx, -1221620000 + dy
    with open(path, "wb") as f:
        f.write(mf.SerializeToString(deterministic=True))
    return names, lanes
