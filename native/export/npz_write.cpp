#include "native/export/npz_write.hpp"

#include "native/source/zip_sink.hpp"

namespace bev::native {

std::vector<std::byte> npz_of(std::span<const std::byte> npy, std::string_view name) {
  std::vector<std::byte> out;
  out.reserve(npy.size() + 256);
  ZipSink zip([&](std::span<const std::byte> bytes) {
    out.insert(out.end(), bytes.begin(), bytes.end());
  });
  zip.write(std::string(name) + ".npy", npy);
  zip.finish();
  return out;
}

}  // namespace bev::native
