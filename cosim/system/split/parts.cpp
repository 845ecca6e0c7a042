// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/split/parts.h"

#include <metis.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::system::split {
namespace {

/// The weight of a link of the highest rate and the least latency.
constexpr double kMostWeight = 1000;
/// Work of a host in that of a port of a router.
constexpr idx_t kHostWork = 2;

/// Routers that share hosts, and those that are kept together, as one vertex each.
class Groups {
 public:
  Groups(const SystemGraph& graph, const std::vector<ElementId>& kept)
      : hosts_(graph.host_count()), parent_(graph.elements.size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (ElementId host = 0; host < hosts_; ++host) {
      for (int32_t port = 0; port < static_cast<int32_t>(graph.elements[host].ports.size()); ++port) {
        const int32_t channel = graph.channel_from(host, port);
        if (channel >= 0) join(host, graph.channel_target(channel).element);
      }
    }
    for (const ElementId router : kept) join(router, kept.front());
    for (ElementId router = hosts_; router < static_cast<ElementId>(parent_.size()); ++router)
      vertex_.try_emplace(root(router), static_cast<idx_t>(vertex_.size()));
  }

  idx_t vertices() const { return static_cast<idx_t>(vertex_.size()); }
  /// The vertex of a router, or of a host that is linked with one; -1 of others.
  idx_t vertex(ElementId element) {
    const auto known = vertex_.find(root(element));
    return known == vertex_.end() ? -1 : known->second;
  }

 private:
  ElementId root(ElementId element) {
    while (parent_[element] != element) element = parent_[element] = parent_[parent_[element]];
    return element;
  }
  void join(ElementId a, ElementId b) { parent_[root(a)] = root(b); }

  ElementId hosts_;
  std::vector<ElementId> parent_;
  std::map<ElementId, idx_t> vertex_;  ///< By root, in the order of the first routers.
};

double cost_of(const Link& link) {
  return static_cast<double>(link.rate.bits_per_second) / static_cast<double>(link.latency.fs());
}

/// What the workload keeps busy: hosts, and routers on shortest paths between them.
class Load {
 public:
  Load(const SystemGraph& graph, const std::vector<bool>& busy) : graph_(graph), busy_(busy) {
    const auto active = std::count(busy.begin(), busy.end(), true);
    all_ = active == 0 || active == std::ssize(busy);
    if (!all_) find_paths();
  }

  /// Whether nothing is known to be idle.
  bool all() const { return all_; }
  bool is_busy(ElementId id) const { return all_ || busy_[static_cast<size_t>(id)]; }

 private:
  /// Calls `visit` with the routers next to an element.
  template <typename Visit>
  void for_neighbours(ElementId id, Visit visit) const {
    for (int32_t port = 0; port < static_cast<int32_t>(graph_.elements[id].ports.size()); ++port) {
      const int32_t channel = graph_.channel_from(id, port);
      if (channel < 0) continue;
      if (const ElementId next = graph_.channel_target(channel).element; next >= graph_.host_count()) visit(next);
    }
  }

  void find_paths() {
    const int32_t hosts = graph_.host_count();
    busy_.resize(graph_.elements.size());
    for (ElementId host = 0; host < hosts; ++host) {
      if (busy_[static_cast<size_t>(host)])
        for_neighbours(host, [&](ElementId router) { busy_[static_cast<size_t>(router)] = true; });
    }
    const std::vector<bool> ends = busy_;
    std::vector<ElementId> sources;
    for (auto id = static_cast<ElementId>(hosts); id < static_cast<ElementId>(ends.size()); ++id)
      if (ends[static_cast<size_t>(id)]) sources.push_back(id);
    // A search takes the whole graph, and others pass by most of the same routers.
    constexpr size_t kMostSources = 32;
    const size_t step = (sources.size() + kMostSources - 1) / kMostSources;
    for (size_t i = 0; i < sources.size(); i += step) add_paths(sources[i], ends);
  }

  /// Adds the routers on shortest paths from `source` to `ends`.
  void add_paths(ElementId source, const std::vector<bool>& ends) {
    constexpr int32_t kFar = -1;
    std::vector<int32_t> distance(graph_.elements.size(), kFar);
    std::vector<ElementId> order = {source};
    distance[static_cast<size_t>(source)] = 0;
    for (size_t i = 0; i < order.size(); ++i) {
      const int32_t next_distance = distance[static_cast<size_t>(order[i])] + 1;
      for_neighbours(order[i], [&](ElementId next) {
        if (distance[static_cast<size_t>(next)] != kFar) return;
        distance[static_cast<size_t>(next)] = next_distance;
        order.push_back(next);
      });
    }
    std::vector<bool> leads = ends;
    for (auto at = order.rbegin(); at != order.rend(); ++at) {
      const auto id = static_cast<size_t>(*at);
      for_neighbours(*at, [&](ElementId next) {
        const auto beyond = static_cast<size_t>(next);
        if (distance[beyond] == distance[id] + 1 && leads[beyond]) leads[id] = true;
      });
      if (leads[id]) busy_[id] = true;
    }
  }

