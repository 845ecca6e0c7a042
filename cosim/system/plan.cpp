// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/system/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "cosim/base/address.h"
#include "cosim/base/text.h"
#include "cosim/experiment/location_map.h"
#include "cosim/system/hardware_check.h"
#include "cosim/system/host_rules.h"

namespace fabrictwin::system {
namespace {

/// Builds one plan.
class Planner {
 public:
  Planner(const experiment::Experiment& experiment, Plan& plan)
      : experiment_(experiment), rules_(experiment), plan_(plan), diagnostics_(experiment.file) {}

  absl::Status make() {
    rule_of_.assign(plan_.graph.elements.size(), kNoRule);
    for (size_t rule = 0; rule < experiment_.uses.size(); ++rule) apply(static_cast<int32_t>(rule));
    if (diagnostics_.empty()) check_modelled();
    if (diagnostics_.empty()) place_hosts(experiment_, plan_.graph, rule_of_, diagnostics_);
    if (diagnostics_.empty()) check_packet_nodes();
    if (diagnostics_.empty()) check_long_links();
    if (diagnostics_.empty()) check_boards();
    if (!diagnostics_.empty()) return diagnostics_.status();
    make_partitions();
    find_cuts();
    return absl::OkStatus();
  }

 private:
  void complain(const experiment::UseSpec& use, std::string_view message) { diagnostics_.add(use.source, message); }

  void apply(int32_t rule) {
    const experiment::UseSpec& use = experiment_.uses[rule];
    const absl::StatusOr<std::vector<ElementId>> selected = select_elements(plan_.graph, use.select);
    if (!selected.ok()) return complain(use, message_of(selected.status()));
    if (!check_depth(use, *selected) || !check_hosts(use, *selected) || !check_router_model(use)) return;
    if (use.implementation != v1::MODEL)
      capabilities().modelled ? check_hardware(experiment_, plan_.graph, use, diagnostics_) : check_external(use);
    for (const ElementId element : *selected) rule_of_[element] = rule;
  }

  const experiment::RouterCapabilities& capabilities() const {
    return experiment_.capabilities.of(experiment_.router.model);
  }

  /// Checks whether elements can be of another model than the experiment's routers.
  bool check_depth(const experiment::UseSpec& use, const std::vector<ElementId>& selected) {
    if (use.depth == v1::ROUTER_MODEL_UNSPECIFIED || use.depth == experiment_.router.model) return true;
    const std::string name = v1::RouterModel_Name(use.depth);
    if (!experiment_.capabilities.of(use.depth).coarse || capabilities().content != link::LinkType::Content::kWords) {
      complain(use, fmt::format("depth {} beside routers of the model {} is not possible: one side of such links must "
                                "be {}, and the other one must move words; write router {{ model: EXANET }}, and depth "
                                "for what is less deep",
                                name, v1::RouterModel_Name(experiment_.router.model),
                                experiment_.capabilities.models_with(&experiment::RouterCapabilities::coarse)));
      return false;
    }
    const std::string nodes_obstacle =
        fmt::format("routers of nodes can be {} only; write that",
                    experiment_.capabilities.models_with(&experiment::RouterCapabilities::coarse_nodes));
    std::string_view obstacle;
    if (!capabilities().modelled) {
      obstacle = "where packets become words, they are those of ExaNet; write router { model: EXANET }";
    } else if (plan_.graph.has_nodes()) {
      if (std::none_of(selected.begin(), selected.end(),
                       [&](ElementId id) { return plan_.graph.elements[id].kind == ElementKind::kNode; }))
        obstacle = "hosts and their network interfaces are the same at all depths; select their nodes";
      else if (!experiment_.capabilities.of(use.depth).coarse_nodes)
        obstacle = nodes_obstacle;
    } else if (experiment_.host.nic_spec.has_value() || experiment_.hardware_congestion.has_value()) {
      obstacle = "only plain network interfaces are alike at both depths; leave host.nic and congestion out";
    } else if (std::any_of(plan_.graph.elements.begin(), plan_.graph.elements.end(), [](const Element& element) {
                 return element.kind == ElementKind::kHost && element.ports.size() > 1;
               })) {
      obstacle = "hosts with several ports may receive messages out of order; use a topology with one port for each";
    }
    if (obstacle.empty()) return true;
    refuse_depth(use, obstacle);
    return false;
  }

