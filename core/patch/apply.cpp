#include "core/patch/apply.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/base/error.hpp"
#include "core/geom/angle.hpp"
#include "core/geom/trig.hpp"
#include "core/patch/track.hpp"
#include "core/scene/motion.hpp"
#include "core/zarr/text.hpp"

namespace bev::patch {
namespace {

using scene::Agent;
using scene::SceneArrays;
using RowList = std::vector<std::size_t>;

/// Lists the rows of all frames in their order, after `change(frame, rows)` of each, and
/// sets the intervals.
template <class Change>
RowList regrouped(std::vector<scene::Interval>& intervals, Change change) {
  RowList all, rows;
  for (std::size_t frame = 0; frame < intervals.size(); ++frame) {
    auto& [begin, end] = intervals[frame];
    rows.resize(static_cast<std::size_t>(end - begin));
    std::iota(rows.begin(), rows.end(), static_cast<std::size_t>(begin));
    change(frame, rows);
    begin = static_cast<std::int64_t>(all.size());
    all.insert(all.end(), rows.begin(), rows.end());
    end = static_cast<std::int64_t>(all.size());
  }
  return all;
}

/// Makes rows of a column, of `width` elements each, those with these numbers.
template <class T>
void pick(std::vector<T>& column, const RowList& rows, std::size_t width = 1) {
  std::vector<T> out;
  out.reserve(rows.size() * width);
  for (const auto row : rows) {
    const auto first = column.begin() + static_cast<std::ptrdiff_t>(row * width);
    out.insert(out.end(), first, first + static_cast<std::ptrdiff_t>(width));
  }
  column = std::move(out);
}

void pick(scene::AgentColumns& agents, const RowList& rows) {
  pick(agents.centroid, rows);
  pick(agents.extent, rows);
  pick(agents.yaw, rows);
  pick(agents.velocity, rows);
  pick(agents.track_id, rows);
  pick(agents.label_probabilities, rows);
}

/// The strings' lengths in bytes.
struct Widths {
  explicit Widths(const scene::FaceColumns& faces)
      : face_id(faces.face_id.size() / faces.size()),
        light_id(faces.traffic_light_id.size() / faces.size()) {}
  std::size_t face_id, light_id;
};

void append(scene::AgentColumns& agents, const Agent& agent) {
  agents.centroid.push_back(agent.centroid);
  agents.extent.push_back(agent.extent);
  agents.yaw.push_back(agent.yaw);
  agents.velocity.push_back(agent.velocity);
  agents.track_id.push_back(agent.track_id);
  agents.label_probabilities.push_back(agent.label_probabilities);
}

double smoothstep(double t) {
  return t * t * (3 - 2 * t);
}

/// Returns the share of a value between two others, from 0 to 1; 0 for NaN.
double share_of(double value, double from, double to) {
  return value > from && to > from ? std::min((value - from) / (to - from), 1.0) : 0;
}

/// Poses of added tracks, frame by frame.
class KeyedPath {
 public:
  KeyedPath(const std::vector<Add::Key>& keys, const std::vector<std::int64_t>& times)
      : keys_(keys), times_(times) {}

  /// Frames ascend from call to call.
  Add::Key at(std::size_t frame) {
    while (next_ < keys_.size() && keys_[next_].frame <= frame) ++next_;
    if (next_ == 0) return keys_.front();
    const auto& a = keys_[next_ - 1];
    if (next_ == keys_.size() || a.frame == frame) return a;
    const auto& b = keys_[next_];
    const auto since = [&](std::uint64_t later) {
      return scene::seconds_between(times_[static_cast<std::size_t>(a.frame)],
                                    times_[static_cast<std::size_t>(later)]);
    };
    const double share = share_of(since(frame), 0, since(b.frame));
    return {frame, a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
            a.yaw + share * geom::angular_distance(b.yaw, a.yaw)};
  }

 private:
  const std::vector<Add::Key>& keys_;
  const std::vector<std::int64_t>& times_;
  std::size_t next_ = 0;
};

/// Applies one edit.
class Editor {
 public:
  Editor(SceneArrays& scene, const Edit& edit, std::size_t& may_add)
      : scene_(scene), edit_(edit), may_add_(may_add) {
    const auto frames = scene.frames.size();
    const auto to = edit.to.value_or(frames);
    if (edit.from >= to || to > frames) {
      fail(Errc::out_of_range, {"frames [", edit.from, ", ", to,
                                "): not a range of the scene's ", frames, " frames"});
    }
    from_ = static_cast<std::size_t>(edit.from);
    to_ = static_cast<std::size_t>(to);
  }

