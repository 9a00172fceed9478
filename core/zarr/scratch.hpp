#pragma once

#include <cstddef>
#include <vector>

namespace bev::zarr {

/// Working memory of this thread, kept between calls so that decoding allocates nothing
/// once it has grown; what a huge chunk needed is given back.
///
/// Lifetime  One at a time per thread; the bytes hold whatever the last user left.
class Scratch {
 public:
  /// Grows to `size` bytes.
  explicit Scratch(std::size_t size);
  ~Scratch();
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* data() noexcept;

 private:
  static std::vector<std::byte>& bytes() noexcept;
};

}  // namespace bev::zarr