  const SystemGraph& graph_;
  std::vector<bool> busy_;  ///< By element; of hosts alone until find_paths().
  bool all_ = true;
};

/// A graph as METIS reads it.
struct MetisGraph {
  std::vector<idx_t> first = {0};  ///< By vertex: where its neighbours begin.
  std::vector<idx_t> neighbours;
  std::vector<idx_t> link_weights;
  std::vector<idx_t> work;
};

MetisGraph metis_graph(const SystemGraph& graph, const Kept& kept, const Load& load, Groups& groups) {
  MetisGraph metis;
  const std::set<ElementId> heavy(kept.heavy.begin(), kept.heavy.end());
  metis.work.resize(static_cast<size_t>(groups.vertices()));
  for (ElementId id = 0; id < static_cast<ElementId>(graph.elements.size()); ++id) {
    const idx_t vertex = groups.vertex(id);
    if (vertex < 0) continue;
    const Element& element = graph.elements[id];
    const bool host = element.kind == ElementKind::kHost;
    idx_t& work = metis.work[static_cast<size_t>(vertex)];
    if (!load.is_busy(id) && !heavy.contains(id)) {
      work += host ? 0 : 1;
      continue;
    }
    work += (host ? kHostWork : static_cast<idx_t>(element.ports.size()) * (heavy.contains(id) ? kept.work : 1)) *
            (load.all() ? 1 : kBusyWork);
  }
  double most = 0;
  for (const Link& link : graph.links) most = std::max(most, cost_of(link));
  std::vector<std::map<idx_t, idx_t>> weights(metis.work.size());
  for (const Link& link : graph.links) {
    const idx_t a = groups.vertex(link.ends[0].element);
    const idx_t b = groups.vertex(link.ends[1].element);
    if (a < 0 || b < 0 || a == b) continue;
    const auto weight = std::max<idx_t>(1, static_cast<idx_t>(kMostWeight * cost_of(link) / most));
    weights[static_cast<size_t>(a)][b] += weight;
    weights[static_cast<size_t>(b)][a] += weight;
  }
  for (const auto& of_vertex : weights) {
    for (const auto& [neighbour, weight] : of_vertex) {
      metis.neighbours.push_back(neighbour);
      metis.link_weights.push_back(weight);
    }
    metis.first.push_back(static_cast<idx_t>(metis.neighbours.size()));
  }
  return metis;
}

/// The part of each vertex, so that vertex `first` is in part 0, the first of the others in part 1, and so on.
std::vector<idx_t> numbered(std::vector<idx_t> part_of, idx_t first) {
  std::map<idx_t, idx_t> numbers{{part_of[static_cast<size_t>(first)], 0}};
  for (idx_t& part : part_of) part = numbers.try_emplace(part, static_cast<idx_t>(numbers.size())).first->second;
  return part_of;
}

}  // namespace

absl::StatusOr<std::vector<std::vector<ElementId>>> find_parts(const SystemGraph& graph, int32_t parts,
                                                               const Kept& kept, const std::vector<bool>& busy) {
  Groups groups(graph, kept.elements);
  idx_t vertices = groups.vertices();
  if (parts > vertices) {
    return absl::InvalidArgumentError(
        fmt::format("{} cannot be cut into {} parts: its routers and what must stay with them are {}; write at most "
                    "that",
                    graph.topology, parts, vertices));
  }
  std::vector<idx_t> part_of(static_cast<size_t>(vertices));
  if (parts > 1) {
    MetisGraph metis = metis_graph(graph, kept, Load(graph, busy), groups);
    std::vector<idx_t> options(METIS_NOPTIONS);
    METIS_SetDefaultOptions(options.data());
    options[METIS_OPTION_SEED] = 1;
    idx_t constraints = 1;
    idx_t count = parts;
    idx_t cut = 0;
    // Its manual recommends bisection for few parts.
    constexpr int32_t kFewParts = 8;
    const auto divide = parts <= kFewParts ? METIS_PartGraphRecursive : METIS_PartGraphKway;
    const int result =
        divide(&vertices, &constraints, metis.first.data(), metis.neighbours.data(), metis.work.data(), nullptr,
               metis.link_weights.data(), &count, nullptr, nullptr, options.data(), &cut, part_of.data());
    if (result != METIS_OK) return absl::InternalError(fmt::format("METIS cannot cut {}", graph.topology));
    part_of = numbered(std::move(part_of), kept.elements.empty() ? 0 : groups.vertex(kept.elements.front()));
  }
  std::vector<std::vector<ElementId>> routers(static_cast<size_t>(parts));
  for (ElementId id = graph.host_count(); id < static_cast<ElementId>(graph.elements.size()); ++id)
    routers[static_cast<size_t>(part_of[static_cast<size_t>(groups.vertex(id))])].push_back(id);
  if (std::any_of(routers.begin(), routers.end(), [](const auto& part) { return part.empty(); })) {
    return absl::InvalidArgumentError(
        fmt::format("{} cannot be cut into {} parts with about as much work each; write fewer", graph.topology, parts));
  }
  return routers;
}

std::string selector_of(const SystemGraph& graph, const std::vector<ElementId>& elements) {
  std::string text;
  for (size_t i = 0; i < elements.size();) {
    const Element& element = graph.elements[elements[i]];
    const std::string kind = element.name.substr(0, element.name.find('['));
    const auto is_nth = [&](size_t other, size_t n) {
      return graph.elements[elements[other]].name ==
             fmt::format("{}[{}]", kind, element.node + static_cast<int32_t>(n));
    };
    size_t end = i + 1;
    if (is_nth(i, 0)) {
      while (end < elements.size() && is_nth(end, end - i)) ++end;
    }
    text += text.empty() ? "" : ",";
    text += end == i + 1 ? element.name
                         : fmt::format("{}[{}..{}]", kind, element.node, graph.elements[elements[end - 1]].node);
    i = end;
  }
  return text;
}

}  // namespace fabrictwin::system::split
