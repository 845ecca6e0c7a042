// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// A NaNet-10 card in experiments: RTL beside the model, the law, what a run tells, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bridges/ethernet/pcap.h"
#include "tests/integration/digests.h"
#include "tests/rtl/nanet/frames.h"
#include "tests/test_folder.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

const std::string kFile = "workloads/experiments/nanet.textproto";
constexpr int64_t kSecond = 1'000'000'000;

/// An experiment of one stream: how its datagrams are, and more of it.
std::string one_stream(const std::string& stream, const std::string& more = {}) {
  return "topology { nanet { ports: 1 } }\nworkload { datagrams { stream { " + stream + " } " + more +
         " } }\nseed: 3\n";
}

class NanetRun : public ::testing::Test {
 protected:
  nlohmann::json report_of(const std::string& file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"run", "--json", "--quiet", file};
    words.insert(words.end(), more.begin(), more.end());
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out, nullptr, false);
  }
  std::string refused(const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words{"run", "--quiet", folder_.write("bad.textproto", text)};
    words.insert(words.end(), more.begin(), more.end());
    const CliResult result = run_cli(words);
    EXPECT_EQ(result.exit_code, 2) << result.out;
    EXPECT_EQ(result.out, "");
    return result.err;
  }
  TestFolder folder_;
};

uint64_t number(const nlohmann::json& value) {
  return value.is_string() ? std::stoull(value.get<std::string>()) : value.get<uint64_t>();
}

uint64_t result_of(const nlohmann::json& port, const std::string& name) {
  for (const auto& result : port["results"]) {
    if (result["name"] == name) return number(result["count"]);
  }
  return 0;
}

TEST_F(NanetRun, TheExampleLosesNothing) {
  const nlohmann::json report = report_of(kFile, {});
  ASSERT_EQ(report["nanet"]["streams"].size(), 4u);
  for (const auto& stream : report["nanet"]["streams"]) {
    EXPECT_EQ(stream["datagrams_sent"], stream["datagrams_received"]) << stream;
    EXPECT_EQ(number(stream["damaged"]), 0u) << stream;
  }
  for (const auto& port : report["nanet"]["ports"]) EXPECT_EQ(result_of(port, "udp"), number(port["frames_sent"]));
}

TEST_F(NanetRun, PlacesAndThreadsDoNotShow) {
  const std::vector<std::string> few{kFile, "--set", "workload.datagrams.stream[0].count=20", "--set",
                                     "workload.datagrams.stream[1].count=20"};
  const std::vector<std::string> sent{folder_.write(
      "send.textproto", one_stream("direction: SEND rate: \"4Gbps\" count: 80",
                                   "stream { direction: SEND rate: \"1Gbps\" bytes: \"200B\" count: 30 memory: GPU } "
                                   "stream { rate: \"1Gbps\" count: 20 }"))};
  for (const std::vector<std::string>& experiment : {few, sent}) {
    std::string payload;
    for (const std::string implementation : {"RTL", "MODEL"}) {
      const Digests here = digests_of(experiment, {"nanet=" + implementation});
      EXPECT_GT(here.packets, 100u);
      EXPECT_EQ(digests_of(experiment, {"nanet=" + implementation}, {"--threads", "2"}), here);
      for (const std::string place : {"worker:shm", "worker:unix"})
        EXPECT_EQ(digests_of(experiment, {"nanet=" + implementation + "@" + place}), here) << implementation << place;
      EXPECT_TRUE(payload.empty() || here.payload == payload);
      payload = here.payload;
    }
  }
}

