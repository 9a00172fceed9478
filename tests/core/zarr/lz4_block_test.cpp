#include "core/zarr/lz4_block.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "tests/support/records.hpp"

using namespace bev::zarr;

namespace {

using Bytes = std::vector<std::byte>;

/// Builds an LZ4 block together with its decoded bytes.
class Block {
 public:
  void sequence(const Bytes& literals, std::size_t distance, std::size_t length) {
    open(literals, std::min<std::size_t>(length - 4, 15));
    stream.push_back(static_cast<std::byte>(distance & 255));
    stream.push_back(static_cast<std::byte>(distance >> 8));
    length_bytes(length - 4);
    const bool known = distance > 0 && distance <= plain.size();
    for (std::size_t i = 0; i < length; ++i) {
      plain.push_back(known ? plain[plain.size() - distance] : std::byte{0});
    }
  }
  void end(const Bytes& literals) { open(literals, 0); }

  Bytes stream;
  Bytes plain;

 private:
  void open(const Bytes& literals, std::size_t match_code) {
    const auto code = std::min<std::size_t>(literals.size(), 15);
    stream.push_back(static_cast<std::byte>(code << 4 | match_code));
    length_bytes(literals.size());
    stream.insert(stream.end(), literals.begin(), literals.end());
    plain.insert(plain.end(), literals.begin(), literals.end());
  }
  void length_bytes(std::size_t length) {
    if (length < 15) return;
    for (length -= 15; length >= 255; length -= 255) stream.push_back(std::byte{255});
    stream.push_back(static_cast<std::byte>(length));
  }
};

Block some_block(bev::test::Random& random, std::size_t sequences) {
  Block block;
  block.sequence(random.bytes(1 + random.below(70)), 1, 4);
  for (std::size_t i = 1; i < sequences; ++i) {
    const auto literals = random.bytes(random.below(2) ? 0 : random.below(300));
    const auto most = std::min<std::size_t>(block.plain.size(), 65535);
    const auto distance =
        1 + random.below(random.below(2) ? std::min<std::size_t>(most, 40) : most);
    block.sequence(literals, distance, 4 + random.below(random.below(4) ? 16 : 600));
  }
  block.end(random.bytes(5 + random.below(40)));
  return block;
}

struct Answer {
  bool good = false;
  bool in_bounds = false;
  Bytes bytes;
};

Answer decode(const Bytes& stream, std::size_t size, std::size_t target) {
  constexpr auto kGuard = std::byte{0xa5};
  Bytes memory(1 + size + kLz4Slack + 1, kGuard);
  Answer answer;
  answer.good = decode_lz4(stream, {memory.data() + 1, size}, target);
  answer.in_bounds = memory.front() == kGuard && memory.back() == kGuard;
  const auto from = memory.begin() + 1;
  answer.bytes.assign(from, from + static_cast<std::ptrdiff_t>(target));
  return answer;
}

/// Checks a match far from the end of the stream and near it.
void check(bev::test::Random& random, std::size_t distance, std::size_t length) {
  for (const std::size_t behind : {100u, 5u}) {
    Block block;
    block.sequence(random.bytes(distance), distance, length);
    block.end(random.bytes(behind));
    const auto answer = decode(block.stream, block.plain.size(), block.plain.size());
    if (answer.good && answer.in_bounds && answer.bytes == block.plain) continue;
    FAIL(distance << " back, " << length << " bytes, " << behind << " behind");
  }
}

bool starts_with(const Bytes& all, const Bytes& part) {
  return part.size() <= all.size() && std::equal(part.begin(), part.end(), all.begin());
}

}  // namespace

TEST_SUITE("zarr/lz4_block") {
  TEST_CASE("matches at every short distance") {
    bev::test::Random random(1);
    for (std::size_t distance = 1; distance <= 40; ++distance) {
      for (std::size_t length = 4; length <= 300; ++length) {
        check(random, distance, length);
      }
    }
  }

  TEST_CASE("literals of every length, including extended lengths") {
    bev::test::Random random(2);
    for (std::size_t length = 0; length <= 800; ++length) {
      Block block;
      block.sequence(random.bytes(3), 2, 9);
      block.sequence(random.bytes(length), 3, 4);
      block.end(random.bytes(length % 90));
      const auto answer = decode(block.stream, block.plain.size(), block.plain.size());
      if (!answer.good || answer.bytes != block.plain) FAIL(length << " literals");
    }
  }

  TEST_CASE("decoding stops at the target with all bytes before it") {
    bev::test::Random random(3);
    for (int i = 0; i < 300; ++i) {
      const auto block = some_block(random, 1 + random.below(60));
      const auto size = block.plain.size();
      for (const auto target : {std::size_t{1}, random.below(size) + 1, size}) {
        const auto answer = decode(block.stream, size, target);
        REQUIRE(answer.good);
        REQUIRE(answer.in_bounds);
        REQUIRE(starts_with(block.plain, answer.bytes));
      }
    }
  }

  TEST_CASE("a stream truncated anywhere is refused") {
    bev::test::Random random(4);
    const auto block = some_block(random, 40);
    const auto size = block.plain.size();
    for (std::size_t cut = 0; cut < block.stream.size(); ++cut) {
      const Bytes part(block.stream.begin(),
                       block.stream.begin() + static_cast<std::ptrdiff_t>(cut));
      const auto answer = decode(part, size, size);
      if (answer.good || !answer.in_bounds) FAIL("cut after " << cut);
    }
  }

  TEST_CASE("flipped bytes never write outside the output") {
    bev::test::Random random(5);
    for (int i = 0; i < 4000; ++i) {
      auto block = some_block(random, 12);
      for (int flips = 0; flips < 3; ++flips) {
        block.stream[random.below(block.stream.size())] ^=
            static_cast<std::byte>(1 + random.below(255));
      }
      const auto size = block.plain.size();
      REQUIRE(decode(block.stream, size, random.below(size) + 1).in_bounds);
    }
  }

  TEST_CASE("matches before the start are refused, early and late") {
    bev::test::Random random(6);
    for (const std::size_t behind : {0u, 5u, 200u}) {
      for (const std::size_t distance : {0u, 21u, 5000u}) {
        for (const std::size_t length : {4u, 30u}) {
          Block block;
          block.sequence(random.bytes(20), distance, length);
          block.end(random.bytes(behind));
          const auto size = block.plain.size();
          CHECK_FALSE(decode(block.stream, size, size).good);
        }
      }
    }
  }

  TEST_CASE("the decoded size must match exactly") {
    bev::test::Random random(7);
    for (int i = 0; i < 200; ++i) {
      const auto block = some_block(random, 20);
      const auto size = block.plain.size();
      for (const auto other : {size - 1, size - 40, size + 1}) {
        const auto answer = decode(block.stream, other, other);
        REQUIRE_FALSE(answer.good);
        REQUIRE(answer.in_bounds);
      }
    }
  }

  TEST_CASE("an overflowing length is refused") {
    Block block;
    block.sequence(Bytes(20), 1, 4);
    for (const auto code : {std::byte{0xf0}, std::byte{0x0f}}) {
      auto stream = block.stream;
      stream.push_back(code);
      if (code == std::byte{0x0f})
        stream.insert(stream.end(), {std::byte{1}, std::byte{0}});
      stream.insert(stream.end(), 1u << 20, std::byte{255});
      const auto answer = decode(stream, 4096, 4096);
      CHECK_FALSE(answer.good);
      CHECK(answer.in_bounds);
    }
  }
}
