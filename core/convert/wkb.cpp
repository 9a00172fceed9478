#include "core/convert/wkb.hpp"

#include <bit>
#include <cmath>

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::convert {
namespace {

constexpr std::uint32_t kLine = 2, kPolygon = 3, kLines = 5, kPolygons = 6;
constexpr std::size_t kEnvelopes[] = {0, 32, 48, 48, 64};

[[noreturn]] void corrupt_geometry(Message problem) {
  fail(Errc::corrupt_chunk, {"geometry: ", joined(problem)});
}

/// Reads numbers in the byte order of the geometry that it is in.
class WkbReader {
 public:
  explicit WkbReader(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T take() {
    if (bytes_.size() < sizeof(T)) corrupt_geometry({"truncated"});
    const auto out = load<T>(reinterpret_cast<const std::byte*>(bytes_.data()), order_);
    bytes_.remove_prefix(sizeof(T));
    return out;
  }

  void skip(std::size_t size) {
    if (bytes_.size() < size) corrupt_geometry({"truncated"});
    bytes_.remove_prefix(size);
  }

  void set_order(int flag) {
    if (flag != 0 && flag != 1) corrupt_geometry({"invalid byte order"});
    order_ = flag == 1 ? std::endian::little : std::endian::big;
  }

  /// Takes a count of items that have at least `size` bytes each.
  std::size_t count(std::size_t size) {
    const auto out = take<std::uint32_t>();
    if (out > bytes_.size() / size) {
      corrupt_geometry({"count beyond its bytes (found ", out, ", expected at most ",
                        bytes_.size() / size, ")"});
    }
    return out;
  }

  bool is_empty() const noexcept { return bytes_.empty(); }

  /// Reads a geometry of one of two types into `out`.
  void geometry(std::uint32_t line, std::uint32_t polygon, Geometry& out) {
    set_order(take<std::uint8_t>());
    auto type = take<std::uint32_t>();
    bool has_z = (type & 0x80000000U) != 0, has_m = (type & 0x40000000U) != 0;
    if ((type & 0x20000000U) != 0) corrupt_geometry({"a second reference system"});
    type &= 0x0fffffffU;
    has_z |= type / 1000 == 1 || type / 1000 == 3;
    has_m |= type / 1000 == 2 || type / 1000 == 3;
    if (type / 1000 <= 3) type %= 1000;
    if (type == line) return points(has_z, has_m, out);
    if (type == polygon) return rings(has_z, has_m, out);
    const bool is_nested = line == 0 || polygon == 0;
    if (is_nested || (type != kLines && type != kPolygons)) {
      fail(Errc::unsupported, {"geometry: unsupported type (found ", type,
                               ", expected lines or polygons)"});
    }
    for (auto left = count(5); left > 0; --left) {
      type == kLines ? geometry(kLine, 0, out) : geometry(0, kPolygon, out);
    }
  }

 private:
  void points(bool has_z, bool has_m, Geometry& out) {
    const std::size_t axes = 2U + (has_z ? 1U : 0U) + (has_m ? 1U : 0U);
    auto& line = out.lines.emplace_back();
    const auto size = count(axes * sizeof(double));
    line.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      geom::Vec3 p{take<double>(), take<double>(), 0};
      if (has_z) p.z = take<double>();
      if (has_m) skip(sizeof(double));
      if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
        corrupt_geometry({"a coordinate is not finite"});
      }
      if (!std::isfinite(p.z)) p.z = 0;
      line.push_back(p);
    }
  }

  void rings(bool has_z, bool has_m, Geometry& out) {
    out.is_polygon = true;
    for (auto left = count(4); left > 0; --left) points(has_z, has_m, out);
  }

  std::string_view bytes_;
  std::endian order_ = std::endian::big;
};

struct GeometryHead {
  std::int32_t srs_id = 0;
  bool is_empty = false;
  std::size_t envelope = 0;  ///< bytes
};

GeometryHead read_geometry_head(WkbReader& reader) {
  if (reader.take<std::uint8_t>() != 'G' || reader.take<std::uint8_t>() != 'P' ||
      reader.take<std::uint8_t>() != 0) {
    corrupt_geometry({"not a GeoPackage's"});
  }
  const unsigned flags = reader.take<std::uint8_t>();
  reader.set_order(static_cast<int>(flags & 1U));
  const auto envelope = (flags >> 1U) & 7U;
  if (envelope >= std::size(kEnvelopes)) corrupt_geometry({"invalid envelope"});
  if ((flags & 0x20U) != 0) fail(Errc::unsupported, {"geometry: of an extension"});
  return {reader.take<std::int32_t>(), (flags & 0x10U) != 0, kEnvelopes[envelope]};
}

}  // namespace

std::optional<Envelope> envelope_of(std::string_view blob) {
  WkbReader reader(blob);
  if (read_geometry_head(reader).envelope == 0) return std::nullopt;
  Envelope out{};
  for (auto& value : out) value = reader.take<double>();
  return out;
}

Geometry parse_geometry(std::string_view blob) {
  WkbReader reader(blob);
  const auto head = read_geometry_head(reader);
  Geometry out;
  out.srs_id = head.srs_id;
  reader.skip(head.envelope);
  if (head.is_empty) return out;
  reader.geometry(kLine, kPolygon, out);
  if (!reader.is_empty()) corrupt_geometry({"bytes after its end"});
  return out;
}

}  // namespace bev::convert