  void refuse_depth(const experiment::UseSpec& use, std::string_view obstacle) {
    complain(use, fmt::format("depth {} is not possible in {}: {}", v1::RouterModel_Name(use.depth),
                              plan_.graph.topology, obstacle));
  }

  /// Complains about routers that would be models where there is no model of them.
  void check_modelled() {
    if (capabilities().modelled) return;
    for (ElementId id = plan_.graph.host_count(); id < static_cast<ElementId>(rule_of_.size()); ++id) {
      const int32_t rule = rule_of_[id];
      if (rule != kNoRule && experiment_.uses[rule].implementation != v1::MODEL) continue;
      diagnostics_.add(
          rule == kNoRule ? experiment_.router_location : experiment_.uses[rule].source,
          fmt::format("{} would be a model, and there is none of routers of the model {}; write a rule that "
                      "makes it RTL, of router.library or at a worker that has it",
                      plan_.graph.elements[id].name, v1::RouterModel_Name(experiment_.router.model)));
      return;
    }
  }

  /// Complains about rules that make nodes packets, if the experiment wants what those cannot do.
  void check_packet_nodes() {
    const experiment::StatisticsSpec& statistics = experiment_.statistics;
    std::string_view obstacle;
    if (plan_.graph.marking.enabled()) {
      obstacle = "routers that are packets do not mark packets; leave congestion out";
    } else if (statistics.packet_trace.has_value() || statistics.occupancy_interval > Time::zero()) {
      obstacle = "packet_trace and occupancy_interval look at words in routers; leave them out";
    }
    if (obstacle.empty()) return;
    std::set<int32_t> rules;
    for (size_t id = 0; id < rule_of_.size(); ++id) {
      if (plan_.graph.elements[id].kind == ElementKind::kNode && rules_.is_coarse(rule_of_[id]))
        rules.insert(rule_of_[id]);
    }
    for (const int32_t rule : rules) refuse_depth(experiment_.uses[rule], obstacle);
  }

  /// Complains about rules by whose depth both ends of a link are, if it takes more cycles than such routers know.
  void check_long_links() {
    for (const Link& link : plan_.graph.links) {
      const int32_t rule = rule_of_[link.ends[0].element];
      const v1::RouterModel depth = rules_.depth_of(rule);
      if (!rules_.is_coarse(rule) || rules_.depth_of(rule_of_[link.ends[1].element]) != depth) continue;
      const int64_t most = experiment_.capabilities.of(depth).most_link_cycles;
      const int64_t cycles = plan_.graph.router_clock.edge_at_or_after(link.latency + link.word_clock().period());
      if (cycles <= most) continue;
      return refuse_depth(
          experiment_.uses[rule],
          fmt::format("the link between {} and {} takes {} cycles of the routers with a word, and {} is the most; make "
                      "it shorter, router.clock slower, or the depth of these routers PACKET",
                      plan_.graph.elements[link.ends[0].element].name, plan_.graph.elements[link.ends[1].element].name,
                      cycles, most));
    }
  }

  bool check_hosts(const experiment::UseSpec& use, const std::vector<ElementId>& selected) {
    if (use.implementation == v1::MODEL) return true;
    for (const ElementId id : selected) {
      const Element& element = plan_.graph.elements[id];
      if (element.kind != ElementKind::kHost) continue;
      complain(use,
               fmt::format("\"{}\" selects {}, which cannot be {}: hosts hold the workload, as models; select {}s, "
                           "as in \"{}\"",
                           use.select, element.name, v1::Implementation_Name(use.implementation), logic_kind(),
                           logic_of(element, use.select == "*")));
      return false;
    }
    return true;
  }

  /// The element (router or node) to which a host is linked.
  const Element& logic(const Element& host) const { return plan_.graph.elements[plan_.graph.host_router(host.node)]; }
  std::string_view logic_kind() const { return plan_.graph.has_nodes() ? "node" : "router"; }
  std::string logic_of(const Element& host, bool all) const {
    return all && !plan_.graph.all_logic.empty() ? plan_.graph.all_logic : logic(host).name;
  }

  /// Checks what routers of the model can be: flits or packets that are only numbers mean nothing to RTL.
  bool check_router_model(const experiment::UseSpec& use) {
    if (use.implementation == v1::MODEL || capabilities().hardware) return true;
    complain(use,
             fmt::format("routers of the model {} cannot be {} (\"{}\"); leave the rule out, or use routers of the "
                         "model {}{}",
                         v1::RouterModel_Name(experiment_.router.model), v1::Implementation_Name(use.implementation),
                         use.select, experiment_.capabilities.models_with(&experiment::RouterCapabilities::hardware),
                         capabilities().coarse ? fmt::format(", of which those that stay models have the depth {}",
                                                             v1::RouterModel_Name(experiment_.router.model))
                                               : ""));
    return false;
  }

