#include <array>
#include <string>
#include <utility>

#include "core/engine/engine.hpp"
#include "core/engine/state.hpp"

namespace bev {

namespace {

/// A frame selected by scene and position, or by global index.
struct FrameChoice {
  bool by_index = false;
  std::uint64_t scene = 0;
  std::uint64_t frame = 0;  ///< position in the scene, or global index
};

std::string name_of(const FrameChoice& choice) {
  const auto frame = "frame " + std::to_string(choice.frame);
  return choice.by_index ? frame : frame + " of scene " + std::to_string(choice.scene);
}

/// Results are views: of these values, not of temporary ones.
constexpr std::array<std::uint8_t, 2> kFlags{0, 1};

void emit_ego(const scene::FrameWindow& window, const scene::FrameView& view,
              ResultSet& out) {
  const auto& translation = window.frames.ego_translation[window.now];
  out.add_value("frame.index", "<i8", window.index);
  out.add_value("frame.timestamp", "<i8", window.frames.timestamp[window.now]);
  out.add("ego.centroid", "<f8", std::span(translation).first<2>());
  out.add("ego.translation", "<f8", translation);
  const std::array<std::size_t, 2> square{3, 3};
  out.add("ego.rotation", "<f8", square,
          std::as_bytes(std::span(window.frames.ego_rotation[window.now])));
  out.add_value("ego.is_virtual", "|b1", kFlags[window.has_ego ? 0 : 1]);
  out.add_value("ego.yaw", "<f8", view.ego_yaw);
  out.add_value("ego.speed", "<f4", view.ego_speed);
  out.add("ego.corners", "<f8", view.ego_corners, {2});
  out.add("ego.trail", "<f8", view.ego_trail, {2});
  out.add("ego.future", "<f8", view.ego_future, {2});
}

void emit_agents(const scene::AgentColumns& agents, const scene::FrameView& view,
                 ResultSet& out) {
  out.add("agents.row", "<i8", view.agent_row);
  out.add("agents.track_id", "<u8", agents.track_id);
  out.add("agents.centroid", "<f8", agents.centroid, {2});
  out.add("agents.corners", "<f8", view.agent_corners, {4, 2});
  out.add("agents.yaw", "<f4", agents.yaw);
  out.add("agents.extent", "<f4", agents.extent, {3});
  out.add("agents.velocity", "<f4", agents.velocity, {2});
  out.add("agents.speed", "<f4", view.agent_speed);
  out.add("agents.label", "|u1", view.agent_label);
  out.add("agents.class", "|u1", view.agent_class);
  out.add("agents.probability", "<f4", view.agent_probability);
  out.add("agents.known_probability", "<f4", view.agent_known_probability);
  out.add("agents.kept", "|b1", view.agent_kept);
  out.add("agents.distance", "<f4", view.agent_distance);
  out.add("agents.label_probabilities", "<f4", agents.label_probabilities,
          {scene::kLabelCount});
}

void emit_lines(const scene::FrameView& view, ResultSet& out) {
  out.add("trails.points", "<f8", view.trails.points, {2});
  out.add("trails.offsets", "<u4", view.trails.offsets);
  out.add("futures.points", "<f8", view.futures.points, {2});
  out.add("futures.offsets", "<u4", view.futures.offsets);
}

void emit_lights(const scene::FaceColumns& faces, const scene::FrameView& view,
                 ResultSet& out) {
  out.add_text("lights.face_id", view.light_face_id);
  out.add_text("lights.traffic_light_id", view.light_traffic_light_id);
  out.add("lights.state", "|u1", view.light_state);
  out.add("lights.status", "<f4", faces.traffic_light_face_status, {3});
}

class FrameQuery final : public Query {
 public:
  FrameQuery(std::shared_ptr<EngineState> state, FrameChoice choice,
             const scene::FrameOptions& options)
      : Query(std::move(state), name_of(choice)),
        choice_(choice),
        options_(options),
        buffers_(this->state().borrow_buffers()) {}
  ~FrameQuery() override { state().return_buffers(std::move(buffers_)); }

 private:
  bool gather(store::Reader& reader) override {
    const auto* dataset = state().dataset(reader);
    if (dataset == nullptr) return false;
    if (options_.sequential) reader.request_whole_chunks();
    if (choice_.by_index) {
      const auto found = scene::find_frame(reader, *dataset, choice_.frame);
      if (!found) return false;
      choice_ = {false, found->scene, found->frame};
    }
    if (!buffers_->window.read(reader, *dataset, choice_.scene, choice_.frame,
                               {options_.past, options_.future, options_.parts})) {
      return false;
    }
    buffers_->view.derive(buffers_->window, *dataset, options_);
    return true;
  }

  void derive(ResultSet& out) override {
    const auto& window = buffers_->window;
    const auto& view = buffers_->view;
    emit_ego(window, view, out);
    emit_agents(window.agents, view, out);
    emit_lines(view, out);
    emit_lights(window.faces, view, out);
  }

  ResultSet& results() override { return buffers_->results; }

  FrameChoice choice_;
  scene::FrameOptions options_;
  std::unique_ptr<FrameBuffers> buffers_;
};

}  // namespace

std::unique_ptr<Query> Engine::frame(std::uint64_t scene, std::uint64_t frame,
                                     const FrameOptions& options) {
  return std::make_unique<FrameQuery>(state_, FrameChoice{false, scene, frame},
                                      options);
}

std::unique_ptr<Query> Engine::frame_at(std::uint64_t index,
                                        const FrameOptions& options) {
  return std::make_unique<FrameQuery>(state_, FrameChoice{true, 0, index}, options);
}

}  // namespace bev
