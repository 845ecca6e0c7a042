// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// `fabrictwin nanet`: frames of a capture through the RTL and back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "bridges/ethernet/pcap.h"
#include "tests/integration/background_process.h"
#include "tests/integration/cli_process.h"
#include "tests/integration/study_results.h"
#include "tests/rtl/nanet/frames.h"
#include "tests/test_folder.h"

namespace fabrictwin::test {
namespace {

using bridges::ethernet::CapturedFrame;
using ::testing::HasSubstr;

constexpr Mac kDevice = 0x020000000002;
constexpr Mac kPeer = 0x020000000063;
constexpr uint32_t kDeviceIp = 0x0a000002;
constexpr uint32_t kPeerIp = 0x0a000001;
constexpr int64_t kGapNs = 20000;

class NanetCli : public ::testing::Test {
 protected:
  void add(const Bytes& frame) {
    const auto number = static_cast<int64_t>(frames_.size());
    frames_.push_back(
        {.time_ns = 1'000'000'000 + number * kGapNs, .bytes = frame, .length = static_cast<uint32_t>(frame.size())});
  }
  void add_datagram(const Bytes& payload, uint16_t port = 5000) {
    add(udp_frame({.destination = kDevice,
                   .source = kPeer,
                   .source_ip = kPeerIp,
                   .ip = kDeviceIp,
                   .source_port = 7,
                   .port = port,
                   .payload = payload}));
  }
  CliResult run(const std::vector<std::string>& more) {
    std::vector<std::string> words{"nanet", "--pcap-in",
                                   folder_.write("in.pcap", bridges::ethernet::pcap_text(frames_))};
    words.insert(words.end(), more.begin(), more.end());
    return run_cli(words);
  }

  TestFolder folder_;
  std::vector<CapturedFrame> frames_;
};

TEST_F(NanetCli, AnswersAndSendsBackWhatItReceives) {
  Bytes request = arp_frame(kBroadcast, 1, kPeer, kPeerIp, 0, kDeviceIp);
  // As a capture of who sends has it, before the MAC fills it up.
  request.resize(42);
  add(request);
  add(echo_frame(kDevice, kPeer, kPeerIp, kDeviceIp, 8, Bytes(40, 9)));
  const Bytes payload{'h', 'e', 'l', 'l', 'o'};
  add_datagram(payload);
  add_datagram(Bytes(1472, 'x'));
  add_datagram(payload, 1);
  const std::string out = folder_.file("out.pcap");
  const std::string data = folder_.file("data");
  const CliResult result =
      run({"--reply-to", "10.0.0.1:6000", "--pcap-out", out, "--data-out", data, "--timeout", "100", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["frames_in"], 5);
  EXPECT_EQ(report["counters"]["no_stream"], 1);
  EXPECT_EQ(report["counters"]["sent"], 2);
  EXPECT_EQ(report["buffers"], 2);

  const auto sent = bridges::ethernet::read_pcap(out);
  ASSERT_TRUE(sent.ok()) << sent.status();
  ASSERT_EQ(sent->size(), 4u);
  EXPECT_EQ((*sent)[0].bytes, arp_frame(kPeer, 2, kDevice, kDeviceIp, kPeer, kPeerIp));
  EXPECT_EQ((*sent)[1].bytes, echo_frame(kPeer, kDevice, kDeviceIp, kPeerIp, 0, Bytes(40, 9)));
  EXPECT_GT((*sent)[1].time_ns, kGapNs);
  EXPECT_LT((*sent)[1].time_ns, kGapNs + 2000);
  const auto reply = read_udp((*sent)[2].bytes);
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->port, 6000);
  EXPECT_EQ(reply->source_port, 5000);
  EXPECT_EQ(Bytes(reply->payload.begin(), reply->payload.begin() + 5), payload);
  EXPECT_EQ(read_udp((*sent)[3].bytes)->payload, Bytes(1472, 'x'));
  EXPECT_EQ(read_file(data).substr(0, 5), "hello");
}

TEST_F(NanetCli, IsTheSameEachTime) {
  for (int i = 0; i < 20; ++i) add_datagram(Bytes(static_cast<size_t>(10 + 50 * i), static_cast<uint8_t>(i)));
  const CliResult first = run({"--json", "--gpu"});
  ASSERT_EQ(first.exit_code, 0) << first.err;
  const nlohmann::json report = results_in(first.out);
  EXPECT_EQ(report["frames_in"], 20);
  EXPECT_THAT(report["name"].get<std::string>(),
              ::testing::MatchesRegex(
                  "nanet in@0:[0-9a-f]{8}, 02:00:00:00:00:02, 10.0.0.2, UDP 5000, 4096 B buffers, 2000 cycles, GPU"));
  const std::string database = folder_.file("history.db");
  EXPECT_EQ(run({"--gpu", "--record", "--db", database}).exit_code, 0);
  const CliResult list = run_cli({"history", "list", "--json", "--db", database});
  EXPECT_EQ(nlohmann::json::parse(list.out).at("results").at(0).at("kind"), "nanet") << list.err;
  const CliResult same = run({"--data-out", database, "--record", "--db", database});
  EXPECT_EQ(same.exit_code, 2);
  EXPECT_THAT(same.err, HasSubstr("--db"));
  EXPECT_EQ(run_cli({"history", "list", "--db", database}).exit_code, 0);
  EXPECT_EQ(report, results_in(run({"--json", "--gpu"}).out));
}

TEST_F(NanetCli, FramesOfOneCaptureComeInTheOrderOfTheirTimes) {
  for (int i = 0; i < 3; ++i) add_datagram(Bytes(100, static_cast<uint8_t>('a' + i)));
  const std::string data = folder_.file("data");
  const auto simulated = [&] {
    const CliResult result = run({"--json", "--data-out", data});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return nlohmann::json::parse(result.out).at("simulated_ns").get<double>();
  };
  const double in_order = simulated();
  const std::string held = read_file(data);
  std::swap(frames_[0], frames_[2]);
  EXPECT_EQ(simulated(), in_order);
  EXPECT_EQ(read_file(data), held);
}

TEST_F(NanetCli, EachCaptureHasAPortOfItsOwn) {
  add_datagram({1});
  const std::string first = folder_.write("first.pcap", bridges::ethernet::pcap_text(frames_));
  frames_.clear();
  for (uint16_t port : {5000, 5001}) {
    add(udp_frame({.destination = kDevice + 0x200,
                   .source = kPeer,
                   .source_ip = kPeerIp + 0x200,
                   .ip = kDeviceIp + 0x200,
                   .source_port = 7,
                   .port = port,
                   .payload = Bytes(100, 2)}));
  }
  const std::string second = folder_.write("second.pcap", bridges::ethernet::pcap_text(frames_));
  const CliResult result = run_cli({"nanet", "--json", "--pcap-in", first, "--pcap-in", second + "@2"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const auto report = nlohmann::json::parse(result.out);
  EXPECT_EQ(report["frames_in"], 3);
  EXPECT_EQ(report["buffers"], 2);
  EXPECT_EQ(report["counters"]["udp"], 3);
  ASSERT_EQ(report["ports"].size(), 2u);
  EXPECT_EQ(report["ports"][0]["port"], 0);
  EXPECT_EQ(report["ports"][0]["frames_in"], 1);
  EXPECT_EQ(report["ports"][1]["port"], 2);
  EXPECT_EQ(report["ports"][1]["counters"]["udp"], 2);
  EXPECT_EQ(report["ports"][1]["counters"]["no_stream"], 1);
}

TEST_F(NanetCli, AnInterruptBetweenFramesKeepsWhatCameBefore) {
  add_datagram({1});
  add_datagram({2});
  // Nobody simulates so long.
  frames_.back().time_ns += int64_t{1'000'000} * 1'000'000'000;
  const std::string capture = folder_.write("in.pcap", bridges::ethernet::pcap_text(frames_));
  const std::string data = folder_.file("data");
  for (const bool json : {true, false}) {
    std::filesystem::remove(data);
    std::vector<std::string> words{cli_binary(), "nanet", "--pcap-in", capture, "--data-out", data};
    if (json) words.emplace_back("--json");
    const std::string out = folder_.file("out");
    BackgroundProcess nanet(words, folder_.file("log"), out);
    ASSERT_TRUE(eventually([&] { return nanet.handles(SIGINT); })) << nanet.log();
    nanet.send(SIGINT);
    EXPECT_EQ(nanet.wait(), 130) << nanet.log();
    EXPECT_THAT(nanet.log(), HasSubstr("interrupted; the result is partial"));
    EXPECT_TRUE(std::filesystem::exists(data));
    if (!json) {
      EXPECT_THAT(read_file(out), HasSubstr("complete      no: interrupted"));
      continue;
    }
    const auto report = nlohmann::json::parse(read_file(out));
    EXPECT_EQ(report.at("complete"), false);
    EXPECT_EQ(report.at("reason"), "interrupted");
    EXPECT_LT(report.at("frames_in"), 2);
  }
}

TEST_F(NanetCli, SaysWhatIsWrong) {
  add_datagram({1});
  EXPECT_THAT(run({"--ip", "10.0.0.256"}).err, HasSubstr("--ip: \"10.0.0.256\" is no IPv4 address"));
  EXPECT_THAT(run({"--mac", "01:00:00:00:00:00"}).err,
              HasSubstr("--mac: \"01:00:00:00:00:00\" is no MAC address of one station"));
  EXPECT_THAT(run({"--reply-to", "10.0.0.1"}).err, HasSubstr("--reply-to: \"10.0.0.1\" is not IP:PORT"));
  EXPECT_THAT(run({"--buffer-bytes", "1000"}).err, HasSubstr("must be a power of two"));
  EXPECT_EQ(run({"--udp-port", "70000"}).exit_code, 2);
  const CliResult twice = run({"--udp-port", "5000", "5001", "5000"});
  EXPECT_EQ(twice.exit_code, 2);
  EXPECT_THAT(twice.err, HasSubstr("--udp-port: 5000 is there twice"));
  EXPECT_EQ(run({"--pcap-out", "/nowhere/out.pcap"}).exit_code, 2);
  const std::string text = folder_.write("text", "this is no capture of anything");
  const CliResult result = run_cli({"nanet", "--pcap-in", text});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("text: byte 0: error: this is no capture of libpcap"));
  const std::string capture = folder_.file("in.pcap");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"--ip", "10.0.255.2"}, std::vector<std::string>{"--mac", "02:00:00:00:ff:02"},
        std::vector<std::string>{"--reply-to", "10.0.255.1:6000"}}) {
    EXPECT_EQ(run(words).exit_code, 0) << words[0] << ": port 0 has it";
    const CliResult carries = run_cli({"nanet", "--pcap-in", capture + "@1", words[0], words[1]});
    EXPECT_EQ(carries.exit_code, 2) << words[0];
    EXPECT_THAT(carries.err, HasSubstr(words[0] + ": \"" + words[1] + "\" leaves no address for port 1"));
  }
  const CliResult folder = run_cli({"nanet", "--pcap-in", folder_.path()});
  EXPECT_EQ(folder.exit_code, 2);
  EXPECT_THAT(folder.err, HasSubstr("this is a folder"));
  EXPECT_EQ(run_cli({"nanet"}).exit_code, 2);
  EXPECT_EQ(run_cli({"nanet", "--tap", "a name"}).exit_code, 2);
  EXPECT_THAT(run_cli({"nanet", "--tap", "a@4"}).err, HasSubstr("\"a@4\" is not NAME@PORT with a port from 0 to 3"));
  EXPECT_THAT(run_cli({"nanet", "--tap", "a@1", "--tap", "b@1"}).err, HasSubstr("write b@PORT with another port"));
  EXPECT_EQ(run_cli({"nanet", "--tap", "a", "--tap", "b", "--tap", "c", "--tap", "d", "--tap", "e"}).exit_code, 2);
}

}  // namespace
}  // namespace fabrictwin::test
