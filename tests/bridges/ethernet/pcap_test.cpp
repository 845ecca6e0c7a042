// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/ethernet/pcap.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fabrictwin::bridges::ethernet {
namespace {

std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text.push_back(static_cast<char>(value));
  return text;
}

/// A capture as another program writes it: times in microseconds, the most significant byte first.
std::string big_endian_capture() {
  return bytes({0xa1, 0xb2, 0xc3, 0xd4, 0, 2, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0,
                0,    0,    1,    0,    0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 9,    0x55, 0xaa});
}

std::string message(const std::string& text) { return std::string(parse_pcap(text, "a.pcap").status().message()); }

TEST(Pcap, ReadsWhatItWrites) {
  const std::vector<CapturedFrame> frames{{.time_ns = 1'700'000'000'123'456'789, .bytes = {1, 2, 3}, .length = 3},
                                          {.time_ns = 5, .bytes = {}, .length = 0},
                                          {.time_ns = 6, .bytes = std::vector<uint8_t>(1514, 7), .length = 1514}};
  const auto read = parse_pcap(pcap_text(frames), "a.pcap");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), frames.size());
  for (size_t i = 0; i < frames.size(); ++i) {
    EXPECT_EQ((*read)[i].time_ns, frames[i].time_ns);
    EXPECT_EQ((*read)[i].bytes, frames[i].bytes);
    EXPECT_EQ((*read)[i].length, frames[i].length);
  }
}

TEST(Pcap, ReadsOtherOrdersOfBytesAndMicroseconds) {
  const auto read = parse_pcap(big_endian_capture(), "a.pcap");
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->size(), 1u);
  EXPECT_EQ(read->front().time_ns, 2'000'003'000);
  EXPECT_EQ(read->front().bytes, (std::vector<uint8_t>{0x55, 0xaa}));
  EXPECT_EQ(read->front().length, 9u);
}

TEST(Pcap, AFolderIsNoCapture) {
  const absl::Status status = read_pcap("/").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_EQ(status.message(), "/: error: this is a folder; name a capture in it");
}

TEST(Pcap, SaysWhatIsWrongAndWhere) {
  EXPECT_NE(message("").find("a.pcap: byte 0: error: the file ends in its header"), std::string::npos);
  EXPECT_NE(message(std::string(100, 'x')).find("a.pcap: byte 0: error: this is no capture"), std::string::npos);
  std::string other = big_endian_capture();
  other[23] = 101;
  EXPECT_NE(message(other).find("byte 20: error: the link type is 101"), std::string::npos);
  for (size_t end = 25; end < big_endian_capture().size(); ++end) {
    EXPECT_NE(message(big_endian_capture().substr(0, end)).find("byte 24: error: the file ends in"), std::string::npos)
        << end;
  }
  std::string large = big_endian_capture();
  large[32] = 1;
  EXPECT_NE(message(large).find("byte 32: error: a frame of 16777218 bytes"), std::string::npos);
}

TEST(Pcap, NamesAFileThatIsNotThere) {
  EXPECT_NE(std::string(read_pcap("/nowhere/a.pcap").status().message()).find("/nowhere/a.pcap: error: cannot be read"),
            std::string::npos);
}

}  // namespace
}  // namespace fabrictwin::bridges::ethernet
