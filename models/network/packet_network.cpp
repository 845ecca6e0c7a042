// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/network/packet_network.h"

#include <algorithm>
#include <bit>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/experiment/location_map.h"
#include "cosim/link/record.h"
#include "fmt/format.h"
#include "models/congestion/queues/classifier.h"
#include "models/congestion/tenants.h"
#include "models/fabric/nic_hosts.h"
#include "models/fabric/plain_hosts.h"
#include "models/fabric/router_fields.h"
#include "models/nic/nic_costs.h"
#include "models/nic/plain_packet.h"
#include "models/router/packet/buffer/shared_buffer.h"
#include "models/router/packet/packet_train.h"
#include "models/router/packet/spec.h"
#include "models/router/packet/tables.h"

namespace fabrictwin::network {
namespace {

using router::packet::buffer::SharedBuffer;

bool plain(const experiment::Experiment& experiment) { return !experiment.host.nic_spec.has_value(); }

/// The last of `paths` that is written, or else that of the message around the first one.
const experiment::SourceLocation& last_written(const experiment::Experiment& experiment,
                                               std::initializer_list<std::string> paths) {
  const std::string* last = paths.begin();
  for (const std::string& path : paths) {
    if (experiment.locations.contains(path)) last = &path;
  }
  return experiment.location_of(*last);
}

/// The checks of one network. The order of its members is that of the checks.
class PacketNetworkCheck {
 public:
  PacketNetworkCheck(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                     const routing::RoutingAlgorithm& routing)
      : experiment_(experiment),
        graph_(graph),
        routing_(routing),
        scheme_(congestion::scheme_of(experiment)),
        pause_(experiment.router_as<router::packet::PacketSpec>().pause),
        largest_(packet_sizes(experiment, graph).largest),
        diagnostics_(experiment.file) {}

  absl::Status check() {
    check_ports();
    check_buffers();
    check_queues();
    if (pause_.has_value()) check_memories();
    if (scheme_ != nullptr) {
      check_least_rate();
      check_least_window();
      if (scheme_->needs_one_path()) check_paths();
    }
    return diagnostics_.status();
  }

 private:
  void complain(std::string_view path, std::string_view message) {
    diagnostics_.add(experiment_.location_of(path), message);
  }
  std::string of_scheme(std::string_view field) const {
    return fmt::format("congestion.{}.{}", scheme_->name(), field);
  }

  void check_ports() {
    for (const system::Element& element : graph_.elements) {
      if (element.ports.size() <= router::packet::Tables::kMaxPorts) continue;
      diagnostics_.add(experiment_.topology_location,
                       fmt::format("{} has {} ports, and routers of the model PACKET have at most {}; write a topology "
                                   "with fewer ports on each",
                                   element.name, element.ports.size(), router::packet::Tables::kMaxPorts));
      return;
    }
  }

  /// Headers of a transport and what packets carry for a scheme come on top of what the check of routers knows.
  void check_buffers() {
    if (pause_.has_value()) return;  // Packets are stored in the memory of the switch.
    for (const system::Link& link : graph_.links) {
      if (link.buffer_words * link::kWordBytes >= largest_) continue;
      const std::string telemetry = scheme_ == nullptr ? "transport.header" : of_scheme("telemetry");
      diagnostics_.add(
          last_written(experiment_, {"router.packet_payload", telemetry, "transport.header", "router.vc_buffer_flits"}),
          fmt::format("the buffer of a VC has {} flits, and a packet with all of its headers has up to {} bytes, which "
                      "are {}; write router {{ vc_buffer_flits: {} }} or more",
                      link.buffer_words, largest_, largest_flits(), fabric::kPacketsPerBuffer * largest_flits()));
      return;
    }
  }

  int32_t largest_flits() const { return (largest_ + link::kWordBytes - 1) / link::kWordBytes; }

