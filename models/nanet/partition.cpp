// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/nanet/partition.h"

#include <algorithm>
#include <utility>

#include "cosim/base/text.h"
#include "cosim/experiment/location_map.h"
#include "fmt/format.h"
#include "models/nanet/card.h"
#include "models/nanet/computer.h"
#include "models/nanet/sender.h"

namespace fabrictwin::nanet {

absl::StatusOr<std::unique_ptr<engine::Partition>> Partition::create(const run::PartitionContext& context,
                                                                     const WorkloadFactory& make_workload) {
  std::unique_ptr<Partition> partition(new Partition(context));
  if (absl::Status status = partition->build(make_workload); !status.ok()) return status;
  return partition;
}

absl::Status Partition::build(const WorkloadFactory& make_workload) {
  const system::SystemGraph& graph = context_.plan->graph;
  const std::vector<system::ElementId>& ids =
      context_.plan->partitions[static_cast<size_t>(context_.partition)].elements;
  if (ids.front() < graph.host_count()) {
    absl::StatusOr<std::unique_ptr<host::Workload>> workload = make_workload(*context_.experiment, graph);
    if (!workload.ok()) return workload.status();
    auto* const own = dynamic_cast<Workload*>(workload->get());
    if (own == nullptr) return absl::InvalidArgumentError("a card takes datagrams, which are another workload");
    workload_.reset(own);
    static_cast<void>(workload->release());
  }
  for (const system::ElementId id : ids) {
    elements_.push_back({.id = id});
    make_ports(elements_.back());
  }
  connect();
  for (Element& element : elements_) {
    if (absl::Status status = make_part(element); !status.ok()) return status;
  }
  done_ = workload_ == nullptr;
  return absl::OkStatus();
}

Partition::Element& Partition::element(system::ElementId id) {
  return *std::ranges::find_if(elements_, [id](const Element& element) { return element.id == id; });
}

void Partition::make_ports(Element& element) {
  const system::SystemGraph& graph = context_.plan->graph;
  const auto count = static_cast<int32_t>(graph.elements[static_cast<size_t>(element.id)].ports.size());
  for (int32_t port = 0; port < count; ++port) {
    const int32_t channel = graph.channel_from(element.id, port);
    const system::Link& link = graph.channel_link(channel);
    element.ports.push_back(
        std::make_unique<Port>(link.word_clock(), link.latency, &context_.link_counters[static_cast<size_t>(channel)]));
  }
}

void Partition::connect() {
  const system::SystemGraph& graph = context_.plan->graph;
  for (const run::CutPort& cut : context_.ports)
    element(cut.element).ports.at(static_cast<size_t>(cut.port))->connect(*cut.sender, *cut.receiver);
  for (const system::Link& link : graph.links) {
    const auto here = [&](const system::LinkEnd& end) {
      return context_.plan->partition_of[static_cast<size_t>(end.element)] == context_.partition;
    };
    if (!here(link.ends[0]) || !here(link.ends[1])) continue;
    Port& a = *element(link.ends[0].element).ports.at(static_cast<size_t>(link.ends[0].port));
    Port& b = *element(link.ends[1].element).ports.at(static_cast<size_t>(link.ends[1].port));
    a.connect(b);
    b.connect(a);
  }
}

absl::Status Partition::make_part(Element& element) {
  const experiment::Experiment& experiment = *context_.experiment;
  const auto& card = experiment.topology_as<rtl::nanet::CardSpec>();
  const system::Element& planned = context_.plan->graph.elements[static_cast<size_t>(element.id)];
  if (planned.kind == system::ElementKind::kCard) {
    std::vector<Port*> lines;
    for (int32_t port = 0; port < card.ports; ++port) lines.push_back(element.ports[static_cast<size_t>(port)].get());
    element.part = std::make_unique<Card>(planned.name, card, std::move(lines), *element.ports.back());
  } else if (planned.node < card.ports) {
    absl::StatusOr<std::unique_ptr<Sender>> sender =
        Sender::create(planned.node, workload_->spec(), experiment.seed, *element.ports.front(), workload_->results(),
                       &context_.digests[static_cast<size_t>(planned.node)]);
    if (!sender.ok())
      return absl::Status(sender.status().code(),
                          experiment::format_diagnostic(experiment.workload_location, message_of(sender.status())));
    element.part = *std::move(sender);
  } else {
    element.part =
        std::make_unique<Computer>(card, workload_->spec(), experiment.seed, *element.ports.front(),
                                   workload_->results(), &context_.digests[static_cast<size_t>(planned.node)]);
  }
  return absl::OkStatus();
}

Time Partition::next_event() const {
  if (workload_ && done()) return Time::never();
  if (!started_) return Time::zero();
  Time next = Time::never();
  for (const Element& element : elements_) next = std::min(next, element.part->next());
  // What comes through cut links is the executor's concern, but what has come at a time is applied before that.
  for (const Element& element : elements_) {
    for (const auto& port : element.ports) {
      if (port->front() != nullptr) next = std::min(next, port->front()->time());
    }
  }
  return next;
}

absl::Status Partition::advance(Time until) {
  while (!(workload_ && done())) {
    const Time now = next_event();
    if (!std::min(now, until).is_never()) sample(std::min(now, until));
    if (now >= until) break;
    started_ = true;
    if (absl::Status status = deliver(now); !status.ok()) return status;
    for (Element& element : elements_) {
      if (absl::Status status = element.part->act(now); !status.ok()) return status;
    }
    events_.add(1);
    if (workload_ && workload_->results().finished) done_ = true;
  }
  return absl::OkStatus();
}

absl::Status Partition::deliver(Time now) {
  for (Element& element : elements_) {
    for (size_t port = 0; port < element.ports.size(); ++port) {
      for (Port& from = *element.ports[port]; from.front() != nullptr && from.front()->time() <= now; from.pop()) {
        const absl::Status status = element.part->receive(static_cast<int32_t>(port), *from.front());
        if (status.ok()) continue;
        const system::SystemGraph& graph = context_.plan->graph;
        return absl::DataLossError(fmt::format(
            "{} at {}: {} brings {}", graph.elements[static_cast<size_t>(element.id)].name, to_string(now),
            graph.channel_name(graph.channel_from(element.id, static_cast<int32_t>(port)) ^ 1), message_of(status)));
      }
    }
  }
  return absl::OkStatus();
}

void Partition::sample(Time until) {
  run::MetricSampler* const metrics = context_.observers.metrics;
  if (metrics == nullptr) return;
  while (metrics->next() <= until && !metrics->next().is_never()) metrics->sample(*this, context_.link_counters);
}

std::vector<std::string> Partition::waits() const {
  std::vector<std::string> lines;
  for (const Element& element : elements_) {
    if (std::string line = element.part->waits_for(); !line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace fabrictwin::nanet
