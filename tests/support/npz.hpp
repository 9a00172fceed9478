#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bev::test {

/// An array as NumPy saves it.
struct NpyArray {
  std::string descr;  ///< as in the header: "'<f8'", or a list of fields
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;

  std::size_t count() const;

  /// The values. The type of the array is the caller's business, its size is not.
  template <class T>
  std::vector<T> as() const {
    if (bytes.size() != count() * sizeof(T)) {
      throw std::runtime_error("an array of " + descr + " holds " +
                               std::to_string(bytes.size()) + " bytes");
    }
    std::vector<T> out(count());
    if (!out.empty()) std::memcpy(out.data(), bytes.data(), bytes.size());
    return out;
  }
};

/// Reads the bytes of a .npy file, of format 1, 2 or 3.
///
/// @throws std::runtime_error  for what is none
NpyArray parse_npy(std::span<const std::byte> bytes);

/// Reads the bytes of a .npz file, by the names of its arrays. Its zip entries are
/// stored or deflated; their checksums are checked.
///
/// @throws std::runtime_error  for what is none
std::map<std::string, NpyArray> parse_npz(std::span<const std::byte> bytes);

/// The same for a file. @throws std::runtime_error where it cannot be read
std::map<std::string, NpyArray> read_npz(const std::string& path);

}  // namespace bev::test