  /// What queues of inputs need of other parts of the experiment.
  void check_queues() {
    const experiment::QueuesSpec& queues = experiment_.queues;
    if (queues.scheme == v1::Queues::ONE) {
      if (queues.admittance == v1::Queues::SINGLE) return;
      return complain("queues.admittance",
                      "with the scheme ONE nothing holds up some packets of a host and not others, so several queues "
                      "in hosts would change nothing; write another scheme, or leave admittance out");
    }
    check_queue_routing(queues);
    if (!plain(experiment_)) complain("queues", "queues is for plain network interfaces; leave nic out, or queues");
    if (queues.scheme != v1::Queues::FBICM) return;
    const int32_t fit = experiment_.router.buffer_words / largest_flits();
    const int32_t most = std::max(queues.detect, queues.stop);
    if (most < fit) return;
    const std::string_view name = queues.detect >= fit ? "detect" : "stop";
    diagnostics_.add(
        last_written(experiment_, {"queues.scheme", "router.vc_buffer_flits", fmt::format("queues.{}", name)}),
        fmt::format("the buffer of a VC holds {} of the largest packets, so that {} {} would hardly be reached; write "
                    "router {{ vc_buffer_flits: {} }} or more, or a smaller one",
                    fit, name, name == "detect" ? queues.detect : queues.stop, (most + 1) * largest_flits()));
  }

  /// Schemes differ in what the sender of a packet has to know of its path.
  void check_queue_routing(const experiment::QueuesSpec& queues) {
    if (routing_.deterministic()) return;
    const std::string_view scheme = v1::Queues::Scheme_Name(queues.scheme);
    if (queues.scheme == v1::Queues::FBICM) {
      complain("queues.scheme",
               "with FBICM all packets for a host must leave a router by one output, and this routing has several for "
               "them; write routing { algorithm: } DIMENSION_ORDER, SHORTEST or D_MOD_K, or another scheme");
    } else if (!routing_.chooses()) {
      complain(
          "queues.scheme",
          fmt::format("with {} a packet waits in a queue for one output, and this routing chooses among several by "
                      "the load or takes detours; write routing {{ algorithm: }} DIMENSION_ORDER, SHORTEST, "
                      "D_MOD_K, ECMP or RANDOM_UP, or leave queues out",
                      scheme));
    } else if (queues.admittance == v1::Queues::AS_ROUTER && !routing_.chooses_by_flow() &&
               congestion::Classifier(queues, 1, 1).by_output()) {
      complain("queues.admittance",
               fmt::format("with {} each packet of a message may go to another queue of the router, as this routing "
                           "chooses an output for each, so a host has no queue for the message; write SINGLE or "
                           "PER_DESTINATION, or routing {{ algorithm: }} D_MOD_K or ECMP",
                           scheme));
    }
  }

  int64_t slowest_host_link() const {
    int64_t rate = std::numeric_limits<int64_t>::max();
    for (const system::Link& link : graph_.links) {
      const auto of_host = [&](const system::LinkEnd& end) { return end.element < graph_.host_count(); };
      if (of_host(link.ends[0]) || of_host(link.ends[1])) rate = std::min(rate, link.rate.bits_per_second);
    }
    return rate;
  }

  /// The memory of each switch.
  void check_memories() {
    const int64_t base_rate = slowest_host_link();
    for (size_t id = static_cast<size_t>(graph_.host_count()); id < graph_.elements.size(); ++id) {
      const system::Element& element = graph_.elements[id];
      std::vector<SharedBuffer::Link> inputs;
      for (size_t port = 0; port < element.ports.size(); ++port) {
        const int32_t channel = graph_.channel_from(static_cast<system::ElementId>(id), static_cast<int32_t>(port));
        // A port without a link has the memory of one, as in Tables.
        const system::Link& link = channel < 0 ? graph_.links[0] : graph_.channel_link(channel);
        inputs.push_back({link.rate.bits_per_second, link.latency.fs()});
      }
      const SharedBuffer memory(*pause_, inputs, base_rate, largest_);
      const auto flaw = router::packet::buffer::find_flaw(memory, inputs, largest_, element.name);
      if (!flaw.has_value()) continue;
      return diagnostics_.add(flaw->of_headroom
                                  ? experiment_.location_of("pfc.headroom")
                                  : last_written(experiment_, {"pfc", "pfc.reserve", "pfc.headroom", "pfc.buffer"}),
                              flaw->text);
    }
  }

