// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/input_queued_config.h"

#include <fnmatch.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_join.h"
#include "cosim/base/text.h"
#include "cosim/link/packet.h"
#include "fmt/format.h"
#include "models/congestion/queues/classifier.h"
#include "models/fabric/router_fields.h"
#include "models/network/routing_factory.h"
#include "models/router/input_queued/spec.h"
#include "models/routing/routing_algorithm.h"

namespace fabrictwin::network {
namespace {

router::input_queued::RouterSpec router_spec(const router::input_queued::InputQueuedSpec& from) {
  router::input_queued::RouterSpec spec;
  spec.buffer_flits = from.vc_buffer_flits;
  spec.routing_delay = from.pipeline.routing_delay;
  spec.vc_alloc_delay = from.pipeline.vc_alloc_delay;
  spec.switch_alloc_delay = from.pipeline.switch_alloc_delay;
  spec.switch_delay = from.pipeline.switch_delay;
  spec.credit_delay = from.pipeline.credit_delay;
  spec.internal_speedup = from.internal_speedup;
  spec.looks_ahead = from.looks_ahead;
  spec.max_packet_flits = link::kMaxPacketWords;
  spec.switching = from.switching == v1::VIRTUAL_CUT_THROUGH ? router::input_queued::Switching::kVirtualCutThrough
                   : from.switching == v1::WORMHOLE          ? router::input_queued::Switching::kWormhole
                                                             : router::input_queued::Switching::kCreditPerFlit;
  if (from.beside_words) spec.switching = router::input_queued::Switching::kSpaceForPacket;
  spec.arbitration = from.arbitration == v1::AGE     ? router::input_queued::Arbitration::kAge
                     : from.arbitration == v1::FIXED ? router::input_queued::Arbitration::kFixed
                                                     : router::input_queued::Arbitration::kRoundRobin;
  return spec;
}

/// The rate of a flit every n / m cycles.
router::input_queued::LinkRate pace_of(const system::Link& link, const system::SystemGraph& graph) {
  const Clock flit = link.word_clock();
  const Clock& router = graph.router_clock;
  const auto cycles = static_cast<__int128>(flit.numerator()) * router.denominator();
  const auto per = static_cast<__int128>(flit.denominator()) * router.numerator();
  if (cycles <= per) return {};
  __int128 a = cycles;
  __int128 b = per;
  while (b != 0) a = std::exchange(b, a % b);
  return {static_cast<int64_t>(cycles / a), static_cast<int64_t>(per / a)};
}

/// All names of router ports, without duplicates.
std::vector<std::string> port_names(const system::SystemGraph& graph) {
  std::vector<std::string> names;
  for (const system::Element& element : graph.elements) {
    if (element.kind != system::ElementKind::kHost)
      names.insert(names.end(), element.ports.begin(), element.ports.end());
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

absl::Status check_patterns(const router::input_queued::InputQueuedSpec& spec, const system::SystemGraph& graph) {
  if (spec.port_buffers.empty()) return absl::OkStatus();
  const std::vector<std::string> names = port_names(graph);
  for (const router::input_queued::PortBufferSpec& buffer : spec.port_buffers) {
    const auto matches = [&](const std::string& name) { return fnmatch(buffer.ports.c_str(), name.c_str(), 0) == 0; };
    if (std::ranges::any_of(names, matches)) continue;
    constexpr size_t kShown = 12;
    const std::vector<std::string> shown(names.begin(),
                                         names.begin() + static_cast<int64_t>(std::min(names.size(), kShown)));
    return absl::InvalidArgumentError(experiment::format_diagnostic(
        buffer.location, fmt::format("no port of a router of {} is named \"{}\"; ports are named {}{}", graph.topology,
                                     buffer.ports, absl::StrJoin(shown, ", "), names.size() > kShown ? ", ..." : "")));
  }
  return absl::OkStatus();
}

/// The number of flits in the last rule that names the port; 0 if there is none.
int32_t buffer_of(const router::input_queued::InputQueuedSpec& spec, const std::string& port) {
  int32_t flits = 0;
  for (const router::input_queued::PortBufferSpec& buffer : spec.port_buffers) {
    if (fnmatch(buffer.ports.c_str(), port.c_str(), 0) == 0) flits = buffer.flits;
  }
  return flits;
}

/// Flits of the largest packet.
int32_t largest_packet(const experiment::Experiment& experiment) {
  if (!experiment.sends_bare_packets()) {
    return fabric::packet_flits(experiment.capabilities.of(experiment.host.nic), experiment.router.packet_payload);
  }
  link::PacketHeader header;
  header.payload_bytes = static_cast<uint16_t>(experiment.workload_traits.packet_payload.count);
  return header.packet_words();
}

/// A mistake and the field that has it.
struct QueueMistake {
  std::string_view field;
  std::string text;
};

/// What in `queues` does not suit the rest of the experiment.
std::optional<QueueMistake> unsuitable_queues(const experiment::Experiment& experiment,
                                              const routing::RoutingAlgorithm& routing,
                                              const congestion::Classifier& classifier, int64_t flits,
                                              int64_t largest) {
  const std::string_view scheme = v1::Queues::Scheme_Name(classifier.scheme());
  const v1::Switching switching = experiment.router_as<router::input_queued::InputQueuedSpec>().switching;
  const bool set_aside = classifier.scheme() == v1::Queues::FBICM;
  if (set_aside && !routing.deterministic()) {
    return QueueMistake{
        "queues.scheme",
        "FBICM needs all packets for a host to leave a router by one output, and this routing has several for them; "
        "write algorithm: DIMENSION_ORDER, SHORTEST or D_MOD_K, or scheme: VOQNET or DBBM"};
  }
  if (classifier.by_output() && !routing.deterministic() && !routing.chooses()) {
    return QueueMistake{
        "queues.scheme",
        fmt::format("{} needs to know the path of a packet ahead, and this routing chooses it by the load or "
                    "takes detours; write algorithm: DIMENSION_ORDER, SHORTEST, D_MOD_K, ECMP or RANDOM_UP, or scheme: "
                    "VOQNET or DBBM",
                    scheme)};
  }
  if (switching == v1::VIRTUAL_CUT_THROUGH && flits < largest_packet(experiment)) {
    return QueueMistake{
        "queues.flits",
        fmt::format("flits {}: VIRTUAL_CUT_THROUGH needs space for a whole packet in each queue, which has {} flits; "
                    "write at least that, or switching: WORMHOLE",
                    flits, largest_packet(experiment))};
  }
  if (!set_aside) return std::nullopt;
  if (switching == v1::WORMHOLE) {
    return QueueMistake{
        "queues.scheme",
        "FBICM needs buffers with several packets, and with WORMHOLE a buffer has one; write switching: "
        "CREDIT_PER_FLIT or VIRTUAL_CUT_THROUGH"};
  }
  if (experiment.queues.admittance == v1::Queues::AS_ROUTER) {
    return QueueMistake{
        "queues.admittance",
        "with FBICM, hosts keep apart what routers have set aside if they have queues of destinations; write "
        "admittance: PER_DESTINATION or SINGLE"};
  }
  constexpr int64_t kMostFlits = 65535;
  if (largest * classifier.queues() > kMostFlits) {
    return QueueMistake{
        "queues.flits",
        fmt::format("the {} queues of a VC share a buffer, which is {} flits for each of them: {} at most all "
                    "together; write flits: {} or less, or a smaller count",
                    classifier.queues(), largest, kMostFlits, kMostFlits / classifier.queues())};
  }
  return std::nullopt;
}

/// Makes each VC of the network as many as it has queues.
absl::Status add_queues(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                        router::input_queued::Network::Config& config) {
  const auto refuse = [&](std::string_view field, std::string_view message) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(experiment.location_of(field), message));
  };
  router::input_queued::RouterSpec& router = config.router;
  router.queues = experiment.queues;
  if (experiment.queues.admittance != v1::Queues::SINGLE && !experiment.sends_bare_packets()) {
    return refuse(
        "queues.admittance",
        "admittance is for workload { traffic { } } beside routers of the model INPUT_QUEUED, as network interfaces "
        "have queues of their own; leave admittance out, or write router { model: PACKET }");
  }
  if (experiment.queues.scheme == v1::Queues::ONE) return absl::OkStatus();
  auto routing = make_routing_algorithm(experiment, graph, router.vcs);
  if (!routing.ok()) return routing.status();
  if (experiment.queues.flits > 0) router.buffer_flits = experiment.queues.flits;
  router.classifier =
      congestion::Classifier(experiment.queues, config.hosts, router::input_queued::Network::most_ports(config));
  int32_t largest = router.buffer_flits;
  for (const router::input_queued::Link& link : config.links)
    largest = std::max({largest, link.buffer_flits[0], link.buffer_flits[1]});
  const auto wrong = unsuitable_queues(experiment, **routing, router.classifier, router.buffer_flits, largest);
  if (wrong.has_value()) return refuse(wrong->field, wrong->text);
  const int32_t queues = router.classifier.queues();
  // Two VCs of a class would be two queues for each destination.
  if (experiment.queues.scheme == v1::Queues::VOQNET) router.vcs = std::min(router.vcs, (*routing)->classes());
  router.vcs *= std::min(queues, router::input_queued::Network::kMaxQueues + 1);
  if (experiment.queues.scheme == v1::Queues::FBICM) {
    router.buffer_flits *= queues;
    for (router::input_queued::Link& link : config.links) {
      for (int32_t& flits : link.buffer_flits) flits *= queues;
    }
  }
  if (absl::Status status = router::input_queued::Network::check_vcs(config); !status.ok())
    return refuse("queues", message_of(status));
  return absl::OkStatus();
}

/// The network without its routing.
absl::StatusOr<router::input_queued::Network::Config> make_elements(const experiment::Experiment& experiment,
                                                                    const system::SystemGraph& graph) {
  const router::input_queued::InputQueuedSpec& spec = experiment.router_as<router::input_queued::InputQueuedSpec>();
  const auto refuse = [&](const experiment::SourceLocation& location, std::string_view message) {
    return absl::InvalidArgumentError(experiment::format_diagnostic(location, message));
  };
  if (absl::Status status = check_patterns(spec, graph); !status.ok()) return status;
  router::input_queued::Network::Config config;
  config.router = router_spec(spec);
  config.router.vcs = experiment.router.vcs;
  config.hosts = graph.host_count();
  config.routers = graph.router_count();
  for (const system::Link& link : graph.links) {
    router::input_queued::Link made;
    for (int side = 0; side < 2; ++side) {
      made.ends[side] = iq_end(graph, link.ends[side]);
      if (made.ends[side].port >= 0)
        made.buffer_flits[side] =
            spec.beside_words ? link.buffer_words
                              : buffer_of(spec, graph.elements[link.ends[side].element].ports[link.ends[side].port]);
    }
    if (made.ends[0].element < 0 || made.ends[1].element < 0) continue;
    if (made.ends[0].port < 0 && made.ends[1].port < 0) {
      return refuse(experiment.topology_location, "two hosts are linked with each other; write a router between them");
    }
    for (int side = 0; side < 2; ++side) {
      if (made.ends[side].port < 0) made.buffer_flits[side] = made.buffer_flits[1 - side];
    }
    const Time word = spec.beside_words ? link.word_clock().period() : Time::zero();
    int64_t latency = graph.router_clock.edge_at_or_after(link.latency + word);
    // Longer links lead to other depths, as the plan has checked, and nothing arrives by them within the network.
    if (spec.beside_words) latency = std::min<int64_t>(latency, router::input_queued::Link::kMaxLatency);
    if (latency > router::input_queued::Link::kMaxLatency) {
      return refuse(experiment.topology_location,
                    fmt::format("the link between {} and {} takes {}: with routers of the model INPUT_QUEUED it is at "
                                "most {} router cycles, and this is {}; make it shorter or router.clock slower",
                                graph.elements[link.ends[0].element].name, graph.elements[link.ends[1].element].name,
                                to_string(link.latency), router::input_queued::Link::kMaxLatency, latency));
    }
    made.latency = static_cast<int32_t>(latency);
    made.pace = pace_of(link, graph);
    made.slots = spec.beside_words;
    config.links.push_back(made);
  }
  if (absl::Status status = router::input_queued::Network::check_size(config); !status.ok())
    return refuse(experiment.topology_location, message_of(status));
  if (absl::Status status = add_queues(experiment, graph, config); !status.ok()) return status;
  if (absl::Status status = router::input_queued::Network::check_vcs(config); !status.ok())
    return refuse(experiment.vcs_location, message_of(status));
  return config;
}

}  // namespace

router::input_queued::End iq_end(const system::SystemGraph& graph, const system::LinkEnd& end) {
  const int32_t hosts = graph.host_count();
  if (end.element >= hosts) return {end.element - hosts, end.port};
  return {end.port == 0 ? end.element : -1, -1};
}

absl::Status check_iq_network(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  return make_elements(experiment, graph).status();
}

absl::StatusOr<router::input_queued::Network::Config> make_iq_network_config(
    const experiment::Experiment& experiment, const system::SystemGraph& graph, int32_t min_packet_flits,
    std::shared_ptr<const routing::RoutingAlgorithm> routing) {
  absl::StatusOr<router::input_queued::Network::Config> config = make_elements(experiment, graph);
  if (!config.ok()) return config;
  config->router.min_packet_flits = min_packet_flits;
  config->routing = std::move(routing);
  if (config->routing != nullptr) return config;
  auto made = make_routing_algorithm(experiment, graph, config->router.vcs / config->router.classifier.queues());
  if (!made.ok()) return made.status();
  config->routing = *std::move(made);
  return config;
}

double iq_flits_per_cycle(const system::SystemGraph& graph) {
  const Clock flit = Clock::of_words(graph.link_rate, link::kWordBits);
  const auto cycles = static_cast<__int128>(flit.numerator()) * graph.router_clock.denominator();
  const auto per = static_cast<__int128>(flit.denominator()) * graph.router_clock.numerator();
  return cycles <= per ? 1.0 : static_cast<double>(per) / static_cast<double>(cycles);
}

}  // namespace fabrictwin::network
