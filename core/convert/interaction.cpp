#include "core/convert/interaction.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/base/error.hpp"
#include "core/convert/argoverse2.hpp"
#include "core/convert/chosen_ego.hpp"
#include "core/convert/interaction_rows.hpp"
#include "core/geom/trig.hpp"
#include "core/scene/virtual_egos.hpp"

namespace bev::convert {
namespace {

using interaction::printable_name;
using interaction::RecordedRow;
using interaction::RecordedTrack;

constexpr std::int64_t kStepMs = 100;
constexpr double kMovingMps = 0.3;  // slower velocities have no direction
constexpr std::string_view kPedestrian = "pedestrian/bicycle";

/// Sets headings where the data have none; returns whether all are known.
bool complete_headings(std::vector<RecordedRow>& rows) {
  std::optional<double> last;
  for (auto& row : rows) {
    const auto [vx, vy] = row.velocity;
    if (!row.heading && geom::hypot(vx, vy) >= kMovingMps)
      row.heading = geom::atan2(vy, vx);
    if (!row.heading) row.heading = last;
    last = row.heading;
  }
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    if (!row->heading) row->heading = last;
    last = row->heading;
  }
  return last.has_value();
}

class InteractionImporter {
 public:
  InteractionImporter(const InteractionTracks& source, const Tables& tables,
                      const InteractionOptions& options)
      : source_(source), tables_(tables), options_(options) {
    if (options.place) dx_ = kInteractionPlaceM * static_cast<double>(*options.place);
  }

  Scenario run() {
    read();
    set_times();
    const auto ego = std::find_if(tracks_.begin(), tracks_.end(), [&](const auto& one) {
      return !options_.ego.empty() && one.name == options_.ego;
    });
    if (!options_.ego.empty() && ego == tracks_.end()) {
      std::vector<std::string> names;
      for (const auto& track : tracks_) names.push_back(track.name);
      fail_ego("track", options_.ego, names);
    }
    for (auto& track : tracks_) {
      sort_rows(track);
      if (!complete_headings(track.rows)) {
        ++out_.lost["heading of a track that stands"];
        for (auto& row : track.rows) row.heading = 0;
      }
    }
    ego == tracks_.end() ? set_fixed_ego() : set_ego(*ego);
    for (const auto& track : tracks_) {
      if (ego == tracks_.end() || &track != &*ego) add_track(track);
    }
    if (options_.map != nullptr) add_map();
    set_attributes();
    return std::move(out_);
  }

 private:
  void read() {
    std::size_t count = 0;
    const auto read_from = [&](std::string_view header, std::string_view rows) {
      interaction::RowReader reader(header, tracks_);
      reader.read(rows, count);
      if (reader.other_columns() > 0) out_.lost["column"] += reader.other_columns();
      if (case_.empty()) case_ = reader.case_id();
    };
    read_from(source_.header, source_.rows);
    if (!source_.pedestrians.empty()) {
      auto rows = source_.pedestrians;
      const auto header = interaction::take_line(rows);
      read_from(header, rows);
    }
    if (tracks_.empty()) fail(Errc::invalid_metadata, {"scenario: no rows"});
    out_.id = source_.name + (case_.empty() ? "" : "_" + case_);
    out_.host = printable_name(source_.location, 16);
  }

  void set_times() {
    first_ms_ = tracks_.front().rows.front().time_ms;
    auto last = first_ms_;
    for (const auto& track : tracks_) {
      for (const auto& row : track.rows) {
        first_ms_ = std::min(first_ms_, row.time_ms);
        last = std::max(last, row.time_ms);
      }
    }
    const auto count = (last - first_ms_) / kStepMs + 1;
    if (count > kMaxFrames) {
      fail(Errc::limit_exceeded, {"scenario: too many frames (found ", count,
                                  ", expected at most ", kMaxFrames, ")"});
    }
    for (std::int64_t i = 0; i < count; ++i) {
      out_.times_ns.push_back((first_ms_ + i * kStepMs) * 1'000'000);
    }
    out_.start_ns = out_.times_ns.front();
    out_.end_ns = out_.times_ns.back();
  }

  std::size_t step_of(const RecordedRow& row) const {
    return static_cast<std::size_t>((row.time_ms - first_ms_) / kStepMs);
  }

