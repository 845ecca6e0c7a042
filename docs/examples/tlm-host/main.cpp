// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Two SystemC hosts send packets to each other across a 2x2 torus.
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "models/partition/model_system.h"
#include "models/topology/lattice/torus.h"
#include "packet_host.h"

namespace {

constexpr int kPackets = 200;

}  // namespace

int main() {
  fabrictwin::experiment::Experiment experiment;
  experiment.topology_spec =
      fabrictwin::topology::lattice::TorusSpec{.dims = {2, 2},
                                               .link_rate = fabrictwin::Bandwidth{10'000'000'000},
                                               .link_latency = fabrictwin::Time::from_ns(120),
                                               .tile_rate = fabrictwin::Bandwidth{20'000'000'000},
                                               .tile_latency = fabrictwin::Time::from_ns(50)};
  experiment.router.clock = fabrictwin::Frequency{156'250'000};
  experiment.router.buffer_words = 64;

  // Hosts 0 and 3 are opposite corners. The other two have nothing to do.
  std::vector<PacketHost*> hosts(4);
  const auto make_host =
      [&](const fabrictwin::host::HostSite& site) -> std::unique_ptr<fabrictwin::host::HostInterface> {
    const int32_t node = site.host->node;
    if (node != 0 && node != 3) return nullptr;
    const PacketHost::Program program{3 - node, kPackets, sc_core::sc_time(50, sc_core::SC_NS)};
    auto host = std::make_unique<PacketHost>(("packet_host_" + std::to_string(node)).c_str(), site, program);
    hosts[static_cast<size_t>(node)] = host.get();
    return host;
  };
  const auto system = fabrictwin::partition::ModelSystem::create(experiment, make_host);
  if (!system.ok()) {
    std::fprintf(stderr, "%s\n", std::string(system.status().message()).c_str());
    return 1;
  }
  // Until nothing happens any more.
  while (!(*system)->next_event().is_never()) {
    const absl::Status status = (*system)->run((*system)->next_event() + fabrictwin::Time::from_ns(1));
    if (!status.ok()) {
      std::fprintf(stderr, "%s\n", std::string(status.message()).c_str());
      return 1;
    }
  }
  for (const int32_t node : {0, 3}) {
    const std::vector<PacketHost::Received>& received = hosts[static_cast<size_t>(node)]->received;
    if (received.size() != kPackets) {
      std::fprintf(stderr, "host %d received %zu packets\n", node, received.size());
      return 1;
    }
    double sum = 0;
    for (size_t i = 0; i < received.size(); ++i) {
      if (received[i].number != i || received[i].source != 3 - node) {
        std::fprintf(stderr, "host %d received packet %zu out of order\n", node, i);
        return 1;
      }
      sum += (received[i].time - received[i].sent).to_seconds();
    }
    std::printf("host %d: %zu packets from host %d, latency first %.1f ns, mean %.1f ns\n", node, received.size(),
                3 - node, (received[0].time - received[0].sent).to_seconds() * 1e9, sum / kPackets * 1e9);
  }
  for (int32_t channel = 0; channel < (*system)->graph().channel_count(); ++channel) {
    const uint64_t packets = (*system)->counters(channel).packets.get();
    if (packets > 0)
      std::printf("%s: %llu packets\n", (*system)->graph().channel_name(channel).c_str(),
                  static_cast<unsigned long long>(packets));
  }
  return 0;
}