  void operator()(const Move& move) {
    Track track(scene_, edit_.track);
    const auto [first, last] = steps(track);
    const auto pivot = track.at(first);
    const auto heading = geom::pose({}, move.in_track ? track.yaw(first) : 0);
    const auto by = heading * geom::Vec2{move.by[0], move.by[1]};
    const auto ease = std::size_t{move.ease};
    const auto begin = track.first_from(from_ - std::min(from_, ease));
    std::vector<Placed> out;
    for (auto k = begin; k < last; ++k) {
      const auto grown = static_cast<double>(track.frame(k) + ease + 1 - from_);
      const double weight =
          k < first ? smoothstep(grown / (static_cast<double>(ease) + 1)) : 1;
      out.push_back({track.at(k), k, move.turn * weight});
      auto& at = out.back().at;
      if (out.back().turn != 0) {
        const auto turned = geom::pose({pivot.x, pivot.y}, out.back().turn) *
                            geom::Vec2{at.x - pivot.x, at.y - pivot.y};
        at = {turned.x, turned.y, at.z};
      }
      at.x += weight * by.x;
      at.y += weight * by.y;
    }
    track.put(begin, out);
  }

  void operator()(const Retime& retime) {
    Track track(scene_, edit_.track);
    const auto [first, last] = steps(track);
    std::vector<double> times{0};  // which do not fall, whatever the recorded ones do
    for (auto k = first + 1; k < track.size(); ++k)
      times.push_back(std::max(times.back(), elapsed(track, first, k)));
    drive(track, first, last, times,
          [&](double seconds) { return retime.factor * seconds; });
  }

  void operator()(const Stop& stop) {
    Track track(scene_, edit_.track);
    const auto [first, last] = steps(track);
    std::vector<double> distances{0};
    for (auto k = first + 1; k < track.size(); ++k) {
      const auto &a = track.at(k - 1), &b = track.at(k);
      distances.push_back(distances.back() + geom::hypot(b.x - a.x, b.y - a.y));
    }
    const auto [vx, vy] = track.velocity(first);
    const double speed = geom::hypot(vx, vy);
    drive(track, first, last, distances, [&](double seconds) {
      const double time = std::min(seconds, speed / stop.deceleration);
      return (speed - stop.deceleration * time / 2) * time;
    });
  }

  void operator()(const Remove& /*remove*/) {
    const auto before = scene_.agents.size();
    const auto& ids = scene_.agents.track_id;
    pick(scene_.agents, regrouped(scene_.frames.agent_index_interval,
                                  [&](std::size_t frame, RowList& rows) {
                                    if (frame < from_ || frame >= to_) return;
                                    std::erase_if(rows, [&](std::size_t row) {
                                      return ids[row] == *edit_.track;
                                    });
                                  }));
    if (scene_.agents.size() == before) fail_absent();
  }

  void operator()(const Add& add) {
    const auto id = *edit_.track;
    auto& agents = scene_.agents;
    const auto& ids = agents.track_id;
    if (std::find(ids.begin(), ids.end(), id) != ids.end()) {
      fail(Errc::invalid_argument, {"track ", id, " exists already"});
    }
    check_path(add);
    if (to_ - from_ > may_add_) {
      fail(Errc::limit_exceeded,
           {"adds too many agents (expected at most ", kMaxAddedRows, " in a scene)"});
    }
    may_add_ -= to_ - from_;
    auto added = agents.size();
    KeyedPath path(add.path, scene_.frames.timestamp);
    for (auto frame = from_; frame < to_; ++frame)
      append(agents, agent_of(add, path.at(frame)));
    pick(agents, regrouped(scene_.frames.agent_index_interval,
                           [&](std::size_t frame, RowList& rows) {
                             if (frame >= from_ && frame < to_) rows.push_back(added++);
                           }));
    Track(scene_, id).set_velocities();
  }

  void operator()(const Light& light) {
    auto& faces = scene_.faces;
    const auto is_face = rows_of_face(light.face);
    const auto one = static_cast<std::size_t>(
        std::find(is_face.begin(), is_face.end(), true) - is_face.begin());
    RowList set;
    const auto rows =
        regrouped(scene_.frames.traffic_light_faces_index_interval,
                  [&, count = std::size_t{0}](std::size_t frame, RowList& own) mutable {
                    const bool edited = frame >= from_ && frame < to_;
                    const auto is_set = [&](std::size_t row) { return is_face[row]; };
                    if (edited && std::none_of(own.begin(), own.end(), is_set))
                      own.push_back(one);
                    for (std::size_t i = 0; edited && i < own.size(); ++i) {
                      if (is_face[own[i]]) set.push_back(count + i);
                    }
                    count += own.size();
                  });
    const Widths widths(faces);
    pick(faces.face_id, rows, widths.face_id);
    pick(faces.traffic_light_id, rows, widths.light_id);
    pick(faces.traffic_light_face_status, rows);
    for (const auto row : set) {
      auto& status = faces.traffic_light_face_status[row];
      status.fill(0);
      status[static_cast<std::size_t>(light.state)] = 1;
    }
  }

