// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Programs over IP from experiment to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cosim/base/text.h"
#include "tests/experiments.h"
#include "tests/workloads/run_helpers.h"
#include "workloads/ip/results_text.h"
#include "workloads/ip/workload.h"

namespace fabrictwin {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const std::string kNodes = "topology { exanest { blades: 1 qfdbs: 1 } }\n";
const std::string kTorus = "topology { torus { dims: [2, 2] } }\nrouter { model: PACKET }\n";
/// Costs in round numbers; copies are a nanosecond a byte.
const std::string kCosts = "host { ip { passage: \"5us\" copy_rate: \"1GB/s\" wake_up: \"8us\" } }\n";

std::string with_ip(const std::string& flows, const std::string& system = kNodes) {
  return system + "workload { ip { " + flows + " } }\n";
}

v1::Report report_of(const std::string& text) {
  const Outcome outcome = run_text(text);
  EXPECT_TRUE(outcome.status.ok()) << outcome.status;
  EXPECT_EQ(outcome.done, 1);
  EXPECT_TRUE(outcome.report.complete());
  return outcome.report;
}

/// What is wrong with an experiment.
std::string mistakes_of(const std::string& text) {
  const absl::Status status = test::parse_experiment(text, "test.textproto").status();
  return std::string(message_of(status));
}

TEST(Ip, ARoundTripCostsSixPassagesAndFiveThreadsThatSleep) {
  const v1::Report report = report_of(with_ip("ping { count: 3 bytes: \"0B\" }", kNodes + kCosts));
  ASSERT_EQ(report.ip().pings_size(), 1);
  const v1::IpPingReport& ping = report.ip().pings(0);
  EXPECT_EQ(ping.sent(), 3u);
  EXPECT_EQ(ping.round_trip_seconds().count(), 3u);
  // Packets of 28 bytes go by packetizer and mailbox, with 32 bytes of envelope: about half a microsecond.
  const double software = 6 * 5e-6 + 5 * 8e-6 + 4 * 28e-9;
  EXPECT_GT(ping.round_trip_seconds().min(), software + 2 * 0.3e-6);
  EXPECT_LT(ping.round_trip_seconds().max(), software + 2 * 1e-6);
}

TEST(Ip, PollingSparesTheThreadsThatWaitForArrivals) {
  const auto mean = [](const std::string& arrivals) {
    const std::string host =
        "host { ip { passage: \"5us\" copy_rate: \"1GB/s\" wake_up: \"8us\" arrivals: " + arrivals + " } }\n";
    return report_of(with_ip("ping { count: 3 }", kNodes + host)).ip().pings(0).round_trip_seconds().mean();
  };
  EXPECT_NEAR(mean("SLEEP") - mean("POLL"), 16e-6, 0.1e-6);
}

TEST(Ip, AStreamIsAsFastAsItsSlowestStage) {
  const v1::Report report = report_of(with_ip("stream { bytes: \"1MiB\" }", kNodes + kCosts));
  const v1::IpStreamReport& stream = report.ip().streams(0);
  EXPECT_EQ(stream.transport(), "udp");
  EXPECT_EQ(stream.datagram_bytes(), 16356u);
  EXPECT_EQ(stream.sent(), 65u);
  EXPECT_EQ(stream.received(), 65u);
  EXPECT_EQ(stream.dropped(), 0u);
  EXPECT_EQ(stream.bytes_received(), uint64_t{1} << 20);
  // The reader takes 21.4 us for a packet, and the network interface, at 14.2 Gb/s, some ten.
  EXPECT_GT(stream.bits_per_second(), 3.5e9);
  EXPECT_LT(stream.bits_per_second(), 16356 * 8 / 21.4e-6);
}

TEST(Ip, AWindowLimitsAStream) {
  const auto with_window = [](const std::string& window) {
    return report_of(
        with_ip("stream { bytes: \"256KiB\" transport: WINDOW datagram: \"4KiB\" window: \"" + window + "\" }"));
  };
  const v1::Report one = with_window("4KiB");
  const v1::Report many = with_window("64KiB");
  EXPECT_EQ(one.ip().streams(0).received(), 64u);
  EXPECT_EQ(many.ip().streams(0).received(), 64u);
  EXPECT_EQ(many.ip().streams(0).transport(), "window");
  EXPECT_GT(many.ip().streams(0).bits_per_second(), 1.1 * one.ip().streams(0).bits_per_second());
}

// Two hosts send to one whose sockets hold little.
TEST(Ip, EveryDatagramIsReadOrDropped) {
  const std::string flows =
      "stream { source: 0 destination: 3 bytes: \"512KiB\" datagram: \"60000B\" }"
      "stream { source: 1 destination: 3 bytes: \"512KiB\" datagram: \"100B\" }";
  const v1::Report report =
      report_of(with_ip(flows, kTorus + "host { ip { passage: \"2us\" socket_buffer: \"2KiB\" transfers: 8 } }\n"));
  const v1::IpStreamReport& small = report.ip().streams(1);
  EXPECT_EQ(small.sent(), 5243u);
  EXPECT_EQ(small.received() + small.dropped(), small.sent());
  EXPECT_EQ(report.ip().streams(0).received() + report.ip().streams(0).dropped(), 9u);
}

TEST(Ip, RunsOnOtherNetworks) {
  const v1::Report report = report_of(
      with_ip("stream { destination: 2 bytes: \"128KiB\" datagram: \"65507B\" } ping { source: 3 bytes: \"65507B\" }",
              kTorus + "host { profile: \"x86\" ip { mtu: \"1500B\" } }\n"));
  EXPECT_EQ(report.ip().mtu(), 1500);
  EXPECT_EQ(report.ip().streams(0).received(), 3u);
  EXPECT_EQ(report.ip().pings(0).round_trip_seconds().count(), 20u);
}

TEST(Ip, TheReportAsTextHasBothTables) {
  const v1::Report report = report_of(with_ip("stream { bytes: \"64KiB\" } ping { source: 2 destination: 0 }"));
  std::string text;
  ip::add_results(report, text);
  EXPECT_THAT(text, AllOf(HasSubstr("IP, packets of up to 16384 B"), HasSubstr("  0 to 1 "), HasSubstr("Gb/s"),
                          HasSubstr("  2 to 0 "), HasSubstr("20 of 20"), HasSubstr("p99")));
}

TEST(Ip, PartsOfPlacesAddUp) {
  ip::IpSpec spec;
  spec.streams.push_back({.source = 0, .destination = 1, .bytes = 1000, .datagram = 100});
  spec.pings.push_back({.source = 1, .destination = 0, .count = 2});
  const auto make = [&] { return *ip::Workload::create(spec, 2); };
  v1::WorkloadPart source;
  v1::WorkloadPart destination;
  source.mutable_ip()->add_streams()->set_sent(10);
  source.mutable_ip()->add_pings();
  v1::IpStreamPart& read = *destination.mutable_ip()->add_streams();
  read.set_received(9);
  read.set_dropped(1);
  read.set_bytes_received(900);
  read.set_last_fs(Time::from_us(1).fs());
  destination.mutable_ip()->add_pings()->set_sent(2);
  const auto whole = make();
  ASSERT_TRUE(whole->add_part(source).ok());
  ASSERT_TRUE(whole->add_part(destination).ok());
  v1::Report report;
  whole->report_parts(report);
  EXPECT_EQ(report.ip().streams(0).sent(), 10u);
  EXPECT_EQ(report.ip().streams(0).dropped(), 1u);
  EXPECT_DOUBLE_EQ(report.ip().streams(0).bits_per_second(), 7.2e9);
  EXPECT_EQ(report.ip().pings(0).sent(), 2u);
  // What is of another experiment is refused.
  destination.mutable_ip()->add_streams();
  EXPECT_FALSE(make()->add_part(destination).ok());
  EXPECT_FALSE(make()->add_part({}).ok());
}

struct Mistake {
  std::string text;
  std::string message;
};
class IpMistakes : public ::testing::TestWithParam<Mistake> {};

TEST_P(IpMistakes, AreToldWhereTheyAre) {
  const std::string message = mistakes_of(GetParam().text);
  EXPECT_THAT(message, AllOf(HasSubstr("test.textproto:"), HasSubstr(GetParam().message))) << GetParam().text;
}

const std::string kUdp = "stream { }";
INSTANTIATE_TEST_SUITE_P(
    All, IpMistakes,
    ::testing::Values(
        Mistake{with_ip(""), "nobody sends anything"}, Mistake{with_ip("ping { source: -1 }"), "numbered from 0"},
        Mistake{with_ip("stream { source: 1 }"), "from host 1 to itself"},
        Mistake{with_ip("stream { source: 1 } stream { destination: 2147483647 source: 2147483647 }"), "to itself"},
        Mistake{with_ip("stream { bytes: \"0B\" }"), "bytes of 0 B: write 1 B to 1024 GiB"},
        Mistake{with_ip("stream { datagram: \"65508B\" }"), "datagram of 65508 B"},
        Mistake{with_ip("stream { transport: WINDOW datagram: \"16345B\" }"), "datagram of 16345 B"},
        Mistake{with_ip("stream { transport: WINDOW window: \"1MiB\" }"), "window of 1 MiB"},
        Mistake{with_ip("stream { transport: WINDOW window: \"1KiB\" }"), "window of 1 KiB"},
        Mistake{with_ip("stream { window: \"64KiB\" }"), "UDP has no window"},
        Mistake{with_ip("stream { transport: 9 }"), "there is no such transport"},
        Mistake{with_ip("stream { start: \"2s\" }"), "start of 2 s is more than 1 s"},
        Mistake{with_ip("stream { start: \"soon\" }"), "soon"},
        Mistake{with_ip("ping { count: 0 }", kNodes), "count 0"},
        Mistake{with_ip("ping { bytes: \"64KiB\" }"), "bytes of 64 KiB"},
        Mistake{with_ip("ping { interval: \"1h\" }"), "1h"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { mtu: \"64KiB\" } }"), "mtu of 64 KiB: write 68 B to 65535 B"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { mtu: \"67B\" } }"), "mtu of 67 B"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { socket_buffer: \"1B\" } }"), "socket_buffer of 1 B"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { transfers: 1025 } }"), "transfers 1025"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { arrivals: 7 } }"), "write SLEEP or POLL"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { copy_rate: \"0bps\" } }"), "write 1 Mbps to 100 Tbps"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { copy_rate: \"1bps\" } }"), "copy_rate of 1 bps"},
        Mistake{with_ip("stream { transport: WINDOW }", kNodes + "host { ip { socket_buffer: \"2KiB\" } }"),
                "does not fit into a socket of 2 KiB"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { copy_rate: \"fast\" } }"), "fast"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { passage: \"2s\" } }"), "passage of 2 s"},
        Mistake{with_ip(kUdp, kNodes + "host { ip { wake_up: \"1\" } }"), "wake_up"},
        Mistake{with_ip(kUdp, kNodes + "host { send_overhead: \"1us\" }"), "send_overhead is of MPI jobs"},
        Mistake{kNodes + "host { ip { } } workload { traffic { load: 0.1 } }", "ip is the network stack"}));

TEST(Ip, HostsMustExist) {
  const Outcome stream = run_text(with_ip("stream { destination: 4 }"));
  EXPECT_THAT(message_of(stream.status), HasSubstr("a stream from host 0 to host 4: the system has 4 hosts"));
  const Outcome ping = run_text(with_ip("ping { source: 9 }"));
  EXPECT_THAT(message_of(ping.status), HasSubstr("a ping from host 9 to host 1"));
}

}  // namespace
}  // namespace fabrictwin
