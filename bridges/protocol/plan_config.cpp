// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "bridges/protocol/plan_config.h"

#include <fmt/format.h>
#include <google/protobuf/text_format.h>

#include <algorithm>

#include "cosim/observe/digest.h"

namespace fabrictwin::bridges::protocol {

const char* element_type_name(const system::SystemGraph& graph, const system::Element& element) {
  switch (element.kind) {
    case system::ElementKind::kHost:
      return "host";
    case system::ElementKind::kRouter:
      return graph.external ? "external_router" : "exanet_router";
    case system::ElementKind::kNode:
      return "exanet_node";
    case system::ElementKind::kCard:
      return "nanet";
  }
  return "";
}

namespace {

uint64_t hash_text(const std::string& text) {
  return observe::hash_bytes(std::as_bytes(std::span(text.data(), text.size())));
}

void add_port(const system::Plan& plan, const system::Element& element, system::ElementId id, int32_t port,
              v1::ElementConfig& config) {
  const int32_t outbound = plan.graph.channel_from(id, port);
  if (outbound < 0 || plan.source_partition(outbound) == plan.target_partition(outbound)) return;
  const system::Link& link = plan.channel_link(outbound);
  v1::PortConfig& out = *config.add_ports();
  out.set_port(port);
  out.set_name(element.ports[port]);
  out.set_outbound_channel(static_cast<uint32_t>(outbound));
  out.set_inbound_channel(static_cast<uint32_t>(outbound ^ 1));
  out.set_latency_fs(link.latency.fs());
  out.set_word_clock_numerator(link.word_clock().numerator());
  out.set_word_clock_denominator(link.word_clock().denominator());
  out.set_initial_credits(link.buffer_words);
  if (!plan.graph.marking.enabled() && !plan.graph.external) return;
  const system::ElementId other = plan.graph.channel_target(outbound).element;
  out.set_to_host(plan.graph.elements[other].kind == system::ElementKind::kHost);
}

bool is_to_mark(const system::SystemGraph& graph, const system::Element& element) {
  return graph.marking.enabled() && element.kind != system::ElementKind::kHost;
}

void add_marking(const link::PacketMarking& marking, v1::PacketMarking& out) {
  out.set_threshold_words(marking.threshold_words);
  out.set_marking_rate(marking.marking_rate);
  out.set_least_words(marking.least_words);
  out.set_hosts(marking.hosts);
}

/// What routers of a user's own must know of packets.
void add_words(const experiment::Experiment& experiment, int32_t hosts, v1::ElementConfig& config) {
  const experiment::RouterSpec& router = experiment.router;
  *config.mutable_words() = experiment.message.router().words();
  config.mutable_words()->set_word_bits(router.packets.word_bits());
  config.mutable_words()->set_credit_words(router.credit_words);
  config.set_vcs(router.vcs);
  config.set_hosts(hosts);
  config.set_packet_payload(router.packets.max_payload_bytes());
}

void add_partition(const experiment::Experiment& experiment, const system::Plan& plan, int32_t number,
                   v1::ConfigureRequest& request) {
  const system::PartitionPlan& partition = plan.partitions[number];
  v1::PartitionConfig& out = *request.add_partitions();
  out.set_id(number);
  out.set_name(partition.name);
  out.set_implementation(partition.implementation);
  for (const system::ElementId id : partition.elements) {
    const system::Element& element = plan.graph.elements[id];
    v1::ElementConfig& config = *out.add_elements();
    config.set_name(element.name);
    config.set_type(element_type_name(plan.graph, element));
    config.set_node(element.node);
    config.set_address(element.address);
    config.set_tile_bits(plan.graph.tile_bits);
    config.set_x_bits(plan.graph.x_bits);
    config.set_y_bits(plan.graph.y_bits);
    if (plan.graph.routes && element.kind == system::ElementKind::kRouter) {
      const std::span<const system::RouteTable::Entry> routes = plan.graph.routes->of_router(element.node);
      config.set_routes(routes.data(), routes.size());
      config.set_route_destinations(plan.graph.routes->destinations());
    } else {
      config.mutable_dims()->Add(plan.graph.dims.begin(), plan.graph.dims.end());
      config.mutable_coordinates()->Add(element.coordinates.begin(), element.coordinates.end());
    }
    config.set_clock_numerator(plan.graph.router_clock.numerator());
    config.set_clock_denominator(plan.graph.router_clock.denominator());
    config.set_buffer_words(plan.graph.buffer_words);
    if (plan.graph.external && element.kind == system::ElementKind::kRouter)
      add_words(experiment, plan.graph.host_count(), config);
    if (is_to_mark(plan.graph, element)) {
      add_marking(plan.graph.marking, *config.mutable_marking());
    }
    for (size_t port = 0; port < element.ports.size(); ++port) {
      add_port(plan, element, id, static_cast<int32_t>(port), config);
    }
  }
}

}  // namespace

uint64_t plan_fingerprint(const system::Plan& plan) {
  std::vector<uint64_t> values{plan.places.size(), plan.graph.elements.size(), plan.graph.links.size()};
  for (const system::Place& place : plan.places) values.push_back(hash_text(place.name));
  for (const system::PartitionPlan& partition : plan.partitions) {
    values.push_back(hash_text(partition.name));
    values.push_back(static_cast<uint64_t>(partition.implementation));
    values.push_back(static_cast<uint64_t>(partition.place));
    for (const system::ElementId id : partition.elements) values.push_back(static_cast<uint64_t>(id));
  }
  for (const int32_t channel : plan.cut_channels) {
    const system::Link& link = plan.channel_link(channel);
    values.push_back(static_cast<uint64_t>(channel));
    values.push_back(static_cast<uint64_t>(link.latency.fs()));
    values.push_back(static_cast<uint64_t>(link.rate.bits_per_second));
    values.push_back(hash_text(plan.graph.channel_name(channel)));
  }
  return observe::hash_values(values);
}

v1::ConfigureRequest make_configure(const experiment::Experiment& experiment, const system::Plan& plan, int32_t place,
                                    const std::string& run_id, int32_t threads,
                                    const std::vector<run::WaveRequest>& waves, uint64_t logged_messages) {
  v1::ConfigureRequest request;
  request.set_run_id(run_id);
  v1::Experiment message = experiment.message;
  // Options of the command line ask for it, too.
  if (experiment.statistics.link_interval > Time::zero())
    message.mutable_statistics()->set_link_interval(fmt::format("{} fs", experiment.statistics.link_interval.fs()));
  if (experiment.statistics.message_matrix) message.mutable_statistics()->set_message_matrix(true);
  if (experiment.statistics.rank_timeline) message.mutable_statistics()->set_rank_timeline(true);
  google::protobuf::TextFormat::PrintToString(message, request.mutable_experiment());
  request.set_experiment_file(experiment.file);
  request.set_place(place);
  request.set_plan_fingerprint(plan_fingerprint(plan));
  request.set_threads(threads);
  request.set_logged_messages(logged_messages);
  if (experiment.calibration.has_value()) experiment.calibration->SerializeToString(request.mutable_calibration());
  for (const run::WaveRequest& wave : waves) {
    v1::Wave& out = *request.add_waves();
    out.set_select(wave.select);
    out.set_file(wave.file);
    out.set_from_fs(wave.from.fs());
    if (!wave.to.is_never()) out.set_to_fs(wave.to.fs());
  }
  for (const int32_t partition : partitions_at(plan, place)) add_partition(experiment, plan, partition, request);
  return request;
}

std::vector<run::WaveRequest> waves_of(const v1::ConfigureRequest& request) {
  std::vector<run::WaveRequest> waves;
  for (const v1::Wave& wave : request.waves()) {
    waves.push_back({wave.select(), wave.file(), Time::from_fs(wave.from_fs()),
                     wave.to_fs() == 0 ? Time::never() : Time::from_fs(wave.to_fs())});
  }
  return waves;
}

std::vector<int32_t> partitions_at(const system::Plan& plan, int32_t place) {
  std::vector<int32_t> partitions;
  for (size_t p = 0; p < plan.partitions.size(); ++p) {
    if (plan.partitions[p].place == place) partitions.push_back(static_cast<int32_t>(p));
  }
  return partitions;
}

bool marks_at(const system::Plan& plan, int32_t place) {
  const std::vector<int32_t> partitions = partitions_at(plan, place);
  return std::ranges::any_of(partitions, [&](int32_t partition) {
    const std::vector<system::ElementId>& elements = plan.partitions[partition].elements;
    return std::ranges::any_of(elements,
                               [&](system::ElementId id) { return is_to_mark(plan.graph, plan.graph.elements[id]); });
  });
}

namespace {

PlaceChannels select_channels(const system::Plan& plan, run::RunMemory& memory, int32_t place, bool into) {
  PlaceChannels result;
  for (size_t position = 0; position < plan.cut_channels.size(); ++position) {
    const int32_t channel = plan.cut_channels[position];
    const int32_t source = plan.partitions[plan.source_partition(channel)].place;
    const int32_t target = plan.partitions[plan.target_partition(channel)].place;
    if (source == target || (into ? target : source) != place) continue;
    result.positions.push_back(static_cast<int32_t>(position));
    const system::Transport transport = plan.places[source].transport;
    const bool passing = transport == system::Transport::kUnix || transport == system::Transport::kTcp ||
                         transport == system::Transport::kMpi;
    result.channels.push_back(
        {static_cast<uint32_t>(channel), plan.graph.channel_name(channel), memory.ring(position), passing});
  }
  return result;
}

}  // namespace

PlaceChannels channels_into(const system::Plan& plan, int32_t place, run::RunMemory& memory) {
  return select_channels(plan, memory, place, true);
}

PlaceChannels channels_out_of(const system::Plan& plan, int32_t place, run::RunMemory& memory) {
  return select_channels(plan, memory, place, false);
}

}  // namespace fabrictwin::bridges::protocol
