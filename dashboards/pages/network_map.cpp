// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "dashboards/pages/network_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <queue>
#include <string>
#include <vector>

namespace fabrictwin::dashboards::pages {
namespace {

using html::Map;

/// A browser draws so many links at once without delay, and a page with them stays small.
constexpr size_t kMostEdges = 6000;
/// Lattice steps beyond which a link is drawn as an arc: a straight one would run through other routers.
constexpr double kLongestStraight = 1.5;
constexpr double kHostDistance = 0.35;

struct Point {
  double x = 0;
  double y = 0;
};

bool is_lattice(const system::SystemGraph& graph) {
  if (graph.dims.empty()) return false;
  return std::all_of(graph.elements.begin() + graph.host_count(), graph.elements.end(),
                     [&](const system::Element& element) { return element.coordinates.size() == graph.dims.size(); });
}

/// Dimensions take turns in x and y; further ones space out planes of those before them.
Point lattice_point(const std::vector<int32_t>& dims, const std::vector<int32_t>& coordinates) {
  Point point;
  std::array<double, 2> stride = {1, 1};
  for (size_t d = 0; d < dims.size(); ++d) {
    double& value = d % 2 == 0 ? point.x : point.y;
    value += stride[d % 2] * coordinates[d];
    stride[d % 2] *= dims[d] + (dims[d] > 1 ? 1 : 0);
  }
  return point;
}

/// How many links each element is away from a host.
std::vector<int32_t> distances_from_hosts(const system::SystemGraph& graph) {
  std::vector<std::vector<int32_t>> neighbours(graph.elements.size());
  for (const system::Link& link : graph.links) {
    neighbours[static_cast<size_t>(link.ends[0].element)].push_back(link.ends[1].element);
    neighbours[static_cast<size_t>(link.ends[1].element)].push_back(link.ends[0].element);
  }
  std::vector<int32_t> distance(graph.elements.size(), -1);
  std::queue<int32_t> next;
  for (int32_t host = 0; host < graph.host_count(); ++host) {
    distance[static_cast<size_t>(host)] = 0;
    next.push(host);
  }
  for (; !next.empty(); next.pop()) {
    const int32_t at = next.front();
    for (const int32_t to : neighbours[static_cast<size_t>(at)]) {
      if (distance[static_cast<size_t>(to)] >= 0) continue;
      distance[static_cast<size_t>(to)] = distance[static_cast<size_t>(at)] + 1;
      next.push(to);
    }
  }
  return distance;
}

std::vector<Point> router_points(const system::SystemGraph& graph) {
  const auto hosts = static_cast<size_t>(graph.host_count());
  std::vector<Point> points(graph.elements.size());
  if (is_lattice(graph)) {
    for (size_t i = hosts; i < points.size(); ++i) points[i] = lattice_point(graph.dims, graph.elements[i].coordinates);
    return points;
  }
  const std::vector<int32_t> distance = distances_from_hosts(graph);
  const int32_t levels = *std::max_element(distance.begin(), distance.end());
  if (levels <= 1) {
    const double routers = static_cast<double>(points.size() - hosts);
    const double radius = std::max(1.0, routers / 4);
    for (size_t i = hosts; i < points.size(); ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i - hosts) / routers;
      points[i] = {radius * std::cos(angle), radius * std::sin(angle)};
    }
    return points;
  }
  std::vector<double> in_level(static_cast<size_t>(levels) + 1, 0);
  for (size_t i = hosts; i < points.size(); ++i) ++in_level[static_cast<size_t>(std::max(distance[i], 0))];
  const double width = *std::max_element(in_level.begin(), in_level.end());
  std::vector<double> placed(in_level.size(), 0);
  for (size_t i = hosts; i < points.size(); ++i) {
    const auto level = static_cast<size_t>(std::max(distance[i], 0));
    points[i] = {(placed[level]++ + 0.5) * width / in_level[level],
                 static_cast<double>(levels - distance[i]) * std::max(1.0, width / 6)};
  }
  return points;
}

/// Hosts stand in a row below their routers.
void add_hosts(const system::SystemGraph& graph, std::vector<Point>& points) {
  std::vector<int32_t> below(points.size(), 0);
  std::vector<int32_t> beside(points.size(), 0);
  for (int32_t host = 0; host < graph.host_count(); ++host) ++below[static_cast<size_t>(graph.host_router(host))];
  for (int32_t host = 0; host < graph.host_count(); ++host) {
    const auto router = static_cast<size_t>(graph.host_router(host));
    const double step = 0.8 / std::max(below[router], 1);
    points[static_cast<size_t>(host)] = {points[router].x + step * (beside[router]++ - 0.5 * (below[router] - 1)),
                                         points[router].y + kHostDistance};
  }
}

/// The longest queues of snapshots: by output, in bytes.
std::vector<std::map<std::string, uint64_t>> queues_of(const v1::Report& report) {
  std::vector<std::map<std::string, uint64_t>> queues;
  for (const v1::TreeSnapshot& tree : report.trees()) {
    std::map<std::string, uint64_t>& made = queues.emplace_back();
    for (const v1::TreePort& port : tree.ports()) made[port.port()] = port.bytes();
  }
  return queues;
}

/// The loads of the links that are drawn, `channels`, over simulated time.
void add_frames(const v1::Report& report, const std::vector<int32_t>& channels, Map& map) {
  map.frame_time = {"simulated time", "us"};
  map.frame_measure = {"load", "%"};
  map.frame_scale = 0.1;
  for (const v1::LinkInterval& interval : report.link_series().intervals()) {
    // Many links have no series.
    if (interval.permille_size() != report.links_size()) return;
    Map::Frame& frame = map.frames.emplace_back();
    frame.end = interval.end_seconds() * 1e6;
    frame.values.reserve(channels.size());
    for (const int32_t channel : channels) frame.values.push_back(static_cast<int32_t>(interval.permille(channel)));
  }
}

}  // namespace

