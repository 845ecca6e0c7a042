// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Hosts with network interfaces of descriptors in a packet network, from text to report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/models/router/packet/packet_run.h"

namespace fabrictwin {
namespace {

using ::testing::HasSubstr;

using Sets = std::vector<std::string>;

/// Neighbours of host 0: 1, 3, 9 in the rings, 27 and 162 in the pairs, 54 and 108 in the ring of three.
constexpr const char* kPut =
    "topology { tofu { x: 3 y: 3 z: 3 } }\nrouter { model: PACKET vcs: 4 }\nhost { nic: TOFU }\n"
    "workload { puts { sizes: \"8B\" } }\nseed: 1\n";
constexpr const char* kTofuHpcg =
    "topology { tofu { x: 1 y: 1 z: 1 } }\nrouter { model: PACKET }\n"
    "workload { mpi_trace { path: \"workloads/experiments/data/hpcg-8.fttrace\" compute_scale: 0 } }\nseed: 1\n";
constexpr const char* kNicExchange =
    "topology { torus { dims: [4, 3, 2] } }\nrouter { model: PACKET }\n"
    "workload { exchange { bytes: \"10000B\" iterations: 2 } }\nseed: 1\n";

v1::PutsResult result_of(const Sets& sets) {
  const v1::Report report = report_of(kPut, sets);
  EXPECT_TRUE(report.complete());
  EXPECT_EQ(report.puts().results_size(), 1);
  return report.puts().results_size() == 1 ? report.puts().results(0) : v1::PutsResult();
}

// The network of the run is a part of what was published, whatever its rates and latencies.
TEST(NicRun, AShortPutToANeighbourTakesThePublishedTime) {
  struct Row {
    Sets sets;
    double seconds;
  };
  const std::string generation = "topology.tofu.generation=";
  for (const Row& row :
       {Row{{}, 0.49e-6}, Row{{"host.tofu.far_cmg=true"}, 0.54e-6},
        Row{{"topology.tofu.link_latency=80ns", "router.routing_delay=3"}, 0.49e-6},
        Row{{generation + "tofu"}, 0.91e-6}, Row{{generation + "tofu", "host.tofu.direct_descriptor=false"}, 1.15e-6},
        Row{{generation + "tofu2"}, 0.71e-6},
        Row{{generation + "tofu2", "host.tofu.cache_injection=false"}, 0.87e-6}}) {
    const v1::PutsResult result = result_of(row.sets);
    EXPECT_NEAR(result.mean_latency_seconds(), row.seconds, 2e-15) << ::testing::PrintToString(row.sets);
    EXPECT_EQ(result.count(), 1u);
  }
}

TEST(NicRun, TnisCarryTrafficInParallel) {
  const std::string size = "workload.puts.sizes=1MiB";
  const double one = result_of({size}).bytes_per_second();
  // To a neighbour in each dimension there are six links.
  const double six = result_of({size, "workload.puts.destinations=1x3x9x27x54x162"}).bytes_per_second();
  EXPECT_NEAR(six / one, 6, 0.01);
  // Twelve streams share six TNIs, and six streams to one neighbour share one link.
  const double twelve =
      result_of({size, "workload.puts.destinations=1x3x9x27x54x162x1x3x9x27x54x162"}).bytes_per_second();
  EXPECT_NEAR(twelve / one, 6, 0.06);
  EXPECT_NEAR(result_of({size, "workload.puts.destinations=1x1x1x1x1x1"}).bytes_per_second() / one, 1, 0.01);
  const v1::Report report = report_of(kPut, {size, "workload.puts.destinations=1x3x9x27x54x162"});
  int32_t used = 0;
  for (const v1::LinkReport& link : report.links()) {
    if (link.name().starts_with("host[0].tni") && link.bytes() > 1'000'000) ++used;
  }
  EXPECT_EQ(used, 6);
}

// Published: 93 % of 6.8 GB/s; 38.1 GB/s of six.
TEST(NicRun, PredictsThroughputAndInjection) {
  const Sets pipelined{"workload.puts.sizes=1MiB", "workload.puts.count=4", "workload.puts.window=2"};
  EXPECT_NEAR(result_of(pipelined).bytes_per_second() / 6.8e9, 0.93, 0.02);
  Sets all = pipelined;
  all.emplace_back("workload.puts.destinations=1x3x9x27x54x162");
  EXPECT_NEAR(result_of(all).bytes_per_second(), 38.1e9, 0.02 * 38.1e9);
}

TEST(NicRun, AGetBringsTheDataThatAPutTakesAway) {
  const v1::PutsResult put = result_of({});
  const v1::PutsResult get = result_of({"workload.puts.operation=get"});
  EXPECT_GT(get.mean_latency_seconds(), put.mean_latency_seconds());
  EXPECT_LT(get.mean_latency_seconds(), 2 * put.mean_latency_seconds())
      << "the request is shorter, and nobody posts it";
  const Sets large{"workload.puts.operation=get", "workload.puts.sizes=1MiB", "workload.puts.count=5",
                   "workload.puts.destinations=1x3", "workload.puts.window=3"};
  const v1::PutsResult gets = result_of(large);
  EXPECT_EQ(gets.count(), 10u);
  EXPECT_NEAR(gets.bytes_per_second() / 2 / 6.8e9, 0.93, 0.02);
  const v1::Report report = report_of(kPut, large);
  EXPECT_EQ(report.bytes_delivered(), 10u << 20) << "no more than the data";
  EXPECT_NE(report.payload_digest(), report_of(kPut, {"workload.puts.operation=get"}).payload_digest());
}

TEST(NicRun, SizesAreMeasuredOneAfterTheOther) {
  const std::string text =
      "topology { torus { dims: 3 } }\nrouter { model: PACKET }\nhost { nic: RDMA }\n"
      "workload { puts { source: 2 destinations: [0, 1] sizes: [\"8B\", \"1B\", \"100kB\"] count: 3 } }\n";
  const v1::Report report = report_of(text, {});
  ASSERT_EQ(report.puts().results_size(), 3);
  EXPECT_EQ(report.puts().operation(), "put");
  EXPECT_EQ(report.puts().source(), 2);
  EXPECT_EQ(report.puts().streams(), 2);
  for (const v1::PutsResult& result : report.puts().results()) {
    EXPECT_EQ(result.count(), 6u);
    EXPECT_LE(result.min_latency_seconds(), result.mean_latency_seconds());
    EXPECT_LE(result.mean_latency_seconds(), result.max_latency_seconds());
  }
  EXPECT_EQ(report.puts().results(2).bytes(), 100'000u);
  EXPECT_EQ(report_of(text, {"host.nic=plain"}).payload_digest(), report.payload_digest());
  EXPECT_EQ(report_of(text, {"seed=9"}).payload_digest(), report.payload_digest());
}

// Whatever carries messages: the same ones arrive.
TEST(NicRun, NetworkInterfacesDeliverWhatPlainOnesDo) {
  const v1::Report plain = report_of(kTofuHpcg, {});
  const v1::Report tofu = report_of(kTofuHpcg, {"host.nic=tofu"});
  const v1::Report rdma = report_of(kTofuHpcg, {"host.nic=rdma"});
  EXPECT_TRUE(tofu.complete());
  EXPECT_EQ(tofu.payload_digest(), plain.payload_digest());
  EXPECT_EQ(rdma.payload_digest(), plain.payload_digest());
  EXPECT_EQ(tofu.bytes_delivered(), plain.bytes_delivered()) << "envelopes and bodies";
  EXPECT_EQ(rdma.bytes_delivered(), plain.bytes_delivered());
  EXPECT_GT(tofu.simulated_fs(), plain.simulated_fs()) << "a network interface takes time";
  EXPECT_GT(rdma.simulated_fs(), tofu.simulated_fs()) << "and one behind PCI Express more";
  EXPECT_EQ(report_of(kNicExchange, {"host.nic=rdma", "router.packet_payload=512B"}).payload_digest(),
            report_of(kNicExchange, {}).payload_digest());
}

// Acks are packets without bytes, one for each message.
TEST(NicRun, RdmaAcknowledgesEachMessage) {
  const v1::Report report = report_of(kNicExchange, {"host.nic=rdma"});
  uint64_t messages = 0;
  for (const v1::Rank& rank : report.ranks()) messages += rank.messages_sent();
  // 10000 bytes and the envelope are three packets of 4 KiB; a message of the allreduce is one.
  const uint64_t neighbours = 2u * 24 * 5;
  const uint64_t all = messages + 2 * neighbours + messages;
  EXPECT_LE(report.packets_delivered(), all);
  EXPECT_GE(report.packets_delivered(), all - 24) << "the last acks may be on their way when the last rank has ended";
}

TEST(NicRun, AHostMayReachItself) {
  const std::string text =
      "topology { torus { dims: [3, 3] } }\nrouter { model: PACKET }\n"
      "workload { traffic { load: 0.5 include_self: true duration: \"20us\" } }\nseed: 2\n";
  const v1::Report rdma = report_of(text, {"host.nic=rdma"});
  EXPECT_TRUE(rdma.complete());
  EXPECT_EQ(rdma.payload_digest(), report_of(text, {}).payload_digest());
}

/// Without other traffic: two hosts beside each other.
constexpr const char* kRdmaPut =
    "topology { torus { dims: 3 } }\nrouter { model: PACKET }\nhost { nic: RDMA }\n"
    "workload { puts { destinations: 1 sizes: \"4000B\" } }\n";

double seconds_of(const std::string& text, const Sets& sets) {
  const v1::Report report = report_of(text, sets);
  return report.puts().results_size() == 1 ? report.puts().results(0).mean_latency_seconds() : -1;
}

/// What memory adds to one Put.
double memory_adds(const std::string& text, Sets sets) {
  const double without = seconds_of(text, sets);
  sets.insert(sets.end(), {"host.memory.bandwidth=16GB/s", "host.memory.latency=30ns"});
  return seconds_of(text, sets) - without;
}

// A packet is read before it leaves and written before it counts, each in its bytes at 16 GB/s and 30 ns.
TEST(NicRun, PayloadGoesThroughTheMemoryOfBothHosts) {
  EXPECT_NEAR(memory_adds(kRdmaPut, {}), 2 * (250e-9 + 30e-9), 2e-15);
  EXPECT_NEAR(memory_adds(kRdmaPut, {"workload.puts.sizes=160B"}), 10e-9 + 30e-9, 2e-15) << "it came inlined";
  EXPECT_NEAR(memory_adds(kRdmaPut, {"workload.puts.operation=get"}), 2 * (250e-9 + 30e-9), 2e-15);
  const Sets put{"workload.puts.sizes=1600B"};
  EXPECT_NEAR(memory_adds(kPut, put), 100e-9 + 30e-9, 2e-15) << "the cache takes what arrives";
  EXPECT_NEAR(memory_adds(kPut, {put[0], "host.tofu.cache_injection=false"}), 2 * (100e-9 + 30e-9), 2e-15);
  EXPECT_NEAR(memory_adds(kPut, {put[0], "topology.tofu.generation=tofu"}), 2 * (100e-9 + 30e-9), 2e-15);
}

TEST(NicRun, TnisShareTheMemoryOfTheirHost) {
  const std::string size = "workload.puts.sizes=1MiB";
  const std::string memory = "host.memory.bandwidth=20GB/s";
  const std::string many = "host.memory.outstanding=32";
  // 40.8 GB/s of links.
  EXPECT_NEAR(result_of({size, memory, many, "workload.puts.destinations=1x3x9x27x54x162"}).bytes_per_second() / 20e9,
              1, 0.01);
  const double one = result_of({size}).bytes_per_second();
  EXPECT_NEAR(result_of({size, memory, many}).bytes_per_second() / one, 1, 0.01) << "memory has more than one needs";
}

// In a ring of three each host sends to both others and takes as much: reads and writes share the channel.
TEST(NicRun, SendsAndReceivesShareTheMemory) {
  const std::string text =
      "topology { torus { dims: 3 link_rate: \"400Gbps\" tile_rate: \"400Gbps\" } }\nrouter { model: PACKET clock: "
      "\"3.125GHz\" }\nhost { nic: RDMA memory { bandwidth: \"4GB/s\" outstanding: 64 } }\n"
      "workload { exchange { bytes: \"2MB\" iterations: 1 } }\n";
  const v1::Report report = report_of(text, {});
  EXPECT_TRUE(report.complete());
  EXPECT_NEAR(static_cast<double>(report.simulated_fs()) * 1e-15, 4 * 2e6 / 4e9, 0.02 * 4 * 2e6 / 4e9);
}

// Memory has events of its own; the stretches in which a run is advanced mean nothing to them.
TEST(NicRun, MemoryDoesNotDependOnHowARunAdvances) {
  const Sets sets{"host.nic=rdma", "host.memory.bandwidth=3GB/s", "host.memory.latency=70ns"};
  const v1::Report whole = report_of(kNicExchange, sets);
  const auto stepped = run_models(kNicExchange, sets, Time::from_ns(77));
  ASSERT_TRUE(stepped.ok()) << stepped.status();
  EXPECT_EQ(stepped->timing_digest(), whole.timing_digest());
  const v1::Report free = report_of(kNicExchange, {sets[0]});
  EXPECT_EQ(whole.payload_digest(), free.payload_digest());
  EXPECT_GT(whole.simulated_fs(), free.simulated_fs());
}

TEST(NicRun, RefusesWhatItIsNot) {
  EXPECT_THAT(error_of(kNicExchange, {"host.memory.bandwidth=3GB/s"}), HasSubstr("and with nic: TOFU or RDMA"));
  EXPECT_THAT(error_of(kRdmaPut, {"host.memory.bandwidth=3GB/s", "host.memory.page_fault_time=1us"}),
              HasSubstr("reach registered memory only, whose pages are there; leave it out"));
  EXPECT_THAT(error_of(kNicExchange, {"host.nic=tofu"}), HasSubstr("write that topology, or nic: RDMA"));
  EXPECT_THAT(error_of(kPut, {"router.packet_payload=1KiB"}), HasSubstr("TOFU have packets of their own"));
  EXPECT_THAT(error_of(kNicExchange, {"host.nic=rdma", "router.packet_payload=300B"}), HasSubstr("write 256B, 512B"));
  EXPECT_THAT(error_of(kPut, {"router.vc_buffer_flits=127"}), HasSubstr("the largest has 128 flits"));
  EXPECT_THAT(error_of(kPut, {"topology.tofu.generation=tofu2", "host.tofu.far_cmg=true"}),
              HasSubstr("--set:1:19: error: TOFU2 has no core memory groups"));
  EXPECT_THAT(error_of(kPut, {"topology.tofu.generation=tofu", "host.tofu.cache_injection=true"}),
              HasSubstr("cache injection came with TOFU2"));
  EXPECT_THAT(error_of(kPut, {"host.nic=plain", "host.tofu.far_cmg=true"}),
              HasSubstr("tofu is for network interfaces of TOFU"));
  EXPECT_THAT(error_of(kPut, {"host.nic=plain", "workload.puts.operation=get"}),
              HasSubstr("network interfaces that are PLAIN cannot read from others"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.source=-1"}), HasSubstr("hosts are numbered from 0"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.source=324"}), HasSubstr("source 324: the system has 324 hosts"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.destinations=1x324"}), HasSubstr("destination 324: the system has 324"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.destinations=1x0"}), HasSubstr("a host that is not the source, 0"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.count=0"}), HasSubstr("count 0: write 1 to 1000000"));
  EXPECT_THAT(error_of(kPut, {"workload.puts.window=1025"}), HasSubstr("window 1025: write 1 to 1024"));
  EXPECT_THAT(
      error_of("topology { torus { dims: 2 } } router { model: PACKET }\nworkload { puts { sizes: \"0B\" } }", {}),
      HasSubstr("test.textproto:2:26: error: a Put of 0 B: write 1B to 1 GiB"));
}

}  // namespace
}  // namespace fabrictwin
