#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string_view>

#include "core/pickle/value.hpp"
#include "core/simulation/builder.hpp"

namespace bev::simulation {

/// Maximum number of values of a serialized scene. A scene with 500 road users has some
/// 10,000; scenes of a file are read one by one, so that this bounds their memory.
inline constexpr std::size_t kMaxSceneValues = 200'000;

/// Adds a serialized scene. Poses of the ego vehicle, which are those of the rear axle,
/// become those of the centre. The vehicle is a Pacifica; its speed and acceleration are
/// 0 in every scene, and are not read.
///
/// @param where   what is being read, the prefix of messages
/// @param index   of the scene in its file; nullopt if it is the file
/// @throws Error  invalid_argument, naming the path, for a tree that is none;
///                limit_exceeded above a limit
/// Reference      nuplan-devkit, simulation/callback/serialization_callback.py
void add_scene(const nlohmann::json& tree, std::string_view where,
               std::optional<std::size_t> index, Builder& to);

/// Adds what a pickle of SimulationLog contains: states, boxes, plans and lights. Nothing
/// in it is called; planner, map and scenario are not looked at, but for the scenario's
/// names. States of the ego vehicle are those of the centre, as stored.
///
/// @throws Error  invalid_metadata, naming sample and class, for another object;
///                limit_exceeded above a limit
/// Reference      nuplan-devkit, simulation/simulation_log.py
void add_log(pickle::Value root, std::string_view where, Builder& to);

}  // namespace bev::simulation