 private:
  [[noreturn]] void fail_absent() const {
    fail(Errc::out_of_range,
         {"track ", *edit_.track, " not found in frames [", from_, ", ", to_, ")"});
  }

  /// Returns the steps to edit, of which there is at least one.
  std::pair<std::size_t, std::size_t> steps(const Track& track) const {
    const auto first = track.first_from(from_), last = track.first_from(to_);
    if (first == last) fail_absent();
    return {first, last};
  }

  /// Returns the seconds between steps; 0 if time does not pass.
  static double elapsed(const Track& track, std::size_t from, std::size_t to) {
    const double seconds = track.seconds(from, to);
    return seconds > 0 ? seconds : 0;
  }

  /// Places steps [first, last) on the recorded path from `first` on: where its `keys`,
  /// which do not fall, reach what `reached` returns for a step's time since `first`.
  template <class Reached>
  static void drive(Track& track, std::size_t first, std::size_t last,
                    const std::vector<double>& keys, const Reached& reached) {
    std::vector<Placed> out;
    std::size_t i = 0;
    for (auto k = first; k < last; ++k) {
      const double value = reached(elapsed(track, first, k));
      // Where several steps have the value, the first one counts.
      while (i + 1 < keys.size() &&
             (keys[i + 1] < value || (keys[i + 1] == value && keys[i] < value))) {
        ++i;
      }
      const auto a = track.at(first + i);
      if (i + 1 == keys.size() || !(value > keys[i])) {
        out.push_back({a, first + i, 0});
        continue;
      }
      const auto b = track.at(first + i + 1);
      const double share = share_of(value, keys[i], keys[i + 1]);
      const double turn =
          geom::angular_distance(track.yaw(first + i + 1), track.yaw(first + i));
      out.push_back({{a.x + share * (b.x - a.x), a.y + share * (b.y - a.y),
                      a.z + share * (b.z - a.z)},
                     first + i,
                     share * turn});
    }
    track.put(first, out);
  }

  void check_path(const Add& add) const {
    const auto frames = scene_.frames.size();
    if (add.path.back().frame < frames) return;
    fail(Errc::out_of_range, {"path: frame ", add.path.back().frame,
                              " is not in the scene (expected below ", frames, ")"});
  }

  Agent agent_of(const Add& add, const Add::Key& pose) const {
    Agent out;
    out.track_id = *edit_.track;
    out.centroid = {pose.x, pose.y};
    for (std::size_t i = 0; i < 3; ++i)
      out.extent[i] = static_cast<float>(add.extent[i]);
    out.yaw = static_cast<float>(wrapped(pose.yaw));
    out.label_probabilities[add.label] = 1;
    return out;
  }

  /// Returns which rows are of a face.
  std::vector<bool> rows_of_face(const std::string& face) const {
    const auto& faces = scene_.faces;
    std::vector<bool> out(faces.size());
    std::string others;
    std::size_t named = 0;
    if (!faces.face_id.empty()) {
      zarr::DType type;
      type.kind = zarr::Kind::unicode;
      type.item_size = Widths(faces).face_id;
      const auto ids = zarr::decode_text(type, faces.face_id);
      for (std::size_t row = 0; row < out.size(); ++row) out[row] = ids[row] == face;
      for (const auto rows = std::min<std::size_t>(out.size(), 8); named < rows;
           ++named) {
        others.append(named == 0 ? "" : ", ").append(ids[named]);
      }
    }
    if (std::find(out.begin(), out.end(), true) != out.end()) return out;
    fail(Errc::not_found,
         {"face \"", face, "\" not found in the scene (it has ",
          named == 0 ? "no faces" : others + (out.size() > named ? ", ..." : ""), ")"});
  }

  SceneArrays& scene_;
  const Edit& edit_;
  std::size_t& may_add_;
  std::size_t from_ = 0, to_ = 0;
};

}  // namespace

void apply(const Patch& patch, std::uint64_t scene, SceneArrays& arrays) {
  auto may_add = kMaxAddedRows;
  for (std::size_t i = 0; i < patch.edits.size(); ++i) {
    const auto& edit = patch.edits[i];
    if (edit.scene != scene) continue;
    try {
      std::visit(Editor(arrays, edit, may_add), edit.change);
    } catch (const Error& error) {
      fail(error.code(), {"patch: edits[", i, "]: scene ", scene, ": ", error.what()});
    }
  }
}

}  // namespace bev::patch
