// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the checks of all topologies have in common: numbers and links, with the defaults that topology.proto states.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "cosim/run/field_checker.h"
#include "cosim/run/topology_spec.h"

namespace fabrictwin {

/// Ports of a router at most, whatever the topology: what routing can tell apart (RouteOptions::kMax).
inline constexpr int32_t kMaxRouterPorts = 64;
/// Nodes of a system at most: node numbers have 24 bits in the packet header.
inline constexpr int64_t kMaxNodes = int64_t{1} << 24;
/// Router cycles that a link of routers of the model INPUT_QUEUED takes at most (IqLink::kMaxLatency).
inline constexpr int64_t kMaxInputQueuedLinkCycles = 1024;

/// Reads fields of one message of a topology by their names. Mistakes go to the checker of fields, at their place, and
/// something harmless is returned.
class TopologyReader {
 public:
  /// `path` is that of the message, "topology.fat_tree". All arguments outlive it.
  TopologyReader(const google::protobuf::Message& message, std::string path, Frequency router_clock,
                 FieldChecker& fields)
      : message_(message), path_(std::move(path)), clock_(router_clock), fields_(fields) {}

  bool has(std::string_view name) const { return fields_.places().has(path_of(name)); }
  std::string path_of(std::string_view name) const;
  void complain(std::string_view name, std::string_view message) { fields_.complain(path_of(name), message); }

  /// A whole number from `least` to `most`; its default, unless one is given, is that of topology.proto.
  int32_t number(std::string_view name, int32_t least, int32_t most, int32_t fallback = 0);
  /// The numbers of a repeated field, each from `least` to `most`; if there are none, those of topology.proto.
  std::vector<int32_t> numbers(std::string_view name, int32_t least, int32_t most);
  /// The fields KIND_rate, KIND_latency and KIND_latency_cycles.
  LinkSpec link(std::string_view kind, std::string_view rate_fallback = {});
  /// The same without KIND; what is left out is as in `fallback`.
  LinkSpec link_or(const LinkSpec& fallback);

  /// Whether a router with so many ports can be; if not, complains at a field, with what to do.
  bool check_ports(std::string_view name, std::string_view what, int64_t ports, std::string_view remedy);
  /// The same for the number of hosts, and of routers.
  bool check_nodes(std::string_view name, int64_t hosts, int64_t routers);

  /// What topology.proto says counts if a field is left out.
  std::string default_of(std::string_view name) const;

 private:
  std::string text_of(const std::string& name) const;
  /// A latency that was given in cycles takes the place of the other.
  void read_cycles(const std::string& latency, Time& time);
  /// Complains about a latency that is too long for the model of the routers.
  void check_cycles(const std::string& latency, Time time, std::string_view what);

  const google::protobuf::Message& message_;
  std::string path_;
  Frequency clock_;
  FieldChecker& fields_;
};

}  // namespace fabrictwin