  /// What routers of a user's own can do is not known here, but soft boards are not made of them.
  void check_external(const experiment::UseSpec& use) {
    const bool started = use.place == "inproc" || is_local_worker(use) || mpi_rank(use.place).has_value();
    if (started && experiment_.router.library.empty()) {
      complain(use,
               fmt::format("\"{}\" would be RTL at {}, and no library has the RTL of these {} routers; write router "
                           "{{ library: \"FILE.so\" }}, or the address of a worker that has them",
                           use.select, use.place, v1::RouterModel_Name(experiment_.router.model)));
    }
    if (!experiment::is_started_board(use.place)) return;
    complain(
        use,
        fmt::format(
            "\"{}\" selects boards that the run starts, which hold {} routers, and these are {}; write the address of "
            "a board agent, or implementation: RTL",
            use.select, v1::RouterModel_Name(v1::EXANET), v1::RouterModel_Name(experiment_.router.model)));
  }

  /// Checks boards: an agent serves one board, and a board is one element.
  void check_boards() {
    std::map<std::string, std::string> element_at;
    std::map<std::string, v1::Implementation> kind_at;
    for (size_t id = 0; id < rule_of_.size(); ++id) {
      if (rule_of_[id] == kNoRule) continue;
      const experiment::UseSpec& use = experiment_.uses[rule_of_[id]];
      if (is_local(use)) continue;
      const bool board = use.implementation == v1::BOARD;
      const auto [kind, fresh] = kind_at.emplace(use.place, use.implementation);
      if (!fresh && (kind->second == v1::BOARD) != board) {
        complain(use, fmt::format("{} cannot be both a worker and a board agent; give one of them another address",
                                  use.place));
      }
      if (!board) continue;
      const std::string& name = plan_.graph.elements[id].name;
      const auto [other, first] = element_at.emplace(use.place, name);
      if (!first)
        complain(use,
                 fmt::format(
                     "several elements ({} and {}) on the board at {}: a board is one element; give each its own agent",
                     other->second, name, use.place));
    }
  }

  /// True for a place that the run starts itself, whose text does not identify one particular process.
  static bool is_local(const experiment::UseSpec& use) {
    return use.place == "inproc" || experiment::is_started_board(use.place) || is_local_worker(use);
  }

  Place make_place(const experiment::UseSpec& use) {
    Place place;
    if (experiment::is_started_board(use.place)) {
      place.kind = PlaceKind::kSoftBoard;
      place.shell = use.place == experiment::kShellBoard;
      place.transport = Transport::kUnix;
    } else if (is_local_worker(use)) {
      place.kind = PlaceKind::kLocalWorker;
      place.transport = use.place == "worker:shm"    ? Transport::kShm
                        : use.place == "worker:unix" ? Transport::kUnix
                                                     : Transport::kTcp;
    } else if (const auto rank = mpi_rank(use.place); rank.has_value() && use.implementation != v1::BOARD) {
      place.kind = PlaceKind::kMpiRank;
      place.transport = Transport::kMpi;
      place.rank = *rank;
    } else {
      place.kind = use.implementation == v1::BOARD ? PlaceKind::kBoardAgent : PlaceKind::kRemoteWorker;
      place.transport = use.place.starts_with("unix:") ? Transport::kUnix : Transport::kTcp;
      place.address = use.place;
    }
    const int number = ++places_named_[use.place];
    place.name = number == 1 ? use.place : fmt::format("{}#{}", use.place, number);
    return place;
  }

  /// The place at which an element of this rule runs; created on first use.
  int32_t place_of(int32_t rule, ElementId element) {
    if (rule == kNoRule || experiment_.uses[rule].place == "inproc") return 0;
    const experiment::UseSpec& use = experiment_.uses[rule];
    // There is one board that the run starts for each element, one local worker for each rule, and one place for each
    // address.
    std::string key = use.place;
    if (experiment::is_started_board(use.place)) {
      key = fmt::format("{} {}", use.place, element);
    } else if (is_local(use)) {
      key = fmt::format("rule {}", rule);
    }
    const auto [it, fresh] = place_by_key_.emplace(key, static_cast<int32_t>(plan_.places.size()));
    if (fresh) plan_.places.push_back(make_place(use));
    return it->second;
  }

