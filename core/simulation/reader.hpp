#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/simulation/builder.hpp"

namespace bev::simulation {

/// What a file is, by its first bytes.
enum class Content : std::uint8_t {
  xz,      ///< compressed; to be inflated by the host, through Inflated
  scenes,  ///< possibly serialized scenes, as JSON or MessagePack
  log,     ///< possibly a log: a pickle, or MessagePack of one
  other
};
Content content_of(std::span<const std::byte> head) noexcept;

/// Maximum size of a file, and of one after it was inflated.
inline constexpr std::size_t kMaxBytes = std::size_t{256} << 20U;

/// What a host inflated of a file. It refuses bombs before they take memory: above 16 MiB,
/// more than 200 bytes of each that was read. `read` are the bytes that were.
class Inflated {
 public:
  explicit Inflated(std::string_view where) : where_(where) {}

  /// Adds the next bytes; `read` are those of the file so far.
  ///
  /// @throws Error  limit_exceeded above kMaxBytes, and for a bomb
  void add(std::span<const std::byte> bytes, std::uint64_t read);

  std::vector<std::byte> take() { return std::move(bytes_); }

  std::uint64_t read() const noexcept { return read_; }

 private:
  std::string where_;
  std::uint64_t read_ = 0;
  std::vector<std::byte> bytes_;
};

/// Reads the simulation of a scenario: a log, or all files of its serialized scenes.
///
/// Memory  The values of a pickle, up to some 25 times its size, or a scene; and the
///         simulation. What bytes that are stored can make of it is limited, so that
///         a small file that inflates takes less than 64 MB.
class Reader {
 public:
  /// Adds a file that is not compressed, in any order.
  ///
  /// @param where   the file's name, the prefix of messages
  /// @param stored  its bytes before it was inflated
  /// @throws Error  unsupported for other content; errors of pickle::read(),
  ///                read_message_pack(), add_scene() and add_log()
  void add(std::span<const std::byte> file, std::string_view where,
           std::uint64_t stored);

  /// Returns whether a file was a log, which has all of its scenario.
  bool is_log() const noexcept { return is_log_; }

  /// Adds the scenes of another reader, which becomes empty.
  ///
  /// @throws Error  limit_exceeded above a limit
  void join(Reader&& other, std::string_view where) {
    to_.join(where, std::move(other.to_));
  }

  /// Returns the simulation; its frames are ascending by time.
  ///
  /// @throws Error  invalid_metadata without frames, and for two of the same time
  Simulation finish();

 private:
  Builder to_;
  bool is_log_ = false;
};

}  // namespace bev::simulation