  /// A rate that no flow falls below must leave something to control.
  void check_least_rate() {
    const int64_t least = scheme_->least_rate();
    const int64_t slowest = slowest_host_link();
    if (least < slowest) return;
    complain(of_scheme("least_rate"),
             fmt::format("least_rate {}: no flow would be slower than that, and links of hosts have {}, so {} would "
                         "control nothing; write a lower rate",
                         to_string(Bandwidth{least}), to_string(Bandwidth{slowest}), scheme_->name()));
  }

  /// A window that no flow falls below must be smaller than the largest one of some flow.
  void check_least_window() {
    const fabric::TransportHosts::Config hosts = transport_config(experiment_);
    // Most schemes and parameters have no such bounds, whatever the path.
    const congestion::FlowControl::Path any{
        .line_rate = 1, .round_trip = 1, .max_packet = largest_, .payload = hosts.payload};
    if (!scheme_->window_bounds(any).has_value()) return;
    std::optional<congestion::Scheme::WindowBounds> widest;
    visit_pairs([&](int32_t source, int32_t destination) {
      const auto bounds = scheme_->window_bounds(path(source, destination, hosts));
      if (bounds.has_value() && (!widest.has_value() || bounds->most > widest->most)) widest = bounds;
      return bounds.has_value() && bounds->most <= bounds->least;
    });
    if (!widest.has_value() || widest->most > widest->least) return;
    complain(of_scheme("least_window"),
             fmt::format("least_window {}: no flow would have a smaller window, and flows {}, so {} would control "
                         "nothing; write a smaller one, or leave it out",
                         widest->least_text, widest->most_text, scheme_->name()));
  }

  /// What a flow knows of the first path from its port 0, as TransportHosts finds it in a network that is built.
  congestion::FlowControl::Path path(int32_t source, int32_t destination,
                                     const fabric::TransportHosts::Config& hosts) const {
    const int32_t answer = hosts.aside() ? link::kWordBytes : hosts.control_bytes();
    int32_t switches = -1;
    follow_path(source, destination, [&](int32_t /*channel*/) { ++switches; });
    return {
        .line_rate = graph_.channel_link(graph_.channel_from(source, 0)).rate.bits_per_second,
        .round_trip = path_time(source, destination, largest_) + path_time(destination, source, answer) + hosts.delay(),
        .max_packet = largest_,
        .switches = switches,
        .payload = hosts.payload};
  }

  /// Network::path() says the same of a network that is built.
  int64_t path_time(int32_t source, int32_t destination, int32_t bytes) const {
    const int64_t pipeline =
        experiment_.router_as<router::packet::PacketSpec>().pipeline.latency(graph_.router_clock).fs();
    router::packet::PacketTrain packet(fabric::TransportEdge::Train::of_one(bytes));
    bool first = true;
    follow_path(source, destination, [&](int32_t channel) {
      const system::Link& link = graph_.channel_link(channel);
      // Switches that pause their senders store a packet before they forward it.
      packet.take({.latency = link.latency.fs(), .pipeline = first ? 0 : pipeline, .stored = pause_.has_value()},
                  [&link](int32_t size) {
                    return static_cast<int64_t>(8e15 * size / static_cast<double>(link.rate.bits_per_second));
                  });
      first = false;
    });
    return packet.arrival();
  }

  /// Calls `visit` with pairs of hosts as long as it returns true. Of large networks, some sources are enough:
  /// topologies are regular.
  template <typename Visit>
  void visit_pairs(const Visit& visit) const {
    constexpr int64_t kSources = 64;
    const int64_t hosts = graph_.host_count();
    const int64_t sources = std::min(hosts, kSources);
    for (int64_t i = 0; i < sources; ++i) {
      const auto source = static_cast<int32_t>(i * hosts / sources);
      for (int32_t destination = 0; destination < hosts; ++destination) {
        if (destination != source && !visit(source, destination)) return;
      }
    }
  }

