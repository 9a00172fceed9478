#include "core/sqlite/record.hpp"

#include "core/base/bytes.hpp"
#include "core/base/error.hpp"

namespace bev::sqlite {
namespace {

constexpr std::size_t kMaxVarint = 9;
constexpr std::size_t kMaxFields = 4096;

/// Bytes of the types 0 to 11; 10 and 11 are reserved.
constexpr std::size_t kSizes[] = {0, 1, 2, 3, 4, 6, 8, 8, 0, 0};

[[noreturn]] void corrupt_record(Message problem) {
  fail(Errc::corrupt_chunk, {"SQLite record: ", joined(problem)});
}

std::uint64_t size_of(std::uint64_t type) {
  if (type < std::size(kSizes)) return kSizes[type];
  if (type < 12) corrupt_record({"reserved type ", type});
  return (type - 12) / 2;
}

std::int64_t signed_of(std::span<const std::byte> bytes) noexcept {
  std::uint64_t out = std::to_integer<int>(bytes[0]) > 127 ? ~std::uint64_t{0} : 0;
  for (const auto byte : bytes) out = out << 8U | std::to_integer<std::uint64_t>(byte);
  return static_cast<std::int64_t>(out);
}

template <class T>
int order(const T& a, const T& b) noexcept {
  return a < b ? -1 : (b < a ? 1 : 0);
}

int rank(Kind kind) noexcept {
  if (kind == Kind::null) return 0;
  if (kind == Kind::integer || kind == Kind::real) return 1;
  return kind == Kind::text ? 2 : 3;
}

}  // namespace

std::optional<double> Value::number() const noexcept {
  if (kind == Kind::integer) return static_cast<double>(integer);
  if (kind == Kind::real) return real;
  return std::nullopt;
}

int compare(const Value& a, const Value& b) noexcept {
  if (rank(a.kind) != rank(b.kind)) return order(rank(a.kind), rank(b.kind));
  if (a.kind == Kind::integer && b.kind == Kind::integer) {
    return order(a.integer, b.integer);
  }
  if (rank(a.kind) == 1) return order(*a.number(), *b.number());
  return order(a.bytes.compare(b.bytes), 0);  // as unsigned bytes
}

std::optional<Varint> read_varint(std::span<const std::byte> bytes) noexcept {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < kMaxVarint; ++i) {
    const auto byte = std::to_integer<std::uint64_t>(bytes[i]);
    if (i + 1 == kMaxVarint) return Varint{value << 8U | byte, kMaxVarint};
    value = value << 7U | (byte & 0x7fU);
    if (byte < 0x80U) return Varint{value, i + 1};
  }
  return std::nullopt;
}

void read_fields(std::span<const std::byte> payload, std::vector<Field>& out) {
  out.clear();
  const auto head = read_varint(payload);
  if (!head || head->value < head->size || head->value > payload.size()) {
    corrupt_record({"header beyond its end"});
  }
  const auto header = payload.first(static_cast<std::size_t>(head->value));
  std::uint64_t offset = header.size();
  for (std::size_t at = head->size; at < header.size();) {
    const auto type = read_varint(header.subspan(at));
    if (!type) corrupt_record({"truncated header"});
    at += type->size;
    const auto size = size_of(type->value);
    if (size > payload.size() - offset) {
      corrupt_record({"value ", out.size(), " beyond its end (found ", size,
                      " bytes, expected at most ", payload.size() - offset, ")"});
    }
    if (out.size() == kMaxFields) corrupt_record({"too many values"});
    out.push_back({type->value, static_cast<std::size_t>(offset)});
    offset += size;
  }
}

Value value_at(std::span<const std::byte> payload, const Field& field) noexcept {
  Value out;
  const auto type = field.type;
  if (type == 0) return out;
  const auto bytes = payload.subspan(field.offset);
  if (type >= 12) {
    out.kind = type % 2 == 0 ? Kind::blob : Kind::text;
    out.bytes = {reinterpret_cast<const char*>(bytes.data()),
                 static_cast<std::size_t>((type - 12) / 2)};
  } else if (type == 7) {
    out.kind = Kind::real;
    out.real = load_be<double>(bytes.data());
    if (out.real != out.real) out = {};  // as SQLite, which stores NaN as null
  } else {
    out.kind = Kind::integer;
    out.integer = type >= 8 ? static_cast<std::int64_t>(type - 8)
                            : signed_of(bytes.first(kSizes[type]));
  }
  return out;
}

}  // namespace bev::sqlite