  void sort_rows(RecordedTrack& track) const {
    auto& rows = track.rows;
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
      return a.time_ms < b.time_ms;
    });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool is_step = (rows[i].time_ms - first_ms_) % kStepMs == 0;
      if (is_step && (i == 0 || rows[i].time_ms != rows[i - 1].time_ms)) continue;
      fail(Errc::invalid_metadata,
           {"track ", track.name, ": timestamp_ms ", rows[i].time_ms,
            is_step ? ": two rows" : ": not in steps of 100 ms"});
    }
  }

  double moved_x(const std::array<double, 2>& p) const {
    const bool is_outside =
        std::max(std::abs(p[0]), std::abs(p[1])) > kInteractionReachM;
    if (options_.place && is_outside) {
      fail(Errc::limit_exceeded, {"scenario: too far from its map's origin"});
    }
    return p[0] + dx_;
  }

  /// Sets the ego poses; frames without a row repeat the nearest, the earlier of two.
  void set_ego(const RecordedTrack& track) {
    std::size_t nearest = 0;
    const auto distance = [&](std::size_t i, std::size_t frame) {
      const auto step = step_of(track.rows[i]);
      return step > frame ? step - frame : frame - step;
    };
    for (std::size_t frame = 0; frame < out_.times_ns.size(); ++frame) {
      while (nearest + 1 < track.rows.size() &&
             distance(nearest + 1, frame) < distance(nearest, frame)) {
        ++nearest;
      }
      const auto& row = track.rows[nearest];
      if (step_of(row) != frame) ++out_.repeated_ego_poses;
      out_.ego.push_back({{moved_x(row.position), row.position[1], 0}, *row.heading});
    }
  }

  void set_fixed_ego() {
    double x = 0, y = 0, count = 0;
    for (const auto& track : tracks_) {
      for (const auto& row : track.rows) {
        x += row.position[0];
        y += row.position[1];
        ++count;
      }
    }
    const EgoPose pose{{moved_x({x / count, y / count}), y / count, 0}, 0};
    out_.ego.assign(out_.times_ns.size(), pose);
    ++out_.lost["ego vehicle (fixed at the centroid)"];
  }

  void add_track(const RecordedTrack& source) {
    const auto type = tables_.types.find(source.type);
    if (type == tables_.types.end()) {
      fail(Errc::invalid_metadata,
           {"track ", source.name, ": unknown type (found \"",
            printable_name(source.type), "\"); add it to the tables"});
    }
    Track track;
    track.name = source.name;
    track.object_type = source.type;
    track.label = type->second.label;
    track.track_id = number_of(source.name);
    track.begin = out_.states.size();
    if (source.type == kPedestrian) ++out_.lost["whether a pedestrian or a bicycle"];
    for (const auto& row : source.rows) {
      const auto& usual = type->second.extent;
      auto& states = out_.states;
      states.step.push_back(static_cast<std::uint32_t>(step_of(row)));
      states.position.push_back({moved_x(row.position), row.position[1]});
      states.yaw.push_back(static_cast<float>(*row.heading));
      states.velocity.push_back(
          {static_cast<float>(row.velocity[0]), static_cast<float>(row.velocity[1])});
      const bool has_extent = row.length > 0 && row.width > 0;
      states.extent.push_back({has_extent ? row.length : usual[0],
                               has_extent ? row.width : usual[1], usual[2]});
    }
    track.end = out_.states.size();
    out_.tracks.push_back(std::move(track));
  }

  /// Returns the number of a decimal name, otherwise one from 2^63 on.
  std::uint64_t number_of(const std::string& name) {
    std::uint64_t out = 0;
    const auto* const end = name.data() + name.size();
    const auto [stop, error] = std::from_chars(name.data(), end, out);
    const bool is_whole = error == std::errc() && stop == end && out >> 63U == 0;
    if (is_whole && std::to_string(out) == name) return out;
    return (std::uint64_t{1} << 63U) + unnumbered_++;
  }

  void add_map() {
    out_.map = *options_.map;
    if (!options_.place || *options_.place == 0) return;
    auto& map = *out_.map;
    const auto prefix = std::to_string(*options_.place) + ":";
    const auto rename = [&](std::string& id) {
      if (!id.empty()) id.insert(0, prefix);
    };
    const auto rename_all = [&](std::vector<std::string>& ids) {
      std::for_each(ids.begin(), ids.end(), rename);
    };
    const auto move = [&](std::vector<geom::Vec3>& line) {
      for (auto& p : line) p.x += dx_;
    };
    for (auto& lane : map.lanes) {
      rename(lane.id);
      rename(lane.left_neighbour);
      rename(lane.right_neighbour);
      rename_all(lane.ahead);
      rename_all(lane.faces);
      move(lane.left);
      move(lane.right);
      move(lane.centre);
    }
    for (auto& crosswalk : map.crosswalks) {
      rename(crosswalk.id);
      move(crosswalk.outline);
    }
    for (auto& light : map.lights) {
      rename(light.id);
      for (auto& face : light.faces) rename(face.id);
      if (light.position) light.position->x += dx_;
    }
  }

  void set_attributes() {
    nlohmann::json out = {{"scenario_id", out_.id}, {"city", source_.location}};
    if (!case_.empty()) out["case_id"] = case_;
    out["ego"] = options_.ego.empty() ? "fixed at the centroid of all states"
                                      : "track " + options_.ego;
    if (options_.ego.empty()) {
      out[scene::VirtualEgos::kName] = true;
    } else if (const auto id = number_of(options_.ego); id >> 63U == 0) {
      out["ego_track_id"] = id;
    }
    if (options_.place) out["moved_by"] = {dx_, 0};
    for (const auto& track : out_.tracks) {
      if (track.track_id >> 63U != 0) {
        out["track_names"][std::to_string(track.track_id)] = track.name;
      }
    }
    out_.attributes = out.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
  }

  const InteractionTracks& source_;
  const Tables& tables_;
  const InteractionOptions& options_;
  double dx_ = 0;
  std::vector<RecordedTrack> tracks_;
  std::string case_;
  std::int64_t first_ms_ = 0;
  std::uint64_t unnumbered_ = 0;
  Scenario out_;
};

}  // namespace

Scenario import_interaction(const InteractionTracks& tracks, const Tables& tables,
                            const InteractionOptions& options) {
  return InteractionImporter(tracks, tables, options).run();
}

}  // namespace bev::convert