html::Map network_map(const system::SystemGraph& graph, const v1::Report& report) {
  Map map;
  map.title = "Network";
  map.measures = {{"load", "%"}, {"time without credits", "us"}, {"sent", "MB"}};
  for (const v1::TreeSnapshot& tree : report.trees())
    map.measures.push_back({fmt::format("congested queue at {:g} us", tree.seconds() * 1e6), "kB"});
  const auto hosts = static_cast<size_t>(graph.host_count());
  const auto channels = static_cast<size_t>(graph.channel_count());
  const auto of_host = [&](int32_t channel) {
    return static_cast<size_t>(graph.channel_source(channel).element) < hosts ||
           static_cast<size_t>(graph.channel_target(channel).element) < hosts;
  };
  if (channels == 0) {
    map.note = "There are no links.";
    return map;
  }
  const bool with_hosts = channels <= kMostEdges;
  size_t shown = 0;
  for (size_t channel = 0; channel < channels; ++channel)
    shown += with_hosts || !of_host(static_cast<int32_t>(channel)) ? 1 : 0;
  if (shown > kMostEdges || static_cast<size_t>(report.links_size()) != channels) {
    map.note =
        fmt::format("Not drawn: {} directions of links are more than a page can show; --json has them all.", channels);
    return map;
  }
  std::vector<Point> points = router_points(graph);
  if (with_hosts) add_hosts(graph, points);
  if (!with_hosts) map.note = "Hosts and their links are left out.";
  const size_t first = with_hosts ? 0 : hosts;
  const std::vector<std::map<std::string, uint64_t>> queues = queues_of(report);
  for (size_t i = first; i < points.size(); ++i)
    map.nodes.push_back({points[i].x, points[i].y, i < hosts, graph.elements[i].name});
  std::vector<int32_t> drawn;
  for (int32_t channel = 0; channel < graph.channel_count(); ++channel) {
    if (!with_hosts && of_host(channel)) continue;
    drawn.push_back(channel);
    const v1::LinkReport& link = report.links(channel);
    const auto from = static_cast<size_t>(graph.channel_source(channel).element);
    const auto to = static_cast<size_t>(graph.channel_target(channel).element);
    const double length = std::hypot(points[to].x - points[from].x, points[to].y - points[from].y);
    Map::Edge& edge = map.edges.emplace_back();
    edge.from = static_cast<int32_t>(from - first);
    edge.to = static_cast<int32_t>(to - first);
    edge.bent = is_lattice(graph) && length > kLongestStraight;
    edge.label = link.name();
    edge.values = {link.utilization() * 100, link.credit_stall_seconds() * 1e6,
                   static_cast<double>(link.bytes()) / 1e6};
    // The output that sends into the link is the first part of its name.
    const std::string output = link.name().substr(0, link.name().find("->"));
    for (const std::map<std::string, uint64_t>& queue : queues) {
      const auto found = queue.find(output);
      edge.values.push_back(found == queue.end() ? 0 : static_cast<double>(found->second) / 1e3);
    }
  }
  add_frames(report, drawn, map);
  if (const int unknown = report.link_series().unknown_size(); unknown > 0) {
    map.note += fmt::format(
        "{}The loads over time of {} directions of links are not known: they begin at boards, or at workers that do "
        "not tell.",
        map.note.empty() ? "" : " ", unknown);
  }
  return map;
}

}  // namespace fabrictwin::dashboards::pages
