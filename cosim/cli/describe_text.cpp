// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/cli/describe_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "cosim/base/text.h"
#include "cosim/experiment/congestion_text.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "cosim/report/values_text.h"
#include "workloads/tenants.h"

namespace fabrictwin::cli {
namespace {

constexpr size_t kMaxElements = 6;
constexpr size_t kMaxCutLinks = 24;
/// Where the texts of the experiment begin, and where cut links go on that are too long for a line.
constexpr size_t kColumn = 12;
constexpr size_t kFurther = 4;

std::string stop_text(const experiment::Experiment& experiment) {
  const std::string end = experiment.stop_at_workload_end ? "at workload end" : "";
  if (experiment.stop_after.is_never()) return end;
  return fmt::format("{}{}after {}", end, end.empty() ? "" : ", ", to_string(experiment.stop_after));
}

std::string elements_text(const system::Plan& plan, const system::PartitionPlan& partition) {
  std::string text;
  for (size_t i = 0; i < std::min(partition.elements.size(), kMaxElements); ++i) {
    text += (i == 0 ? "" : " ") + plan.graph.elements[partition.elements[i]].name;
  }
  if (partition.elements.size() > kMaxElements)
    text += fmt::format(" and {} more", partition.elements.size() - kMaxElements);
  if (!partition.packets.empty()) text += fmt::format("; routers that are packets: {}", partition.packets.size());
  return text;
}

/// The numbers of the cut links, ascending.
std::vector<int32_t> cut_links(const system::Plan& plan) {
  std::vector<int32_t> links;
  for (const int32_t channel : plan.cut_channels) {
    if (channel % 2 == 0) links.push_back(channel / 2);
  }
  return links;
}

/// The least latency of cut links.
Time lookahead(const system::Plan& plan) {
  Time least = Time::never();
  for (const int32_t channel : plan.cut_channels) least = std::min(least, plan.channel_link(channel).latency);
  return least;
}

/// The hosts of a partition that have a part in the workload.
int64_t busy_in(const system::Plan& plan, const system::PartitionPlan& partition, const std::vector<bool>& busy) {
  return std::count_if(partition.elements.begin(), partition.elements.end(), [&](system::ElementId id) {
    return id < plan.graph.host_count() && busy[static_cast<size_t>(id)];
  });
}

/// By what --split has cut.
std::string split_text(const std::vector<bool>& busy) {
  const auto active = std::count(busy.begin(), busy.end(), true);
  const std::string load =
      active == std::ssize(busy)
          ? "all hosts have a part in the workload"
          : fmt::format(
                "{} of {} hosts have a part in the workload, and the others, with routers on no shortest path "
                "between those, count for next to nothing",
                active, busy.size());
  return report::wrapped("split", 12, "into parts of about as much work: " + load);
}

std::string partitions_table(const system::Plan& plan, const std::vector<bool>& busy) {
  std::vector<int> cuts(plan.partitions.size(), 0);
  for (const int32_t channel : plan.cut_channels) ++cuts[plan.source_partition(channel)];
  std::vector<std::string> header = {"partition", "kind", "place", "cut links", "elements"};
  if (!busy.empty()) header.emplace_back("busy hosts");
  header.emplace_back("which");
  const size_t which = header.size() - 1;
  report::TextTable table(std::move(header));
  for (const size_t column : {size_t{1}, size_t{2}, which}) table.align_left(column);
  for (size_t i = 0; i < plan.partitions.size(); ++i) {
    const system::PartitionPlan& partition = plan.partitions[i];
    std::vector<std::string> row = {partition.name, v1::Implementation_Name(partition.implementation),
                                    plan.places[partition.place].name, fmt::format("{}", cuts[i]),
                                    fmt::format("{}", partition.elements.size())};
    if (!busy.empty()) row.push_back(fmt::format("{}", busy_in(plan, partition, busy)));
    row.push_back(elements_text(plan, partition));
    table.add(std::move(row));
  }
  return table.text();
}

/// A table of the kinds of links, with the number of each.
std::string links_table(const system::SystemGraph& graph) {
  std::map<std::tuple<std::string, int64_t, int64_t>, int> kinds;
  for (const system::Link& link : graph.links) {
    // Hosts are the first ends of their links.
    const system::Element& first = graph.elements[link.ends[0].element];
    const bool host = first.kind == system::ElementKind::kHost;
    ++kinds[{!host                                                           ? "router"
             : first.ports[static_cast<size_t>(link.ends[0].port)] == "tile" ? "tile"
                                                                             : "host port",
             link.rate.bits_per_second, link.latency.fs()}];
  }
  report::TextTable table({"link", "number", "rate", "latency"});
  for (const auto& [kind, count] : kinds) {
    table.add({std::get<0>(kind), fmt::format("{}", count), to_string(Bandwidth{std::get<1>(kind)}),
               to_string(Time::from_fs(std::get<2>(kind)))});
  }
  return table.text();
}

std::string dot_name(std::string_view name) { return fmt::format("\"{}\"", name); }

/// What is between the hosts.
std::string system_text(const experiment::Experiment& experiment, const system::SystemGraph& graph) {
  const int32_t hosts = graph.host_count();
  if (graph.has_card()) return fmt::format("topology    {}: {} hosts, a card\n", graph.topology, hosts);
  return fmt::format("topology    {}: {} hosts, {} routers\n", graph.topology, hosts, graph.router_count()) +
         fmt::format("routers     {}, {}, {} words{} of buffer for each port and VC\n",
                     v1::RouterModel_Name(experiment.router.model), to_string(experiment.router.clock),
                     graph.buffer_words, graph.external ? fmt::format(" of {} bits", graph.words.word_bits) : "");
}

}  // namespace

std::string describe_text(const experiment::Experiment& experiment, const system::Plan& plan,
                          const std::vector<bool>& busy) {
  const system::SystemGraph& graph = plan.graph;
  std::string text;
  text += fmt::format("experiment  {}\n", experiment.file);
  text += system_text(experiment, graph);
  if (!graph.routing.empty()) text += report::wrapped("routing", kColumn, graph.routing);
  if (const std::string congestion = experiment::congestion_text(experiment); !congestion.empty())
    text += report::wrapped("congestion", kColumn, congestion);
  text += report::wrapped("workload", kColumn, workloads::kind_of(experiment).text(experiment));
  text += fmt::format("stop        {}\n", stop_text(experiment));
  text += fmt::format("seed        {}\n", experiment.seed);
  if (!busy.empty()) text += split_text(busy);
  text += "\npartitions\n" + partitions_table(plan, busy);
  if (!graph.links.empty()) text += "\nlinks\n" + links_table(graph);
  const std::vector<int32_t> cuts = cut_links(plan);
  if (cuts.empty()) return text;
  text += fmt::format("\ncut links (partitions may be {} apart in simulated time)\n", to_string(lookahead(plan)));
  for (size_t i = 0; i < std::min(cuts.size(), kMaxCutLinks); ++i) {
    const system::Link& link = plan.channel_link(2 * cuts[i]);
    text +=
        report::wrapped(fmt::format("  {} - {}:", graph.end_name(link.ends[0]), graph.end_name(link.ends[1])), kFurther,
                        fmt::format("{} - {}", plan.partitions[plan.partition_of[link.ends[0].element]].name,
                                    plan.partitions[plan.partition_of[link.ends[1].element]].name));
  }
  if (cuts.size() > kMaxCutLinks) text += fmt::format("  and {} more (--json has all)\n", cuts.size() - kMaxCutLinks);
  return text;
}

std::string describe_json(const experiment::Experiment& experiment, const system::Plan& plan,
                          const std::vector<bool>& busy) {
  using nlohmann::ordered_json;
  const system::SystemGraph& graph = plan.graph;
  ordered_json json;
  json["experiment"] = experiment.file;
  json["topology"] = graph.topology;
  json["hosts"] = graph.host_count();
  json["routers"] = graph.router_count();
  json["dims"] = graph.dims;
  if (!graph.routing.empty()) json["routing"] = graph.routing;
  json["router_model"] = v1::RouterModel_Name(experiment.router.model);
  if (const std::string congestion = experiment::congestion_text(experiment); !congestion.empty())
    json["congestion"] = congestion;
  json["router_clock_hertz"] = experiment.router.clock.hertz;
  json["buffer_words"] = graph.buffer_words;
  json["word_bits"] = graph.words.word_bits;
  json["workload"] = workloads::kind_of(experiment).text(experiment);
  json["stop"] = stop_text(experiment);
  json["seed"] = experiment.seed;
  if (const std::vector<int32_t> cuts = cut_links(plan); !cuts.empty())
    json["lookahead_seconds"] = lookahead(plan).seconds();
  json["places"] = ordered_json::array();
  for (const system::Place& place : plan.places) json["places"].push_back(place.name);
  json["partitions"] = ordered_json::array();
  for (const system::PartitionPlan& partition : plan.partitions) {
    ordered_json elements = ordered_json::array();
    for (const system::ElementId id : partition.elements) elements.push_back(graph.elements[id].name);
    ordered_json described = {{"name", partition.name},
                              {"kind", v1::Implementation_Name(partition.implementation)},
                              {"place", plan.places[partition.place].name},
                              {"elements", std::move(elements)}};
    if (!busy.empty()) described["busy_hosts"] = busy_in(plan, partition, busy);
    for (const system::ElementId id : partition.packets) described["packets"].push_back(graph.elements[id].name);
    json["partitions"].push_back(std::move(described));
  }
  json["links"] = ordered_json::array();
  for (const system::Link& link : graph.links) {
    json["links"].push_back(
        {{"ends", {graph.end_name(link.ends[0]), graph.end_name(link.ends[1])}},
         {"bits_per_second", link.rate.bits_per_second},
         {"latency_fs", link.latency.fs()},
         {"cut", plan.partition_of[link.ends[0].element] != plan.partition_of[link.ends[1].element]}});
  }
  return report::json_text(json) + "\n";
}

std::string describe_dot(const system::Plan& plan) {
  const system::SystemGraph& graph = plan.graph;
  std::string text = "graph fabrictwin {\n  node [shape=box];\n";
  for (size_t i = 0; i < plan.partitions.size(); ++i) {
    const system::PartitionPlan& partition = plan.partitions[i];
    text += fmt::format("  subgraph cluster_{} {{\n    label=\"{} ({} at {})\";\n", i, partition.name,
                        v1::Implementation_Name(partition.implementation), plan.places[partition.place].name);
    for (const system::ElementId id : partition.elements) {
      const system::Element& element = graph.elements[id];
      text += fmt::format("    {}{};\n", dot_name(element.name),
                          element.kind == system::ElementKind::kHost ? " [shape=ellipse]" : "");
    }
    text += "  }\n";
  }
  for (const system::Link& link : graph.links) {
    const bool cut = plan.partition_of[link.ends[0].element] != plan.partition_of[link.ends[1].element];
    text += fmt::format(
        "  {} -- {} [taillabel=\"{}\" headlabel=\"{}\"{}];\n", dot_name(graph.elements[link.ends[0].element].name),
        dot_name(graph.elements[link.ends[1].element].name),
        graph.elements[link.ends[0].element].ports[link.ends[0].port],
        graph.elements[link.ends[1].element].ports[link.ends[1].port], cut ? " style=bold color=red" : "");
  }
  return text + "}\n";
}

std::string estimate_text(const run::Estimate& estimate) {
  constexpr double kMiB = 1 << 20;
  std::string text = fmt::format("wall    {}\nmemory  {:.0f} MiB\n", report::seconds_text(estimate.wall_seconds),
                                 estimate.memory_bytes / kMiB);
  text += estimate.share < 1 ? fmt::format("from    {}, in which {:.3g} % of the workload was done\n",
                                           report::seconds_text(estimate.simulated_seconds), 100 * estimate.share)
                             : "from    the whole run, which was over\n";
  return text;
}

std::string estimate_json(const experiment::Experiment& experiment, const run::Estimate& estimate) {
  nlohmann::ordered_json json;
  json["experiment"] = experiment.file;
  json["wall_seconds"] = estimate.wall_seconds;
  json["memory_bytes"] = static_cast<uint64_t>(estimate.memory_bytes);
  json["simulated_wall_seconds"] = estimate.simulated_seconds;
  json["share"] = estimate.share;
  return report::json_text(json) + "\n";
}

}  // namespace fabrictwin::cli
