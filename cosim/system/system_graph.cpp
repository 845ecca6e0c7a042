// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/system_graph.h"

#include <fmt/format.h>

#include <algorithm>

namespace fabrictwin::system {

int32_t SystemGraph::host_count() const {
  const auto first_other = std::partition_point(
      elements.begin(), elements.end(), [](const Element& element) { return element.kind == ElementKind::kHost; });
  return static_cast<int32_t>(first_other - elements.begin());
}

std::string SystemGraph::end_name(const LinkEnd& end) const {
  const Element& element = elements[static_cast<size_t>(end.element)];
  return fmt::format("{}.{}", element.name, element.ports[static_cast<size_t>(end.port)]);
}

std::string SystemGraph::channel_name(int32_t channel) const {
  return fmt::format("{}->{}", end_name(channel_source(channel)), end_name(channel_target(channel)));
}

int32_t SystemGraph::channel_from(ElementId element, int32_t port) const {
  if (!channel_index.empty()) return channel_index[first_port[element] + port];
  for (int32_t channel = 0; channel < channel_count(); ++channel) {
    const LinkEnd& source = channel_source(channel);
    if (source.element == element && source.port == port) return channel;
  }
  return -1;
}

void SystemGraph::build_index() {
  first_port.clear();
  first_port.reserve(elements.size());
  int64_t ports = 0;
  for (const Element& element : elements) {
    first_port.push_back(ports);
    ports += static_cast<int64_t>(element.ports.size());
  }
  channel_index.assign(ports, -1);
  for (int32_t channel = 0; channel < channel_count(); ++channel) {
    const LinkEnd& source = channel_source(channel);
    channel_index[first_port[source.element] + source.port] = channel;
  }
}

}  // namespace fabrictwin::system
