// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/packet_trace_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fabrictwin::report {
namespace {

using Track = TraceEventWriter::Track;

/// Writes packets of one trace.
class Packets {
 public:
  Packets(const system::SystemGraph& graph, TraceEventWriter& writer) : graph_(graph), writer_(writer) {
    for (int32_t channel = 0; channel < graph.channel_count(); ++channel)
      channels_.push_back(graph.channel_name(channel));
    for (const system::Element& element : graph.elements) {
      if (element.kind != system::ElementKind::kHost) continue;
      hosts_.resize(std::max(hosts_.size(), static_cast<size_t>(element.node) + 1));
      hosts_[element.node] = element.name;
    }
    named_.resize(hosts_.size());
  }

  void add(const observe::PacketTrace::Packet& packet, int32_t number) {
    const Track track{packet.key.source + 1, number};
    const std::string& source = hosts_[packet.key.source];
    const std::string name =
        fmt::format("{} to {}, number {}", source, hosts_[packet.key.destination], packet.key.sequence);
    if (!named_[packet.key.source]) writer_.name_process(track, source);
    named_[packet.key.source] = true;
    writer_.name_track(track, name);
    writer_.begin(track, packet.created, packet.arrived, "packet", name,
                  fmt::format(",\"source\":{},\"destination\":{},\"number\":{},\"flits\":{}", packet.key.source,
                              packet.key.destination, packet.key.sequence, packet.flits));
    Time here = packet.created;
    for (const observe::PacketTrace::Hop& hop : packet.hops) {
      const system::Element& element = graph_.elements[graph_.channel_source(hop.channel).element];
      writer_.slice(track, here, hop.left, "wait", "wait in " + element.name);
      writer_.slice(track, hop.left, hop.arrives, "move", channels_[hop.channel]);
      here = hop.arrives;
    }
    writer_.slice(track, here, packet.arrived, "move", "rest of the packet");
    writer_.end(track, packet.arrived);
  }

 private:
  const system::SystemGraph& graph_;
  TraceEventWriter& writer_;
  std::vector<std::string> channels_;
  std::vector<std::string> hosts_;
  std::vector<bool> named_;  ///< For each host, true if its process has been named.
};

}  // namespace

void add_packets(const observe::PacketTrace& trace, const system::SystemGraph& graph, TraceEventWriter& writer) {
  Packets packets(graph, writer);
  int32_t track = 0;
  for (const observe::PacketTrace::Packet* packet : trace.finished()) packets.add(*packet, ++track);
}

std::string packet_trace_json(const observe::PacketTrace& trace, const system::SystemGraph& graph) {
  TraceEventWriter writer;
  add_packets(trace, graph, writer);
  return writer.json();
}

}  // namespace fabrictwin::report