TEST_F(NanetRun, CapturesComeInAtTheirTimes) {
  std::vector<bridges::ethernet::CapturedFrame> frames;
  const auto add = [&](const test::Bytes& frame) {
    frames.push_back({.time_ns = kSecond + 5000 * static_cast<int64_t>(frames.size()),
                      .bytes = frame,
                      .length = static_cast<uint32_t>(frame.size())});
  };
  for (int i = 0; i < 8; ++i) {
    add(test::udp_frame({.destination = 0x020000000002,
                         .source = 0x020000000001,
                         .source_ip = 0x0a000001,
                         .ip = 0x0a000002,
                         .source_port = 7,
                         .port = static_cast<uint16_t>(i < 6 ? 6000 : 6001),
                         .payload = test::Bytes(100, static_cast<uint8_t>(i))}));
  }
  add(test::arp_frame(test::kBroadcast, 1, 0x020000000001, 0x0a000001, 0, 0x0a000002));
  add(test::echo_frame(0x020000000002, 0x020000000001, 0x0a000001, 0x0a000002, 8, test::Bytes(56, 1)));
  folder_.write("in.pcap", bridges::ethernet::pcap_text(frames));
  const std::string file =
      folder_.write("capture.textproto", one_stream("udp_port: 6000", "capture { file: \"in.pcap\" }"));
  std::string payload;
  for (const std::string implementation : {"RTL", "MODEL"}) {
    const nlohmann::json report = report_of(file, {"--use", "nanet=" + implementation});
    const nlohmann::json& port = report["nanet"]["ports"][0];
    EXPECT_EQ(number(report["nanet"]["streams"][0]["datagrams_received"]), 6u) << implementation;
    EXPECT_EQ(result_of(port, "no_stream"), 2u) << implementation;
    EXPECT_EQ(result_of(port, "arp"), 1u) << implementation;
    EXPECT_EQ(result_of(port, "echo"), 1u) << implementation;
    EXPECT_EQ(number(port["frames_received"]), 2u) << implementation;
    if (!payload.empty()) {
      EXPECT_EQ(report["payload_digest"], payload);
    }
    payload = report["payload_digest"];
  }
}

TEST_F(NanetRun, TextAndMetricsTellOfStreams) {
  const std::string file = folder_.write("stream.textproto", one_stream("rate: \"5Gbps\" count: 10"));
  const CliResult text = run_cli({"run", "--quiet", file});
  EXPECT_EQ(text.exit_code, 0) << text.err;
  EXPECT_THAT(text.out, HasSubstr("0:5000"));
  EXPECT_THAT(text.out, HasSubstr("udp 10"));
  const CliResult described = run_cli({"describe", file});
  EXPECT_THAT(described.out, HasSubstr("nanet with 1 ports: 2 hosts, a card"));
  EXPECT_THAT(described.out, HasSubstr("10 UDP datagrams in 1 streams"));
}

TEST_F(NanetRun, RefusesWhatACardCannotDo) {
  EXPECT_THAT(refused(one_stream("rate: \"11Gbps\"")), HasSubstr("bad.textproto:2:"));
  EXPECT_THAT(refused(one_stream("rate: \"11Gbps\"")), HasSubstr("the rate of a line"));
  EXPECT_THAT(refused(one_stream("rate: \"6Gbps\" } stream { rate: \"6Gbps\"")), HasSubstr("the streams of port 0"));
  EXPECT_THAT(refused(one_stream("port: 1 rate: \"1Gbps\"")), HasSubstr("port"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" bytes: \"8B\"")), HasSubstr("16B to 1472B"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" bytes: \"4194305KiB\"")), HasSubstr("bytes 4294968320B"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" bytes: \"16B\" buffer: \"1MiB\"")),
              HasSubstr("at most 65535 in one"));
  EXPECT_THAT(refused(one_stream("rate: \"1kbps\" count: 1000")), HasSubstr("write fewer, or a higher rate"));
  for (const char* card : {"write_rate: \"10Mbps\"", "line_latency: \"11ms\"", "pcie_latency: \"1ms\""}) {
    const std::string text =
        std::string("topology { nanet { ") + card + " } } workload { datagrams { stream { rate: \"1Gbps\" } } }";
    EXPECT_THAT(refused(text), AllOf(HasSubstr("bad.textproto:1:"), HasSubstr("write "))) << card;
  }
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" buffer: \"1000B\"")), HasSubstr("a power of two"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" buffers: 3")), HasSubstr("a power of two"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" bytes: \"1024B\" buffer: \"512B\"")), HasSubstr("a larger buffer"));
  EXPECT_THAT(refused(one_stream("udp_port: 6000")), HasSubstr("sends nothing"));
  EXPECT_THAT(refused(one_stream("direction: SEND")), HasSubstr("the direction SEND and no rate"));
  for (const char* const option : {"buffer: \"1KiB\"", "buffers: 8", "widen: true"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find(':'));
    EXPECT_THAT(refused(one_stream(std::string("direction: SEND rate: \"1Gbps\" ") + option)),
                AllOf(HasSubstr("bad.textproto:2:"), HasSubstr("leave " + name + " out")));
  }
  EXPECT_THAT(refused(one_stream("direction: SEND rate: \"6Gbps\" } stream { direction: SEND rate: \"6Gbps\"")),
              HasSubstr("the streams of port 0 send 12"));
  EXPECT_THAT(refused(one_stream("direction: SEND rate: \"1Gbps\" udp_port: 7 } stream { rate: \"1Gbps\" udp_port: 7")),
              HasSubstr("UDP port 7 already"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\" udp_port: 7 } stream { rate: \"1Gbps\" udp_port: 7")),
              HasSubstr("UDP port 7 already"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\"", "capture { file: \"none.pcap\" }")), HasSubstr("none.pcap"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\"", "timeout: \"1ns\"")), HasSubstr("timeout"));
  EXPECT_THAT(refused("topology { nanet { ports: 5 } } workload { datagrams { stream { rate: \"1Gbps\" } } }"),
              HasSubstr("ports"));
  EXPECT_THAT(refused("topology { nanet { } } workload { exchange { } }"), HasSubstr("nanet takes frames of Ethernet"));
  EXPECT_THAT(refused("topology { torus { dims: [2] } } workload { datagrams { stream { rate: \"1Gbps\" } } }"),
              HasSubstr("datagrams go to a card"));
  EXPECT_THAT(refused("router { buffer_words: 64 } " + one_stream("rate: \"1Gbps\"")), HasSubstr("leave router out"));
  EXPECT_THAT(refused("statistics { queues: true } " + one_stream("rate: \"1Gbps\"")),
              HasSubstr("leave statistics.queues out"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\""), {"--use", "nanet=BOARD@soft"}), HasSubstr("boards hold routers"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\""), {"--use", "host[0]=RTL"}), HasSubstr("cannot be RTL"));
  EXPECT_THAT(refused(one_stream("rate: \"1Gbps\""), {"--use", "host[*]=MODEL@worker:shm"}),
              HasSubstr("which they end"));
}