  /// A scheme that needs one path for all packets of a flow.
  void check_paths() {
    if (routing_.chooses_by_flow()) return;
    visit_pairs([&](int32_t source, int32_t destination) {
      if (!routing_.detours() && follow_path(source, destination, [](int32_t /*channel*/) {})) return true;
      complain(fmt::format("congestion.{}", scheme_->name()),
               fmt::format("{} needs one path for all packets of a flow, and there are several from host {} to {}; "
                           "write a routing with one, such as routing {{ algorithm: D_MOD_K }} for trees, or another "
                           "scheme",
                           scheme_->name(), source, destination));
      return false;
    });
  }

  /// Calls `visit` with each channel of the first path. Whether each router on it gives one output.
  /// Network::flow_route() does the same in a network that is built.
  template <typename Visit>
  bool follow_path(int32_t source, int32_t destination, const Visit& visit) const {
    constexpr int kMostHops = 4096;
    const uint32_t all_vcs = static_cast<uint32_t>((uint64_t{1} << experiment_.router.vcs) - 1);
    routing::PacketRoute route;
    route.source = source;
    route.destination = destination;
    routing::RouteOptions options;
    int32_t channel = graph_.channel_from(source, 0);
    int32_t vc = 0;
    bool only = true;
    for (int hop = 0; hop < kMostHops && channel >= 0; ++hop) {
      visit(channel);
      const system::LinkEnd& end = graph_.channel_target(channel);
      if (end.element < graph_.host_count()) break;
      options.clear();
      routing_.options(end.element - graph_.host_count(), end.port, vc, route, options);
      if (options.size() == 0) break;
      const routing::RouteOption& first = options[0];
      for (const routing::RouteOption& option : options.all()) only = only && option.port == first.port;
      if ((first.vcs & all_vcs) == 0) break;
      vc = std::countr_zero(first.vcs & all_vcs);
      channel = graph_.channel_from(end.element, first.port);
    }
    return only;
  }

  const experiment::Experiment& experiment_;
  const system::SystemGraph& graph_;
  const routing::RoutingAlgorithm& routing_;
  const congestion::Scheme* scheme_;
  const std::optional<router::packet::buffer::SharedBufferSpec>& pause_;
  int32_t largest_;
  experiment::DiagnosticList diagnostics_;
};

}  // namespace

fabric::TransportHosts::Config transport_config(const experiment::Experiment& experiment) {
  fabric::TransportHosts::Config config;
  config.transport = *experiment.transport;
  config.payload = static_cast<int32_t>(experiment.router.packet_payload.count);
  config.scheme = congestion::scheme_of(experiment);
  config.queues = experiment.queues.scheme != v1::Queues::ONE;
  return config;
}

PacketSizes packet_sizes(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  if (experiment.transport.has_value()) {
    const fabric::TransportHosts::Config config = transport_config(experiment);
    return {config.largest(), std::min(config.smallest(), SharedBuffer::kPauseFrame)};
  }
  if (plain(experiment)) {
    return {nic::PlainPacket::wire_bytes(static_cast<int32_t>(experiment.router.packet_payload.count)),
            fabric::PlainHosts::kLeastBytes};
  }
  const fabric::PipelineSpec& pipeline = experiment.router_as<router::packet::PacketSpec>().pipeline;
  return {fabric::NicHosts::wire_bytes(nic::nic_costs(experiment, pipeline.latency(graph.router_clock))), 1};
}

absl::Status check_packet_network(const experiment::Experiment& experiment, const system::SystemGraph& graph,
                                  const routing::RoutingAlgorithm& routing) {
  return PacketNetworkCheck(experiment, graph, routing).check();
}

}  // namespace fabrictwin::network
