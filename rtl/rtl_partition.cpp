// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "rtl/rtl_partition.h"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "fmt/format.h"
#include "rtl/router_config.h"
#include "rtl/router_transactor.h"

namespace fabrictwin {
namespace {

/// "dir/a.fst" and "router[1]" give "dir/a.router[1].fst".
std::string with_element(const std::string& file, const std::string& element) {
  std::filesystem::path path(file);
  const std::string extension = path.extension().string();
  path.replace_extension();
  return path.string() + "." + element + extension;
}

/// The waveform that is asked for `element`; the last request wins.
absl::StatusOr<RouterWave> wave_of(const PartitionContext& context, ElementId element) {
  const SystemGraph& graph = context.plan->graph;
  RouterWave wave;
  for (const WaveRequest& request : context.waves) {
    auto selected = select_elements(graph, request.select);
    if (!selected.ok()) return selected.status();
    if (std::find(selected->begin(), selected->end(), element) == selected->end()) continue;
    wave.file = selected->size() > 1 ? with_element(request.file, graph.elements[element].name) : request.file;
    wave.from = request.from;
    wave.to = request.to;
  }
  return wave;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Partition>> make_rtl_partition(const PartitionContext& context) {
  const PartitionPlan& plan = context.plan->partitions[context.partition];
  const SystemGraph& graph = context.plan->graph;
  if (plan.elements.size() != 1 || graph.elements[plan.elements[0]].kind != ElementKind::kRouter) {
    return absl::InvalidArgumentError(fmt::format("{}: an RTL partition is one router", plan.name));
  }
  const ElementId id = plan.elements[0];
  const Element& element = graph.elements[id];
  if (graph.dims.size() > kRouterDims) {
    return absl::InvalidArgumentError(fmt::format("{}: the RTL router has {} dimensions, the lattice {}", element.name,
                                                  kRouterDims, graph.dims.size()));
  }
  if (graph.buffer_words != kRouterBufferWords) {
    return absl::InvalidArgumentError(fmt::format("{}: the RTL router has buffers of {} words, the experiment wants {}",
                                                  element.name, kRouterBufferWords, graph.buffer_words));
  }

  RouterConfig config;
  config.name = element.name;
  config.router_clock = graph.router_clock;
  for (size_t d = 0; d < graph.dims.size(); ++d) {
    config.dims[d] = graph.dims[d];
    config.coordinates[d] = element.coordinates[d];
  }
  for (const CutPort& cut : context.ports) {
    if (cut.element != id || cut.port < 0 || cut.port >= kRouterPorts) {
      return absl::InvalidArgumentError(fmt::format("{}: port {} is none of an RTL router", element.name, cut.port));
    }
    const int32_t channel = graph.channel_from(id, cut.port);
    RouterPortConfig& port = config.ports[cut.port];
    port.enabled = true;
    port.word_clock = cut.sender->spec().word_clock;
    port.initial_credits = graph.buffer_words;
    port.sender = cut.sender;
    port.receiver = cut.receiver;
    if (channel >= 0 && static_cast<size_t>(channel) < context.link_counters.size())
      port.counters = &context.link_counters[channel];
  }
  auto wave = wave_of(context, id);
  if (!wave.ok()) return wave.status();
  config.wave = *wave;
  auto transactor = RouterTransactor::create(config);
  if (!transactor.ok()) return transactor.status();
  return *std::move(transactor);
}

}  // namespace fabrictwin