  void make_partitions() {
    Place here;
    here.name = "inproc";
    plan_.places.push_back(here);
    // Places are numbered in the order of rules, not of elements, so that worker:shm#2 is the second rule with
    // worker:shm.
    std::vector<int32_t> place(rule_of_.size(), 0);
    std::vector<ElementId> order(rule_of_.size());
    for (size_t id = 0; id < order.size(); ++id) order[id] = static_cast<ElementId>(id);
    std::stable_sort(order.begin(), order.end(), [&](ElementId a, ElementId b) { return rule_of_[a] < rule_of_[b]; });
    for (const ElementId id : order) place[id] = place_of(rule_of_[id], id);

    const auto implementation = [&](ElementId id) { return rules_.implementation_of(rule_of_[id]); };
    plan_.partition_of.assign(rule_of_.size(), -1);
    std::vector<std::vector<ElementId>> elements_at(plan_.places.size());
    for (size_t id = 0; id < place.size(); ++id) elements_at[place[id]].push_back(static_cast<ElementId>(id));
    for (size_t p = 0; p < plan_.places.size(); ++p) {
      PartitionPlan models = make_models("models", static_cast<int32_t>(p), experiment_.router.model);
      std::map<v1::RouterModel, PartitionPlan> coarser;
      for (const ElementId id : elements_at[p]) {
        if (implementation(id) != v1::MODEL) continue;
        const bool coarse = rules_.is_coarse(rule_of_[id]);
        // Network interfaces of nodes are the same at both depths, and share a kernel of SystemC.
        if (coarse && !plan_.graph.has_nodes()) {
          const v1::RouterModel depth = rules_.depth_of(rule_of_[id]);
          const bool packets = experiment_.capabilities.of(depth).content == link::LinkType::Content::kPackets;
          coarser.try_emplace(depth, make_models(packets ? "packets" : "flits", static_cast<int32_t>(p), depth))
              .first->second.elements.push_back(id);
          continue;
        }
        models.elements.push_back(id);
        if (coarse && plan_.graph.elements[id].kind == ElementKind::kNode) models.packets.push_back(id);
      }
      if (!models.elements.empty()) add(std::move(models));
      for (auto& [depth, partition] : coarser) add(std::move(partition));
      for (const ElementId id : elements_at[p]) {
        if (implementation(id) == v1::MODEL) continue;
        PartitionPlan one;
        one.name = plan_.graph.elements[id].name;
        one.implementation = implementation(id);
        one.depth = experiment_.router.model;
        one.place = static_cast<int32_t>(p);
        one.elements.push_back(id);
        add(std::move(one));
      }
    }
  }

  PartitionPlan make_models(std::string_view name, int32_t place, v1::RouterModel depth) const {
    PartitionPlan models;
    models.name = place == 0 ? std::string(name) : fmt::format("{}@{}", name, plan_.places[place].name);
    models.place = place;
    models.depth = depth;
    models.link_type = {experiment_.capabilities.of(depth).content, experiment_.router.vcs};
    return models;
  }

  void add(PartitionPlan partition) {
    for (const ElementId id : partition.elements)
      plan_.partition_of[id] = static_cast<int32_t>(plan_.partitions.size());
    plan_.partitions.push_back(std::move(partition));
  }

  void find_cuts() {
    for (int32_t channel = 0; channel < plan_.graph.channel_count(); ++channel) {
      if (plan_.source_partition(channel) != plan_.target_partition(channel)) plan_.cut_channels.push_back(channel);
    }
  }

  const experiment::Experiment& experiment_;
  Rules rules_;
  Plan& plan_;
  experiment::DiagnosticList diagnostics_;
  std::vector<int32_t> rule_of_;  ///< For each element, the last rule that selects it.
  std::map<std::string, int32_t> place_by_key_;
  std::map<std::string, int> places_named_;
};

}  // namespace

absl::StatusOr<Plan> make_plan(const experiment::Experiment& experiment, SystemGraph graph) {
  Plan plan;
  plan.graph = std::move(graph);
  plan.graph.build_index();
  if (const absl::Status status = Planner(experiment, plan).make(); !status.ok()) return status;
  absl::StatusOr<std::vector<ChannelFault>> faults = find_word_faults(experiment, plan);
  if (!faults.ok()) return faults.status();
  plan.faults = *std::move(faults);
  return plan;
}

}  // namespace fabrictwin::system
