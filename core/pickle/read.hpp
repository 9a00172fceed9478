#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/pickle/value.hpp"

namespace bev::pickle {

/// What a pickle may name.
struct Policy {
  /// Classes and functions: "numpy.dtype"; "numpy.*" for all of a module, "*" for all.
  std::span<const std::string_view> globals{};
  bool persistent_ids = false;  ///< objects outside the pickle, as in torch.save
  /// Whether containers may contain themselves, and how deeply and how often values are
  /// referred to is not limited: for callers that follow known paths only.
  bool cycles = false;
};

struct Limits {
  std::size_t max_bytes = std::size_t{256} << 20;
  std::uint32_t max_opcodes = 10'000'000;  ///< each makes at most one value
  std::uint32_t max_stack = 1U << 20;
  std::uint32_t max_memo = 1U << 22;
  std::uint32_t max_depth = 100;
  std::uint32_t max_integer_bytes = 64;
  /// Values and their bytes after copying each as often as it is referred to.
  std::uint32_t max_expanded = 1U << 30;
};

/// Reads a pickle of protocol 0 to 5 without calling or importing anything. Values are
/// views of the input; only text and bytes with escapes are copied.
///
/// - Bytes of protocols 0 to 2, which are pickled as a call, are bytes.
/// - Refused are extension codes, which name classes in the writer's process, buffers
///   outside the pickle, a container in itself, and bytes after the end.
///
/// @param where   what is being read, the prefix of messages: "0061.pkl"
/// @throws Error  corrupt_chunk for what is not a pickle, naming offset and opcode;
///                unsupported for what is refused, naming the class or function;
///                limit_exceeded above a limit
/// Reference      CPython, Lib/pickletools.py
Pickle read(std::span<const std::byte> input, std::string_view where,
            const Policy& policy, const Limits& limits = {});

}  // namespace bev::pickle
