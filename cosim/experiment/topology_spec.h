// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The topology of an experiment, checked: plain values for those who build and route it. Fields are explained where
// users write them, in topology.proto.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cosim/base/quantity.h"
#include "cosim/base/time.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::experiment {

/// One kind of link, in each direction.
struct LinkSpec {
  Bandwidth rate;
  Time latency;
};

/// See Torus in topology.proto.
struct TorusSpec {
  std::vector<int32_t> dims;
  std::vector<bool> wrap;  ///< For each dimension: true for a ring, false for a line.
  int32_t hosts_per_router = 1;
  Bandwidth link_rate;
  Time link_latency;
  Bandwidth tile_rate;
  Time tile_latency;

  /// True if the RTL routers support it: every dimension is a ring and every router has one host.
  bool plain() const;
};

/// See Exanest in topology.proto.
struct ExanestSpec {
  int32_t blades = 1;
  int32_t qfdbs = 4;  ///< The number for each blade.
  Bandwidth link_rate;
  Bandwidth board_rate;
  Time link_latency;
  Time host_latency;
};

/// See SpineLeaf in topology.proto.
struct SpineLeafSpec {
  int32_t spines = 2;
  int32_t leaves = 4;
  int32_t hosts_per_leaf = 4;
  int32_t parallel = 1;
  LinkSpec link;
  LinkSpec host;
};

/// See Tofu in topology.proto.
struct TofuSpec {
  v1::TofuGeneration generation = v1::TOFUD;
  int32_t x = 2;
  int32_t y = 2;
  int32_t z = 2;
  int32_t tnis = 6;
  LinkSpec link;
  LinkSpec host;  ///< The link of each TNI.
};

/// See BlueGeneQ in topology.proto.
struct BlueGeneQSpec {
  std::vector<int32_t> dims;  ///< Dimensions A to D.
  LinkSpec link;
  LinkSpec host;
};

/// See Dragonfly in topology.proto.
struct DragonflySpec {
  int32_t groups = 2;
  int32_t rows = 6;
  int32_t columns = 16;
  int32_t hosts_per_router = 4;
  int32_t row_links = 1;
  int32_t column_links = 3;
  int32_t global_ports = 10;  ///< The number for each router.
  int32_t global_links = 0;   ///< The number for each pair of groups; 0 if there is only one group.
  LinkSpec local;
  LinkSpec global;
  LinkSpec host;
};

/// See FatTree in topology.proto. Level l, from 1, is at index l - 1.
struct FatTreeSpec {
  std::vector<int32_t> down;      ///< The children of a router, for each level.
  std::vector<int32_t> up;        ///< The parents of a router, for each level but the last.
  std::vector<int32_t> parallel;  ///< The links from a router to each parent, for each level but the last.
  LinkSpec link;
  LinkSpec host;
};

/// See SunFireX4600 in topology.proto.
struct SunFireX4600Spec {
  LinkSpec link;
  LinkSpec host;
};

/// See Graph in topology.proto.
struct GraphSpec {
  struct Host {
    std::string name;
    int32_t router = 0;
    std::string port;  ///< The port name at the router.
    LinkSpec link;
  };
  struct Link {
    int32_t routers[2] = {0, 0};
    std::string ports[2];
    LinkSpec link;
  };
  std::vector<std::string> routers;  ///< The names of the routers.
  std::vector<Host> hosts;
  std::vector<Link> links;  ///< Parallel links are separate entries.
  Bandwidth link_rate;      ///< The rate of which loads are fractions.
};

}  // namespace fabrictwin::experiment
