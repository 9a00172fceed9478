#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/support/submissions.hpp"
#include "tests/support/zip_by_hand.hpp"

// Made-up files of futures in our own form.

namespace bev::test {

/// Returns the bytes of values.
template <class T>
std::string npy_bytes(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Returns a .npy file: type "<f4", shape "(2, 3)".
inline std::string npy_file(std::string_view type, std::string_view shape,
                            std::string_view bytes, std::string_view order = "False") {
  std::string header = "{'descr': '" + std::string(type) +
                       "', 'fortran_order': " + std::string(order) +
                       ", 'shape': " + std::string(shape) + ", }";
  header.append(117 - header.size(), ' ').push_back('\n');
  std::string out("\x93NUMPY\x01\x00", 8);
  out.push_back(static_cast<char>(header.size()));
  out.push_back('\0');
  return out + header + std::string(bytes);
}

/// Returns UCS-4 text of `size` characters.
inline std::string ucs4(std::string_view text, std::size_t size) {
  std::string out(size * 4, '\0');
  for (std::size_t i = 0; i < text.size(); ++i) out[i * 4] = text[i];
  return out;
}

using NpzArrayList = std::vector<std::pair<std::string, std::string>>;

/// Two scenarios "a" and "b" of 2 rollouts, 2 agents, 3 steps from 11: x counts the
/// values of a file in tens, y is 1 more, z 2 and yaw 3.
inline NpzArrayList npz_arrays() {
  std::vector<float> values;
  for (int i = 0; i < 2 * 2 * 2 * 3; ++i) {
    for (int v = 0; v < 4; ++v) values.push_back(static_cast<float>(10 * i + v));
  }
  return {
      {"futures", npy_file("<f4", "(2, 2, 2, 3, 4)", npy_bytes(values))},
      {"scenario_id", npy_file("<U1", "(2,)", ucs4("a", 1) + ucs4("b", 1))},
      {"track_id", npy_file("<i8", "(2, 2)", npy_bytes<std::int64_t>({7, 8, 9, -1}))},
      {"first_step", npy_file("<i8", "()", npy_bytes<std::int64_t>({11}))}};
}

/// Returns an archive of arrays.
inline std::string npz_file(const NpzArrayList& arrays, bool is_deflated = false) {
  HandArchive archive;
  for (const auto& [name, content] : arrays) {
    auto& member = archive.members.emplace_back();
    member.name = name + ".npy";
    member.content = content;
    member.deflate = is_deflated;
  }
  const auto bytes = zip_by_hand(archive);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Returns the arrays with one replaced, added or, if `file` is empty, removed.
inline NpzArrayList npz_with(const std::string& name, const std::string& file) {
  auto out = npz_arrays();
  std::erase_if(out, [&](const auto& one) { return one.first == name; });
  if (!file.empty()) out.emplace_back(name, file);
  return out;
}

/// Reads a scenario of a file of any form.
inline futures::FuturesData own_futures(std::string_view file,
                                        std::string_view scenario) {
  const auto shard = indexed("made", file);
  for (const auto& one : shard.scenarios) {
    if (one.id == scenario) {
      return futures::read_shard(message_of(file, one), shard, one).at(0);
    }
  }
  fail(Errc::not_found, {"no scenario ", scenario});
}

/// Returns the message of the error that reading all scenarios throws.
inline std::string own_refusal(std::string_view file) {
  try {
    const auto shard = indexed("made", file);
    for (const auto& one : shard.scenarios) {
      futures::read_shard(message_of(file, one), shard, one);
    }
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

}  // namespace bev::test
