// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/base/quantity.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "cosim/base/text.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

struct TimeCase {
  const char* text;
  int64_t fs;
};

TEST(QuantityTest, ReadsTimesExactly) {
  const TimeCase cases[] = {
      {"0ns", 0},
      {"1fs", 1},
      {"0.1ns", 100'000},
      {"120ns", 120'000'000},
      {"120 ns", 120'000'000},
      {"  2s ", 2'000'000'000'000'000},
      {"1.5us", 1'500'000'000},
      {".5ps", 500},
      {"5.ps", 5'000},
      {"0.000000000000001s", 1},
      {"0.10000000000000000000000000000000000ns", 100'000},
      {"000000000000000000000000000000000000000000007ms", 7'000'000'000'000},
      {"9223.372036854775806s", std::numeric_limits<int64_t>::max() - 1},
  };
  for (const TimeCase& c : cases) {
    const auto time = parse_time(c.text);
    ASSERT_TRUE(time.ok()) << c.text << ": " << time.status();
    EXPECT_EQ(time->fs(), c.fs) << c.text;
  }
}

TEST(QuantityTest, ReadsEveryUnit) {
  EXPECT_EQ(parse_bytes("3B")->count, 3);
  EXPECT_EQ(parse_bytes("3kB")->count, 3'000);
  EXPECT_EQ(parse_bytes("3MB")->count, 3'000'000);
  EXPECT_EQ(parse_bytes("3GB")->count, 3'000'000'000);
  EXPECT_EQ(parse_bytes("4KiB")->count, 4096);
  EXPECT_EQ(parse_bytes("0.5MiB")->count, 512 * 1024);
  EXPECT_EQ(parse_bytes("2GiB")->count, int64_t{2} << 30);
  EXPECT_EQ(parse_bandwidth("10Gbps")->bits_per_second, 10'000'000'000);
  EXPECT_EQ(parse_bandwidth("10 Gb/s")->bits_per_second, 10'000'000'000);
  EXPECT_EQ(parse_bandwidth("1.25GB/s")->bits_per_second, 10'000'000'000);
  EXPECT_EQ(parse_bandwidth("1Tbps")->bits_per_second, 1'000'000'000'000);
  EXPECT_EQ(parse_bandwidth("7kbps")->bits_per_second, 7'000);
  EXPECT_EQ(parse_frequency("156.25MHz")->hertz, 156'250'000);
  EXPECT_EQ(parse_frequency("1.2GHz")->hertz, 1'200'000'000);
  EXPECT_EQ(parse_frequency("32.768kHz")->hertz, 32'768);
}

TEST(QuantityTest, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* message;
  };
  const Case cases[] = {
      {"", "\"\" is not a time: it is empty; write it as in \"120ns\""},
      {"120",
       "\"120\" is not a time: it has no unit; write a number and one of fs, ps, ns, us, ms, s, as in \"120ns\""},
      {"ns", "\"ns\" is not a time: it must begin with a number, as in \"120ns\""},
      {".ns", "\".ns\" is not a time: it must begin with a number, as in \"120ns\""},
      {"-5ns", "\"-5ns\" is not a time: it must not be negative"},
      {"5nsec",
       "\"5nsec\" is not a time: unknown unit \"nsec\" (did you mean \"ns\"?); units are fs, ps, ns, us, ms, s"},
      {"1e30s",
       "\"1e30s\" is not a time: it has an exponent; write all digits and one of fs, ps, ns, us, ms, s, as in "
       "\"120ns\""},
      {"5NS", "\"5NS\" is not a time: unknown unit \"NS\" (did you mean \"ns\"?); units are fs, ps, ns, us, ms, s"},
      {"1.2.3ns",
       "\"1.2.3ns\" is not a time: unknown unit \".3ns\" (did you mean \"ns\"?); units are fs, ps, ns, us, ms, s"},
      {"0.5fs", "\"0.5fs\" is not a time: it is not a whole number of femtoseconds, the finest step there is"},
      {"9223.372036854775807s", "\"9223.372036854775807s\" is not a time: it is too large"},
      {"99999999999999999999999999999999999s",
       "\"99999999999999999999999999999999999s\" is not a time: it is too large"},
      {"nan", "\"nan\" is not a time: it must begin with a number, as in \"120ns\""},
      {"infs", "\"infs\" is not a time: it must begin with a number, as in \"120ns\""},
  };
  for (const Case& c : cases) {
    const auto time = parse_time(c.text);
    ASSERT_FALSE(time.ok()) << c.text;
    EXPECT_EQ(time.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(message_of(time.status()), c.message);
  }
}

TEST(QuantityTest, SuggestsTheUnitThatWasMeant) {
  EXPECT_THAT(std::string(message_of(parse_bandwidth("10Gbs").status())), HasSubstr("(did you mean \"Gbps\"?)"));
  EXPECT_THAT(std::string(message_of(parse_frequency("156.25mhz").status())), HasSubstr("(did you mean \"MHz\"?)"));
  EXPECT_THAT(std::string(message_of(parse_bytes("4kib").status())), HasSubstr("(did you mean \"KiB\"?)"));
  EXPECT_THAT(std::string(message_of(parse_bytes(std::string("4") + std::string(100'000, 'x')).status())),
              HasSubstr("unknown unit"));
}

TEST(QuantityTest, RefusesAbsurdNumbersOfDigits) {
  EXPECT_FALSE(parse_time("0." + std::string(100'000, '3') + "s").ok());
  EXPECT_FALSE(parse_time(std::string(100'000, '9') + "s").ok());
}

TEST(QuantityTest, WritesTheLargestUnitThatKeepsAValueAboveOne) {
  EXPECT_EQ(to_string(Time::from_ns(120)), "120 ns");
  EXPECT_EQ(to_string(Time::from_ns(1500)), "1.5 us");
  EXPECT_EQ(to_string(Time::from_fs(1)), "1 fs");
  EXPECT_EQ(to_string(Time::zero()), "0 fs");
  EXPECT_EQ(to_string(Time::never()), "never");
  EXPECT_EQ(to_string(Time::from_ns(0) - Time::from_ns(120)), "-120 ns");
  EXPECT_EQ(to_string(Bandwidth{10'000'000'000}), "10 Gbps");
  EXPECT_EQ(to_string(Bytes{4096}), "4 KiB");
  EXPECT_EQ(to_string(Bytes{1000}), "1000 B");
  EXPECT_EQ(to_string(Frequency{156'250'000}), "156.25 MHz");
}

RC_GTEST_PROP(QuantityProperty, WhatIsWrittenReadsBackTheSame, ()) {
  const int64_t value = *rc::gen::inRange<int64_t>(0, std::numeric_limits<int64_t>::max());
  RC_ASSERT(parse_time(to_string(Time::from_fs(value)))->fs() == value);
  RC_ASSERT(parse_bandwidth(to_string(Bandwidth{value}))->bits_per_second == value);
  RC_ASSERT(parse_bytes(to_string(Bytes{value}))->count == value);
  RC_ASSERT(parse_frequency(to_string(Frequency{value}))->hertz == value);
}

RC_GTEST_PROP(QuantityProperty, AnyTextIsReadOrRefused, (const std::string& text)) {
  const auto time = parse_time(text);
  const Time value = time.value_or(Time::zero());
  RC_ASSERT(value >= Time::zero());
}

}  // namespace
}  // namespace fabrictwin
