// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/proof/dependency_graph.h"

#include <algorithm>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/strong_components.hpp>
#include <boost/range/iterator_range.hpp>
#include <optional>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::routing::proof {
namespace {

/// The most buffers of a cycle that an error names; nobody would read more.
constexpr size_t kMaxNamed = 16;

/// What the buffer waits for.
template <typename Graph>
auto waited_for(const Graph& graph, size_t buffer) {
  const auto [begin, end] = boost::adjacent_vertices(buffer, graph);
  return boost::make_iterator_range(begin, end);
}

/// The number of the strong component of each buffer. Tarjan's algorithm, which Boost uses, numbers a component after
/// all others that can be reached from it.
template <typename Graph>
std::vector<int32_t> components_of(const Graph& graph) {
  std::vector<int32_t> components(boost::num_vertices(graph));
  boost::strong_components(graph,
                           boost::make_iterator_property_map(components.begin(), get(boost::vertex_index, graph)));
  return components;
}

/// Records the first edge back to a buffer in a search that began there.
struct FirstReturn : boost::base_visitor<FirstReturn> {
  using event_filter = boost::on_examine_edge;  // NOLINT(readability-identifier-naming)
  FirstReturn(size_t to_buffer, std::optional<size_t>& from_buffer) : to(to_buffer), from(from_buffer) {}
  template <typename Edge, typename Graph>
  void operator()(const Edge& edge, const Graph& graph) const {
    if (!from.has_value() && boost::target(edge, graph) == to) from = boost::source(edge, graph);
  }
  size_t to;
  std::optional<size_t>& from;
};

}  // namespace

DependencyGraph::DependencyGraph(const RouterGraph& routers, int32_t vcs)
    : routers_(routers),
      vcs_(vcs),
      words_(static_cast<size_t>((routers.most_ports() * vcs + 63) / 64)),
      graph_(static_cast<size_t>(routers.channels()) * static_cast<size_t>(vcs)),
      known_(boost::num_vertices(graph_) * words_) {}

void DependencyGraph::add(int32_t from, int32_t to) {
  const int32_t router = routers_.channel_router(to / vcs_);
  if (routers_.channel_end(from / vcs_).router == router) {
    // Most edges are found repeatedly.
    const int32_t local = to - routers_.channel(router, 0) * vcs_;
    uint64_t& word = known_[static_cast<size_t>(from) * words_ + static_cast<size_t>(local / 64)];
    const uint64_t bit = uint64_t{1} << (local % 64);
    if ((word & bit) != 0) return;
    word |= bit;
  } else if (boost::edge(static_cast<size_t>(from), static_cast<size_t>(to), graph_).second) {
    return;
  }
  boost::add_edge(static_cast<size_t>(from), static_cast<size_t>(to), graph_);
  ++edges_;
}

bool DependencyGraph::rank(std::vector<int32_t>& ranks) const {
  ranks = components_of(graph_);
  for (int32_t& rank : ranks) rank = buffers() - 1 - rank;
  for (size_t from = 0; from < ranks.size(); ++from) {
    // An edge stays in a component only if it is part of a cycle.
    for (const size_t to : waited_for(graph_, from)) {
      if (ranks[to] <= ranks[from]) return false;
    }
  }
  return true;
}

std::vector<int32_t> DependencyGraph::find_cycle() const {
  const std::vector<int32_t> components = components_of(graph_);
  const auto in_cycle = [&](size_t from) {
    const auto vertices = waited_for(graph_, from);
    return std::any_of(vertices.begin(), vertices.end(), [&](size_t to) { return components[to] == components[from]; });
  };
  size_t first = 0;
  while (first < components.size() && !in_cycle(first)) ++first;
  if (first == components.size()) return {};
  std::vector<size_t> came_from(components.size());
  std::optional<size_t> last;
  const auto visitor =
      std::make_pair(boost::record_predecessors(came_from.data(), boost::on_tree_edge()), FirstReturn(first, last));
  boost::breadth_first_search(graph_, first, boost::visitor(boost::make_bfs_visitor(visitor)));
  std::vector<int32_t> cycle;
  for (size_t buffer = *last; buffer != first; buffer = came_from[buffer])
    cycle.push_back(static_cast<int32_t>(buffer));
  cycle.push_back(static_cast<int32_t>(first));
  std::ranges::reverse(cycle);
  return cycle;
}

std::string DependencyGraph::buffer_name(int32_t buffer) const {
  const int32_t channel = buffer / vcs_;
  const int32_t router = routers_.channel_router(channel);
  return fmt::format("{} VC {}", routers_.port_name(router, channel - routers_.channel(router, 0)), buffer % vcs_);
}

std::string DependencyGraph::cycle_text(const std::vector<int32_t>& cycle) const {
  std::string text;
  for (size_t i = 0; i < std::min(cycle.size(), kMaxNamed); ++i) text += buffer_name(cycle[i]) + " -> ";
  if (cycle.size() > kMaxNamed) text += fmt::format("{} more -> ", cycle.size() - kMaxNamed);
  return text + buffer_name(cycle.front());
}

}  // namespace fabrictwin::routing::proof
