// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Whole runs with a card, RTL and model: what arrives, the law, times of the model beside those of the RTL.
#include "cosim/run/run.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stop_token>
#include <string>

#include "cosim/experiment/experiment.h"
#include "cosim/experiment/tenants.h"
#include "fmt/format.h"
#include "models/host/workload_kind.h"
#include "models/nanet/partition.h"
#include "models/topology/topology.h"
#include "rtl/partition.h"

namespace fabrictwin::topology::nanet {
const Topology& nanet();
}  // namespace fabrictwin::topology::nanet
namespace fabrictwin::datagrams {
const host::WorkloadKind& datagrams();
}  // namespace fabrictwin::datagrams
namespace fabrictwin::router::exanet {
const experiment::RouterCheck& kind();
}  // namespace fabrictwin::router::exanet
namespace fabrictwin::nic::plain {
const experiment::NicCheck& kind();
}  // namespace fabrictwin::nic::plain

namespace fabrictwin::nanet {
namespace {

/// A program that knows cards and nothing else.
run::Registry registry() {
  run::Registry parts;
  parts.tenants.routers = {&router::exanet::kind()};
  parts.tenants.nics = {&nic::plain::kind()};
  parts.tenants.capabilities.routers = {&router::exanet::kind().capabilities()};
  parts.tenants.capabilities.nics = {&nic::plain::kind().capabilities()};
  parts.tenants.topologies = {&topology::nanet::nanet()};
  parts.tenants.workloads = {&datagrams::datagrams()};
  parts.topology = [](const experiment::Experiment& experiment) { return topology::nanet::nanet().build(experiment); };
  parts.model = [](const run::PartitionContext& context) {
    return Partition::create(context, [](const experiment::Experiment& experiment, const system::SystemGraph& graph) {
      return datagrams::datagrams().make(experiment, graph);
    });
  };
  parts.rtl = rtl::make_rtl_partition;
  return parts;
}

v1::Report report_of(const std::string& datagrams, const std::string& implementation, const std::string& card,
                     int threads = 1, int seed = 1) {
  const std::string text = fmt::format(
      "topology {{ nanet {{ {} }} }} use {{ select: \"nanet\" implementation: {} }} workload {{ "
      "datagrams {{ {} }} }} seed: {}",
      card, implementation, datagrams, seed);
  const run::Registry parts = registry();
  auto experiment = experiment::parse_experiment(text, "test.textproto", parts.tenants);
  EXPECT_TRUE(experiment.ok()) << experiment.status();
  if (!experiment.ok()) return {};
  run::RunOptions options;
  options.threads = threads;
  auto run = run::Run::create(*std::move(experiment), parts, nullptr, options);
  EXPECT_TRUE(run.ok()) << run.status();
  if (!run.ok()) return {};
  const absl::Status status = (*run)->execute(std::stop_token());
  EXPECT_TRUE(status.ok()) << status;
  EXPECT_TRUE((*run)->report().complete());
  return (*run)->report();
}

v1::Report report_of(const std::string& datagrams, const std::string& implementation, int ports = 1, int threads = 1,
                     int seed = 1) {
  return report_of(datagrams, implementation, fmt::format("ports: {}", ports), threads, seed);
}

uint64_t result_of(const v1::NanetPortReport& port, const std::string& name) {
  const auto found = std::ranges::find(port.results(), name, &v1::NanetResult::name);
  return found == port.results().end() ? 0 : found->count();
}

const std::string kFourStreams =
    "stream { port: 0 rate: \"5Gbps\" count: 40 } stream { port: 1 rate: \"5Gbps\" count: 40 memory: GPU } "
    "stream { port: 2 rate: \"2Gbps\" bytes: \"256B\" count: 50 buffer: \"4KiB\" } "
    "stream { port: 3 rate: \"1Gbps\" bytes: \"510B\" count: 20 buffer: \"2KiB\" memory: GPU widen: true } "
    "timeout: \"5us\"";

/// Out of both memories, while another stream comes in.
const std::string kBothWays =
    "stream { port: 0 direction: SEND rate: \"5Gbps\" count: 40 } "
    "stream { port: 1 direction: SEND rate: \"1Gbps\" bytes: \"100B\" count: 30 memory: GPU } "
    "stream { port: 0 rate: \"2Gbps\" count: 30 } timeout: \"5us\"";

TEST(NanetRun, EverythingArrivesAsItWasSentInRtlAndModel) {
  const v1::Report rtl = report_of(kFourStreams, "RTL", 4);
  const v1::Report model = report_of(kFourStreams, "MODEL", 4);
  for (const v1::Report& report : {rtl, model}) {
    ASSERT_EQ(report.nanet().streams_size(), 4);
    for (const v1::NanetStreamReport& stream : report.nanet().streams()) {
      EXPECT_EQ(stream.datagrams_sent(), stream.datagrams_received()) << stream.DebugString();
      EXPECT_EQ(stream.damaged(), 0u);
      EXPECT_GT(stream.min_latency_seconds(), 0.0);
    }
    for (const v1::NanetPortReport& port : report.nanet().ports())
      EXPECT_EQ(result_of(port, "udp"), port.frames_sent()) << port.DebugString();
    EXPECT_EQ(report.packets_delivered(), 150u);
  }
  EXPECT_EQ(rtl.payload_digest(), model.payload_digest());
}

TEST(NanetRun, WhatTheComputerSendsArrivesFromRtlAndModel) {
  const v1::Report rtl = report_of(kBothWays, "RTL", 2);
  const v1::Report model = report_of(kBothWays, "MODEL", 2);
  for (const v1::Report& report : {rtl, model}) {
    ASSERT_EQ(report.nanet().streams_size(), 3);
    for (const v1::NanetStreamReport& stream : report.nanet().streams()) {
      EXPECT_EQ(stream.datagrams_sent(), stream.datagrams_received()) << stream.DebugString();
      EXPECT_EQ(stream.damaged(), 0u);
      EXPECT_GT(stream.min_latency_seconds(), 0.0);
    }
    EXPECT_EQ(report.nanet().streams(0).direction(), "SEND");
    EXPECT_EQ(report.nanet().streams(0).bytes_received(), 40u * 1024);
    EXPECT_EQ(report.nanet().streams(2).direction(), "RECEIVE");
    // The card asks once at each line who is there.
    const int64_t sent[] = {40, 30};
    for (int port = 0; port < 2; ++port) {
      const v1::NanetPortReport& result = report.nanet().ports(port);
      EXPECT_EQ(static_cast<int64_t>(result_of(result, "sent")), sent[port]) << result.DebugString();
      EXPECT_EQ(static_cast<int64_t>(result.frames_received()), sent[port] + 1);
      EXPECT_EQ(result_of(result, "arp"), 1u);
    }
    EXPECT_EQ(report.packets_delivered(), 100u);
  }
  EXPECT_EQ(rtl.payload_digest(), model.payload_digest());
  EXPECT_EQ(rtl.nanet().tlb_misses(), model.nanet().tlb_misses());
}

TEST(NanetRun, ThreadsDoNotShow) {
  for (const std::string implementation : {"RTL", "MODEL"}) {
    for (const std::string& streams : {kFourStreams, kBothWays}) {
      const v1::Report one = report_of(streams, implementation, 4, 1);
      const v1::Report two = report_of(streams, implementation, 4, 2);
      EXPECT_EQ(one.timing_digest(), two.timing_digest());
      EXPECT_EQ(one.payload_digest(), two.payload_digest());
    }
  }
  EXPECT_NE(report_of(kFourStreams, "MODEL", 4, 1, 2).payload_digest(),
            report_of(kFourStreams, "MODEL", 4, 1, 1).payload_digest());
}

// Within 6 % or 15 ns where one port is not in the way of another.
TEST(NanetRun, ModelTakesAboutAsLongAsRtl) {
  for (const std::string bytes : {"16B", "64B", "256B", "1000B", "1472B"}) {
    for (const std::string memory : {"CPU", "GPU"}) {
      const std::string stream = fmt::format(
          "stream {{ rate: \"1Gbps\" count: 20 buffer: \"2KiB\" bytes: \"{}\" memory: {} }} timeout: \"500ns\"", bytes,
          memory);
      const v1::NanetStreamReport rtl = report_of(stream, "RTL").nanet().streams(0);
      const v1::NanetStreamReport model = report_of(stream, "MODEL").nanet().streams(0);
      const auto near = [&](double is, double should, const char* figure) {
        EXPECT_NEAR(is * 1e9, should * 1e9, std::max(0.06 * should * 1e9, 15.0)) << figure << " of " << bytes;
      };
      near(model.min_data_latency_seconds(), rtl.min_data_latency_seconds(), "data");
      near(model.min_latency_seconds(), rtl.min_latency_seconds(), "event");
      EXPECT_EQ(model.buffers(), rtl.buffers()) << bytes;
    }
  }
}

// Also the first datagram, which waits for its page of the TLB and for an answer of ARP.
TEST(NanetRun, ModelSendsAboutAsFastAsRtl) {
  for (const std::string bytes : {"16B", "65B", "256B", "1000B", "1472B"}) {
    for (const std::string memory : {"CPU", "GPU"}) {
      const std::string stream =
          fmt::format("stream {{ direction: SEND rate: \"1Gbps\" count: 20 bytes: \"{}\" memory: {} }}", bytes, memory);
      const v1::NanetStreamReport rtl = report_of(stream, "RTL").nanet().streams(0);
      const v1::NanetStreamReport model = report_of(stream, "MODEL").nanet().streams(0);
      const auto near = [&](double is, double should, const char* figure) {
        EXPECT_NEAR(is * 1e9, should * 1e9, std::max(0.06 * should * 1e9, 15.0)) << figure << " of " << bytes;
      };
      EXPECT_EQ(rtl.datagrams_received(), 20u);
      near(model.min_latency_seconds(), rtl.min_latency_seconds(), "least");
      near(model.mean_latency_seconds(), rtl.mean_latency_seconds(), "mean");
      near(model.max_latency_seconds(), rtl.max_latency_seconds(), "most");
    }
  }
}

// Addresses that take longer to find than the card waits by itself, and memories that are slower than any line.
TEST(NanetRun, SlowLinesAndMemoriesAreWaitedFor) {
  for (const std::string implementation : {"RTL", "MODEL"}) {
    const v1::NanetReport nanet = report_of("stream { direction: SEND rate: \"40Mbps\" count: 5 }", implementation,
                                            "ports: 1 line_latency: \"600us\" cpu_read_rate: \"100Mbps\"")
                                      .nanet();
    EXPECT_EQ(nanet.streams(0).datagrams_received(), 5u) << implementation;
    EXPECT_EQ(nanet.streams(0).damaged(), 0u) << implementation;
    EXPECT_EQ(result_of(nanet.ports(0), "unresolved"), 0u) << implementation;
  }
}

// The first datagram waits for its page of the TLB, in both of them.
TEST(NanetRun, AMissOfTheTlbTakesAsLongAsTheDriver) {
  const std::string stream = "stream { rate: \"1Gbps\" count: 20 bytes: \"64B\" } timeout: \"500ns\"";
  const v1::NanetReport rtl = report_of(stream, "RTL").nanet();
  const v1::NanetReport model = report_of(stream, "MODEL").nanet();
  EXPECT_EQ(rtl.tlb_misses(), 1u);
  EXPECT_EQ(model.tlb_misses(), 1u);
  const double should = rtl.streams(0).max_latency_seconds();
  EXPECT_GT(should, 1e-6);
  EXPECT_NEAR(model.streams(0).max_latency_seconds(), should, 0.1 * should);
}

TEST(NanetRun, DatagramsThatHaveNoBufferAreCounted) {
  const std::string stream =
      "stream { rate: \"10Gbps\" count: 200 bytes: \"512B\" buffer: \"512B\" buffers: 2 } timeout: \"5us\"";
  for (const std::string implementation : {"RTL", "MODEL"}) {
    const v1::NanetReport nanet = report_of(stream, implementation).nanet();
    const uint64_t lost = result_of(nanet.ports(0), "no_buffer") + result_of(nanet.ports(0), "overflow");
    EXPECT_GT(lost, 0u) << implementation;
    EXPECT_EQ(nanet.streams(0).datagrams_received() + lost, 200u) << implementation;
    EXPECT_EQ(nanet.streams(0).damaged(), 0u) << implementation;
  }
}

}  // namespace
}  // namespace fabrictwin::nanet
