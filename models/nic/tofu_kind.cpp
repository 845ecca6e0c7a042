// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Network interfaces that are TOFU in an experiment: docs/models/tofu-ni.md.
#include <algorithm>
#include <any>
#include <string_view>

#include "cosim/experiment/check/message_reader.h"
#include "cosim/experiment/tenants.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/nic/nic_costs.h"
#include "models/nic/tofu_barrier.h"
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

class Tofu final : public experiment::NicCheck {
 public:
  const experiment::NicCapabilities& capabilities() const override {
    static const experiment::NicCapabilities declared{.nic = v1::Host::TOFU,
                                                      .gets = true,
                                                      .memory = true,
                                                      .core_memory = true,
                                                      .reduces = true,
                                                      .most_integers = TofuBarrier::kMaxIntegers,
                                                      .most_reals = TofuBarrier::kMaxReals,
                                                      .topology = v1::Topology::kTofu,
                                                      .packet_bytes = TofuNi::kMaxPacket};
    return declared;
  }
  std::string_view field() const override { return "tofu"; }
  std::any check(const experiment::Experiment& experiment, experiment::FieldChecker& fields) const override {
    const v1::TofuNic& tofu = experiment.message.host().tofu();
    const experiment::MessageReader reader(tofu, "host.tofu", fields);
    const v1::TofuGeneration generation = experiment.message.topology().tofu().generation();
    if (tofu.has_cache_injection() && tofu.cache_injection() && generation == v1::TOFU) {
      reader.complain(
          "cache_injection",
          "cache injection came with TOFU2; leave it out, or write topology { tofu { generation: TOFU2 } }");
    }
    if (tofu.far_cmg() && (generation == v1::TOFU || generation == v1::TOFU2)) {
      reader.complain("far_cmg", fmt::format("{} has no core memory groups, which are of TOFUD; leave far_cmg out",
                                             v1::TofuGeneration_Name(generation)));
    }
    TofuNi::Options options;
    options.direct_descriptor = reader.flag("direct_descriptor");
    options.cache_injection = reader.flag("cache_injection");
    options.far_cmg = tofu.far_cmg();
    return CostFunction(
        [options](const experiment::Experiment& run, Time pipeline) { return costs(options, run, pipeline); });
  }

 private:
  static QueueNic::Costs costs(TofuNi::Options options, const experiment::Experiment& experiment, Time pipeline) {
    constexpr int32_t kShortPut = 8;
    const auto& tofu = experiment.topology_as<topology::lattice::TofuSpec>();
    options.generation = generation_of(tofu.generation);
    options.network = between_neighbours(tofu, pipeline, TofuNi::costs(options).header + kShortPut);
    return TofuNi::costs(options);
  }
};

}  // namespace

const experiment::NicCheck& tofu() {
  static const Tofu kind;
  return kind;
}

}  // namespace fabrictwin::nic
