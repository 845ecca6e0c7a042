// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/partition.h"

#include <algorithm>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cosim/experiment/check/topology_reader.h"
#include "cosim/experiment/location_map.h"
#include "fmt/format.h"
#include "rtl/nanet/element/element.h"
#include "rtl/nanet/interface/card_spec.h"
#include "rtl/transactor/external/library.h"
#include "rtl/transactor/external/transactor.h"
#include "rtl/transactor/node/config.h"
#include "rtl/transactor/node/transactor.h"
#include "rtl/transactor/router/config.h"
#include "rtl/transactor/router/transactor.h"

namespace fabrictwin::rtl {
namespace {

static_assert(router::kLargeRouterPorts >= experiment::kMaxRouterPorts);

/// "dir/a.fst" and "router[1]" give "dir/a.router[1].fst".
std::string with_element(const std::string& file, const std::string& element) {
  std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  path.replace_extension();
  return path.string() + "." + element + extension;
}

/// The waveform that is asked for `element`; the last request wins.
absl::StatusOr<router::Wave> wave_of(const run::PartitionContext& context, system::ElementId element) {
  const system::SystemGraph& graph = context.plan->graph;
  router::Wave wave;
  for (const run::WaveRequest& request : context.waves) {
    auto selected = system::select_elements(graph, request.select);
    if (!selected.ok()) return selected.status();
    if (std::find(selected->begin(), selected->end(), element) == selected->end()) continue;
    wave.file = selected->size() > 1 ? with_element(request.file, graph.elements[element].name) : request.file;
    wave.from = request.from;
    wave.to = request.to;
  }
  return wave;
}

/// What the two kinds of element have in common.
absl::Status connect(const run::PartitionContext& context, system::ElementId id, std::span<router::PortConfig> ports) {
  const system::SystemGraph& graph = context.plan->graph;
  for (const run::CutPort& cut : context.ports) {
    if (cut.element != id || cut.port < 0 || static_cast<size_t>(cut.port) >= ports.size()) {
      return absl::InvalidArgumentError(
          fmt::format("{}: port {} is none of its RTL", graph.elements[id].name, cut.port));
    }
    const int32_t channel = graph.channel_from(id, cut.port);
    router::PortConfig& port = ports[cut.port];
    port.enabled = true;
    port.word_clock = cut.sender->spec().word_clock;
    port.initial_credits = graph.channel_link(channel).buffer_words;
    port.to_host = graph.elements[graph.channel_target(channel).element].kind == system::ElementKind::kHost;
    port.sender = cut.sender;
    port.receiver = cut.receiver;
    if (static_cast<size_t>(channel) < context.link_counters.size()) port.counters = &context.link_counters[channel];
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_node(const run::PartitionContext& context,
                                                             system::ElementId id) {
  const system::SystemGraph& graph = context.plan->graph;
  const system::Element& element = graph.elements[id];
  node::Config config;
  config.name = element.name;
  config.kind = element.ports.size() == node::kNodePorts ? node::FpgaKind::kNetwork : node::FpgaKind::kPlain;
  config.node = element.address;
  config.tile_bits = graph.tile_bits;
  config.x_bits = graph.x_bits;
  config.y_bits = graph.y_bits;
  config.router_clock = graph.router_clock;
  std::copy(graph.dims.begin(), graph.dims.end(), config.dims.begin());
  std::copy(element.coordinates.begin(), element.coordinates.end(), config.coordinates.begin());
  if (absl::Status status = connect(context, id, config.ports); !status.ok()) return status;
  auto wave = wave_of(context, id);
  if (!wave.ok()) return wave.status();
  config.wave = *wave;
  return node::make_node_transactor(config);
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_router(const run::PartitionContext& context,
                                                               system::ElementId id) {
  const system::SystemGraph& graph = context.plan->graph;
  const system::Element& element = graph.elements[id];
  if (!graph.routes && graph.dims.size() > router::kRouterDims) {
    return absl::InvalidArgumentError(fmt::format("{}: the RTL router has {} dimensions, the lattice {}", element.name,
                                                  router::kRouterDims, graph.dims.size()));
  }
  if (graph.buffer_words != router::kRouterBufferWords) {
    return absl::InvalidArgumentError(fmt::format("{}: the RTL router has buffers of {} words, the experiment wants {}",
                                                  element.name, router::kRouterBufferWords, graph.buffer_words));
  }

  router::Config config;
  config.name = element.name;
  config.router_clock = graph.router_clock;
  config.marking = graph.marking;
  if (graph.routes) {
    const std::span<const system::RouteTable::Entry> routes = graph.routes->of_router(element.node);
    config.routes.assign(routes.begin(), routes.end());
    config.route_destinations = graph.routes->destinations();
  } else {
    for (size_t d = 0; d < graph.dims.size(); ++d) {
      config.dims[d] = graph.dims[d];
      config.coordinates[d] = element.coordinates[d];
    }
  }
  if (absl::Status status = connect(context, id, config.ports); !status.ok()) return status;
  auto wave = wave_of(context, id);
  if (!wave.ok()) return wave.status();
  config.wave = *wave;
  return router::make_router_transactor(config);
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_card(const run::PartitionContext& context,
                                                             system::ElementId id) {
  const system::SystemGraph& graph = context.plan->graph;
  const auto& spec = context.experiment->topology_as<nanet::CardSpec>();
  nanet::element::Config config;
  config.name = graph.elements[id].name;
  if (!context.waves.empty()) {
    return absl::InvalidArgumentError(fmt::format("{}: waveforms are of routers; leave --wave out", config.name));
  }
  config.lines.resize(static_cast<size_t>(spec.ports));
  for (const run::CutPort& cut : context.ports) {
    nanet::element::Config::Port& port = cut.port < spec.ports ? config.lines[cut.port] : config.computer;
    const int32_t channel = graph.channel_from(id, cut.port);
    port = {cut.sender, cut.receiver, &context.link_counters[static_cast<size_t>(channel)]};
  }
  const auto gbytes = [](Bandwidth rate) { return static_cast<double>(rate.bits_per_second) / 8e9; };
  config.memories = {
      {{gbytes(spec.write_rate), gbytes(spec.cpu_read_rate)}, {gbytes(spec.write_rate), gbytes(spec.gpu_read_rate)}}};
  auto element = nanet::element::Element::create(config);
  if (!element.ok()) return element.status();
  return *std::move(element);
}

absl::StatusOr<std::unique_ptr<engine::Partition>> make_external(const run::PartitionContext& context,
                                                                 system::ElementId id) {
  const system::SystemGraph& graph = context.plan->graph;
  const system::Element& element = graph.elements[id];
  if (!context.waves.empty()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}: waveforms are of routers whose RTL is built in; leave --wave out, or let its library write them",
        element.name));
  }
  external::Setup setup{.name = element.name,
                        .node = element.node,
                        .dims = graph.dims,
                        .coordinates = element.coordinates,
                        .ports = std::vector<external::Setup::Port>(element.ports.size()),
                        .hosts = graph.host_count(),
                        .vcs = graph.words.vcs,
                        .word_bits = graph.words.word_bits,
                        .credit_words = graph.words.credit_words,
                        .buffer_words = graph.buffer_words};
  std::vector<external::Channels> channels(element.ports.size());
  for (size_t port = 0; port < element.ports.size(); ++port) setup.ports[port].name = element.ports[port];
  for (const run::CutPort& cut : context.ports) {
    const int32_t channel = graph.channel_from(id, cut.port);
    const auto port = static_cast<size_t>(cut.port);
    setup.ports[port].connected = true;
    setup.ports[port].to_host =
        graph.elements[graph.channel_target(channel).element].kind == system::ElementKind::kHost;
    setup.ports[port].credits = graph.channel_link(channel).buffer_words / graph.words.credit_words;
    channels[port] = {cut.sender, cut.receiver, &context.link_counters[static_cast<size_t>(channel)]};
  }
  absl::StatusOr<std::unique_ptr<external::Router>> router =
      external::make_router(context.experiment->router.library, setup);
  if (!router.ok()) {
    // In another process, the experiment is not the text that the user has written.
    if (context.plan->partitions[context.partition].place != 0) return router.status();
    return absl::InvalidArgumentError(experiment::format_diagnostic(context.experiment->location_of("router.library"),
                                                                    std::string(router.status().message())));
  }
  auto transactor =
      external::Transactor::create(std::move(setup), graph.router_clock, std::move(channels), *std::move(router));
  if (!transactor.ok()) return transactor.status();
  return *std::move(transactor);
}

}  // namespace

absl::StatusOr<std::unique_ptr<engine::Partition>> make_rtl_partition(const run::PartitionContext& context) {
  const system::PartitionPlan& plan = context.plan->partitions[context.partition];
  const system::SystemGraph& graph = context.plan->graph;
  if (graph.external) return make_external(context, plan.elements.front());
  if (graph.has_card()) return make_card(context, plan.elements.front());
  if (plan.elements.size() == 1 && graph.elements[plan.elements[0]].kind == system::ElementKind::kRouter)
    return make_router(context, plan.elements[0]);
  if (plan.elements.size() == 1 && graph.elements[plan.elements[0]].kind == system::ElementKind::kNode)
    return make_node(context, plan.elements[0]);
  return absl::InvalidArgumentError(fmt::format("{}: an RTL partition is one router or one node", plan.name));
}

}  // namespace fabrictwin::rtl
