#include "native/http/retry.hpp"

#include <doctest/doctest.h>

using bev::native::retry_after_s;
using bev::native::retry_delay_ms;

TEST_SUITE("native/http/retry") {
  TEST_CASE("pauses double, spread around their middle, up to a limit") {
    CHECK(retry_delay_ms(1, 250, 0.5) == 250);
    CHECK(retry_delay_ms(2, 250, 0.5) == 500);
    CHECK(retry_delay_ms(4, 250, 0.5) == 2'000);
    CHECK(retry_delay_ms(1, 250, 0.0) == 125);
    CHECK(retry_delay_ms(1, 250, 0.999) == 374);
    CHECK(retry_delay_ms(1, 0, 0.5) == 0);
    CHECK(retry_delay_ms(4'000'000'000, 250, 0.999) == 30'000);
    CHECK(retry_delay_ms(1, 4'000'000'000, 0.5) == 30'000);
  }

  TEST_CASE("Retry-After is seconds or a date") {
    constexpr std::int64_t kNow = 784'111'777;  // Sun, 06 Nov 1994 08:49:37 GMT
    CHECK(retry_after_s("120", kNow) == 120);
    CHECK(retry_after_s("0", kNow) == 0);
    CHECK(retry_after_s("Sun, 06 Nov 1994 08:50:37 GMT", kNow) == 60);
    CHECK(retry_after_s("Sun, 06 Nov 1994 08:48:37 GMT", kNow) == 0);
    for (const auto* damaged : {"", "soon", "-5", "12x", "1.5"}) {
      CAPTURE(damaged);
      CHECK(retry_after_s(damaged, kNow) == 0);
    }
  }

  TEST_CASE("no Retry-After is too large to count as long") {
    constexpr std::uint64_t kYearS = 365ULL * 24 * 3600;
    for (const auto* huge : {"4294968", "4294967296", "18446744073709551615",
                             "18446744073709551616", "99999999999999999999999999"}) {
      CAPTURE(huge);
      CHECK(retry_after_s(huge, 0) >= 4'294'968);
      CHECK(retry_after_s(huge, 0) <= kYearS);
    }
  }
}
