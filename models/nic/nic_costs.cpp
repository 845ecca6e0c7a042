// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nic/nic_costs.h"

#include <algorithm>

#include "cosim/link/record.h"
#include "models/nic/rdma_nic.h"
#include "models/nic/tofu_ni.h"
#include "models/topology/lattice/tofu.h"

namespace fabrictwin::nic {
namespace {

Time duration(Bandwidth rate, int32_t bytes) {
  const auto femtobits = static_cast<__int128>(bytes) * 8 * 1'000'000'000'000'000;
  return Time::from_fs(static_cast<int64_t>((femtobits + rate.bits_per_second - 1) / rate.bits_per_second));
}

// Latency of a single packet from a host to that of a neighbour: docs/models/packet-network.md. EXANET routers have it
// but for waits for edges of their clock.
Time between_neighbours(const topology::lattice::TofuSpec& tofu, Time pipeline, int32_t bytes) {
  const int32_t word = std::min(bytes, link::kWordBytes);
  // Latency through a router; a faster output link must not run out of data.
  const auto hop = [&](const experiment::LinkSpec& in, const experiment::LinkSpec& out) {
    const Time first = duration(in.rate, word);
    const Time whole = duration(in.rate, bytes) + duration(out.rate, word);
    const Time late = std::max(whole, duration(out.rate, bytes)) - duration(out.rate, bytes);
    return in.latency + pipeline + std::max(first, late);
  };
  return hop(tofu.host, tofu.link) + hop(tofu.link, tofu.host) + duration(tofu.host.rate, bytes) + tofu.host.latency;
}

TofuNi::Generation generation_of(v1::TofuGeneration generation) {
  switch (generation) {
    case v1::TOFU:
      return TofuNi::Generation::kTofu;
    case v1::TOFU2:
      return TofuNi::Generation::kTofu2;
    default:
      return TofuNi::Generation::kTofuD;
  }
}

}  // namespace

QueueNic::Costs nic_costs(const experiment::Experiment& experiment, Time pipeline) {
  if (experiment.host.nic == v1::Host::RDMA) {
    RdmaNic::Timing timing;
    timing.mtu = static_cast<int32_t>(experiment.router.packet_payload.count);
    return RdmaNic::costs(timing);
  }
  const auto& tofu = experiment.topology_as<topology::lattice::TofuSpec>();
  TofuNi::Options options;
  options.generation = generation_of(tofu.generation);
  constexpr int32_t kShortPut = 8;
  const int32_t bytes = TofuNi::costs(options).header + kShortPut;
  options.direct_descriptor = experiment.host.tofu_nic.direct_descriptor;
  options.cache_injection = experiment.host.tofu_nic.cache_injection;
  options.far_cmg = experiment.host.tofu_nic.far_cmg;
  options.network = between_neighbours(tofu, pipeline, bytes);
  return TofuNi::costs(options);
}

}  // namespace fabrictwin::nic
