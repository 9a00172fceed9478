#pragma once

#include <cstddef>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace bev::test {

/// An array saved by NumPy.
struct NpyArray {
  std::string descr;  ///< as in the header: "'<f8'", or a list of fields
  bool fortran_order = false;
  std::vector<std::size_t> shape;
  std::vector<std::byte> bytes;

  std::size_t count() const;

  /// Returns the values. Checks the size, but not the type.
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

/// Parses a .npy file of format 1, 2 or 3.
///
/// Throws  std::runtime_error for invalid files
NpyArray parse_npy(std::span<const std::byte> bytes);

/// Parses a .npz file; returns its arrays by name. Entries are stored or deflated;
/// checksums are verified.
///
/// Throws  std::runtime_error for invalid files
std::map<std::string, NpyArray> parse_npz(std::span<const std::byte> bytes);

/// Reads and parses a .npz file.
///
/// Throws  std::runtime_error if it cannot be read
std::map<std::string, NpyArray> read_npz(const std::string& path);

}  // namespace bev::test
