#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/support/records.hpp"

namespace bev::test {

/// A member of a hand-made archive, including invalid ones.
struct HandMember {
  std::string name;
  std::string content;
  bool deflate = false;     ///< as stored deflate blocks, which require inflate
  bool zip64 = false;       ///< sizes and offset in the extra field
  std::size_t padding = 0;  ///< size of an extra field in the local header only
  unsigned flags = 0;
  unsigned method = 0;  ///< overrides the method of `deflate`
};

struct HandArchive {
  std::vector<HandMember> members;
  std::string comment = {};
  bool zip64 = false;      ///< adds a zip64 end record and invalidates the old one
  std::uint64_t hole = 0;  ///< bytes before all others that are not generated
};

/// Returns zip's CRC-32, computed bit by bit.
inline std::uint32_t crc32_by_hand(const std::string& bytes) {
  std::uint32_t crc = ~std::uint32_t{0};
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) {
      crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320u : 0u);
    }
  }
  return ~crc;
}

/// Returns the content as a deflate stream with one stored block.
inline std::string as_stored_block(const std::string& content) {
  const auto size = static_cast<std::uint16_t>(content.size());
  Packed block;
  block.add(std::uint8_t{1}).add(size).add(static_cast<std::uint16_t>(~size));
  const auto bytes = block.text(content).bytes();
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Appends a member's local header and data to `files`, its entry to `directory`.
inline void add_by_hand(const HandMember& member, std::uint64_t hole, Packed& files,
                        Packed& directory) {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  const auto& content = member.content;
  const auto data = member.deflate ? as_stored_block(content) : content;
  const auto place = hole + files.bytes().size();
  const auto usual = member.deflate ? 8u : 0u;
  const auto sizes = [&](Packed& out) {
    out.add(static_cast<u16>(member.flags));
    out.add(static_cast<u16>(member.method != 0 ? member.method : usual)).add(u32{0});
    out.add(crc32_by_hand(content));
    out.add(member.zip64 ? ~u32{0} : static_cast<u32>(data.size()));
    out.add(member.zip64 ? ~u32{0} : static_cast<u32>(content.size()));
    out.add(static_cast<u16>(member.name.size()));
  };
  const auto wide = [&](Packed& out) -> Packed& {
    if (!member.zip64) return out;
    out.add(u16{1}).add(u16{24});
    return out.add(std::uint64_t{content.size()})
        .add(std::uint64_t{data.size()})
        .add(place);
  };
  const std::size_t extra = member.zip64 ? 28 : 0;
  sizes(files.add(u32{0x04034b50}).add(u16{20}));
  files.add(static_cast<u16>(extra + member.padding)).text(member.name);
  wide(files).zeros(member.padding).text(data);
  sizes(directory.add(u32{0x02014b50}).add(u16{20}).add(u16{20}));
  directory.add(static_cast<u16>(extra))
      .add(u16{0})
      .add(u16{0})
      .add(u16{0})
      .add(u32{0});
  directory.add(member.zip64 ? ~u32{0} : static_cast<u32>(place)).text(member.name);
  wide(directory);
}

inline std::vector<std::byte> zip_by_hand(const HandArchive& archive) {
  using u16 = std::uint16_t;
  using u32 = std::uint32_t;
  Packed out;
  Packed directory;
  for (const auto& member : archive.members) {
    add_by_hand(member, archive.hole, out, directory);
  }
  const auto place = archive.hole + out.bytes().size();
  const auto size = std::uint64_t{directory.bytes().size()};
  const auto count = std::uint64_t{archive.members.size()};
  out.text({reinterpret_cast<const char*>(directory.bytes().data()),
            directory.bytes().size()});
  if (archive.zip64) {
    out.add(u32{0x06064b50}).add(std::uint64_t{44}).add(u32{0}).add(u32{0}).add(u32{0});
    out.add(count).add(count).add(size).add(place);
    out.add(u32{0x07064b50}).add(u32{0}).add(place + size).add(u32{1});
  }
  const bool old = !archive.zip64;
  const auto number = static_cast<u16>(old ? count : 0xffff);
  out.add(u32{0x06054b50}).add(u32{0}).add(number).add(number);
  out.add(static_cast<u32>(old ? size : 0xffffffff));
  out.add(static_cast<u32>(old ? place : 0xffffffff));
  out.add(static_cast<u16>(archive.comment.size())).text(archive.comment);
  return out.bytes();
}

}  // namespace bev::test
