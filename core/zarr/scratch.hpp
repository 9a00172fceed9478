#pragma once

#include <cstddef>
#include <vector>

namespace bev::zarr {

/// Scratch memory of this thread, kept between calls so that decoding does not allocate
/// once it has grown. More than 16 MiB is released.
///
/// Lifetime  One at a time per thread; the initial content is unspecified.
class Scratch {
 public:
  /// Grows to at least `size` bytes.
  explicit Scratch(std::size_t size);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() noexcept;

 private:
  static std::vector<std::byte>& bytes() noexcept;
};

}  // namespace bev::zarr