// The slowest card and the longest links that can be written: a run waits for what is on its way.
TEST_F(NanetRun, SlowCardsAreWaitedFor) {
  const std::string file = folder_.write(
      "slow.textproto",
      "topology { nanet { ports: 1 write_rate: \"100Mbps\" line_latency: \"10ms\" pcie_latency: \"10us\" } }\n"
      "workload { datagrams { stream { rate: \"50Mbps\" count: 50 start: \"20ms\" } } }\n");
  const nlohmann::json stream = report_of(file, {}).at("nanet").at("streams").at(0);
  EXPECT_EQ(stream.at("datagrams_sent"), 50) << stream;
  EXPECT_EQ(stream.at("datagrams_received"), 50) << stream;
}

// An answer to a miss of the TLB takes nine accesses of registers, and a card waits for 100 us by itself.
TEST_F(NanetRun, NothingIsDamagedBehindASlowPciePort) {
  for (const char* const start : {"500us", "50us"}) {
    const std::string file = folder_.write(
        "far.textproto",
        std::string(
            "topology { nanet { ports: 1 pcie_latency: \"10us\" } }\n"
            "workload { datagrams { timeout: \"40us\" stream { rate: \"100Mbps\" bytes: \"1024B\" buffer: \"4096B\" "
            "count: 12 start: \"") +
            start + "\" } } }\n");
    for (const char* const card : {"nanet=MODEL", "nanet=RTL"}) {
      const nlohmann::json report = report_of(file, {"--use", card});
      const nlohmann::json stream = report.at("nanet").at("streams").at(0);
      EXPECT_EQ(stream.at("damaged"), 0) << card << stream;
      const bool early = start == std::string("50us");
      EXPECT_EQ(stream.at("datagrams_received") == 12, !early) << card << stream;
      const std::string warnings = report.value("warnings", nlohmann::json::array()).dump();
      EXPECT_EQ(warnings.find("before the driver has set it up") != std::string::npos, early) << warnings;
    }
  }
}

TEST_F(NanetRun, ADamagedCaptureIsNamed) {
  folder_.write("in.pcap", "no capture at all");
  EXPECT_THAT(refused(one_stream("udp_port: 6000", "capture { file: \"in.pcap\" }")), HasSubstr("in.pcap"));
}

}  // namespace
}  // namespace fabrictwin
