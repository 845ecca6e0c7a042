// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Small systems of every kind for tests of routing, joined here so that they depend on no builder.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "cosim/experiment/experiment.h"
#include "cosim/system/system_graph.h"
#include "fmt/format.h"
#include "models/routing/router_graph.h"

namespace fabrictwin {

/// Builds a graph of routers and hosts; ports get the next number. Names: router[i], host[i].
class SmallSystem {
 public:
  SmallSystem(system::TopologyFamily family, std::string name, int32_t hosts, int32_t routers) : hosts_(hosts) {
    graph_.family = family;
    graph_.topology = std::move(name);
    for (int32_t i = 0; i < hosts; ++i)
      graph_.elements.push_back({fmt::format("host[{}]", i), system::ElementKind::kHost, i, {}, {"nic"}});
    for (int32_t i = 0; i < routers; ++i)
      graph_.elements.push_back({fmt::format("router[{}]", i), system::ElementKind::kRouter, i, {}, {}});
  }

  int32_t add_port(int32_t router, std::string name) {
    std::vector<std::string>& ports = graph_.elements[hosts_ + router].ports;
    ports.push_back(std::move(name));
    return static_cast<int32_t>(ports.size()) - 1;
  }
  void set_coordinates(int32_t router, std::vector<int32_t> at) {
    graph_.elements[hosts_ + router].coordinates = std::move(at);
  }
  void join_host(int32_t host, int32_t router) {
    join({host, 0},
         {hosts_ + router, add_port(router, fmt::format("h{}", graph_.elements[hosts_ + router].ports.size()))});
  }
  void join_ports(int32_t a, int32_t port_a, int32_t b, int32_t port_b) {
    join({hosts_ + a, port_a}, {hosts_ + b, port_b});
  }
  void join_routers(int32_t a, int32_t b) {
    const int32_t port_a = add_port(a, fmt::format("p{}", graph_.elements[hosts_ + a].ports.size()));
    const int32_t port_b = add_port(b, fmt::format("p{}", graph_.elements[hosts_ + b].ports.size()));
    join_ports(a, port_a, b, port_b);
  }
  system::SystemGraph build(std::vector<int32_t> dims = {}) {
    graph_.dims = std::move(dims);
    graph_.build_index();
    return std::move(graph_);
  }

 private:
  void join(system::LinkEnd a, system::LinkEnd b) {
    graph_.links.push_back({{a, b}, Bandwidth{10'000'000'000}, Time::from_ns(120), 64});
  }

  int32_t hosts_;
  system::SystemGraph graph_;
};

/// A lattice of rings and lines, as many hosts on each router as asked for.
inline system::SystemGraph small_lattice(const std::vector<int32_t>& dims, const std::vector<bool>& rings,
                                         int32_t each = 1) {
  static constexpr const char* kNames[] = {"x", "y", "z", "a", "b", "c"};
  int32_t routers = 1;
  std::string name = "lattice";
  for (const int32_t size : dims) {
    routers *= size;
    name += fmt::format(" {}", size);
  }
  SmallSystem system(system::TopologyFamily::kLattice, name, routers * each, routers);
  std::vector<int32_t> strides;
  for (int32_t router = 0; router < routers; ++router) {
    for (int32_t host = 0; host < each; ++host) system.join_host(router * each + host, router);
    std::vector<int32_t> at;
    int32_t stride = 1;
    for (size_t d = 0; d < dims.size(); ++d) {
      at.push_back(router / stride % dims[d]);
      if (router == 0) strides.push_back(stride);
      stride *= dims[d];
      system.add_port(router, std::string(kNames[d]) + "+");
      system.add_port(router, std::string(kNames[d]) + "-");
    }
    system.set_coordinates(router, at);
  }
  for (int32_t router = 0; router < routers; ++router) {
    for (size_t d = 0; d < dims.size(); ++d) {
      const int32_t here = router / strides[d] % dims[d];
      if (dims[d] == 1 || (!rings[d] && here == dims[d] - 1)) continue;
      const int32_t next = router + ((here + 1) % dims[d] - here) * strides[d];
      const auto port = each + 2 * static_cast<int32_t>(d);
      system.join_ports(router, port, next, port + 1);
    }
  }
  return system.build(dims);
}

inline system::SystemGraph small_torus(const std::vector<int32_t>& dims, int32_t each = 1) {
  return small_lattice(dims, std::vector<bool>(dims.size(), true), each);
}

/// A k-ary n-tree of n levels, or with `up` below k a tapered one, `parallel` links to each parent.
inline system::SystemGraph small_tree(int32_t down, int32_t up, int32_t levels, int32_t parallel = 1) {
  // Level l has down^(levels - l - 1) subtrees of up^l routers each.
  const auto power = [](int32_t base, int32_t exponent) {
    int32_t result = 1;
    for (int32_t i = 0; i < exponent; ++i) result *= base;
    return result;
  };
  std::vector<int32_t> first = {0};
  for (int32_t level = 0; level < levels; ++level)
    first.push_back(first.back() + power(down, levels - level - 1) * power(up, level));
  const int32_t hosts = power(down, levels);
  SmallSystem system(system::TopologyFamily::kTree, fmt::format("tree {} {} {}", down, up, levels), hosts,
                     first.back());
  for (int32_t host = 0; host < hosts; ++host) system.join_host(host, host / down);
  for (int32_t level = 0; level + 1 < levels; ++level) {
    const int32_t width = power(up, level);
    for (int32_t subtree = 0; subtree < power(down, levels - level - 1); ++subtree) {
      for (int32_t place = 0; place < width; ++place) {
        for (int32_t u = 0; u < up; ++u) {
          for (int32_t k = 0; k < parallel; ++k) {
            system.join_routers(first[level] + subtree * width + place,
                                first[level + 1] + subtree / down * width * up + place + u * width);
          }
        }
      }
    }
  }
  return system.build();
}

/// Groups of rows x columns routers with one host each; `global_links` between each two groups, from router to router
/// in turn.
inline system::SystemGraph small_dragonfly(int32_t groups, int32_t rows, int32_t columns, int32_t global_links,
                                           int32_t parallel = 1) {
  const int32_t size = rows * columns;
  SmallSystem system(system::TopologyFamily::kDragonfly, fmt::format("dragonfly {} {} {}", groups, rows, columns),
                     groups * size, groups * size);
  for (int32_t router = 0; router < groups * size; ++router) {
    system.join_host(router, router);
    system.set_coordinates(router, {router % columns, router / columns % rows, router / size});
  }
  for (int32_t a = 0; a < groups * size; ++a) {
    for (int32_t b = a + 1; b / size == a / size; ++b) {
      if (a / columns != b / columns && a % columns != b % columns) continue;
      for (int32_t k = 0; k < parallel; ++k) system.join_routers(a, b);
    }
  }
  std::vector<int32_t> used(static_cast<size_t>(groups));
  for (int32_t a = 0; a < groups; ++a) {
    for (int32_t b = a + 1; b < groups; ++b) {
      for (int32_t k = 0; k < global_links; ++k)
        system.join_routers(a * size + used[a]++ % size, b * size + used[b]++ % size);
    }
  }
  return system.build({columns, rows, groups});
}

/// The eight sockets of a twisted ladder: two rails with a crossing in the middle, a host on each.
inline system::SystemGraph small_ladder() {
  SmallSystem system(system::TopologyFamily::kOther, "ladder", 8, 8);
  for (int32_t i = 0; i < 8; ++i) system.join_host(i, i);
  for (const auto& [a, b] : std::vector<std::pair<int32_t, int32_t>>{
           {0, 1}, {0, 2}, {1, 3}, {2, 3}, {2, 5}, {3, 4}, {4, 5}, {4, 6}, {5, 7}, {6, 7}, {0, 7}})
    system.join_routers(a, b);
  return system.build();
}

/// A ring of routers of a graph without any structure that routing knows.
inline system::SystemGraph small_ring(int32_t size) {
  SmallSystem system(system::TopologyFamily::kOther, fmt::format("ring {}", size), size, size);
  for (int32_t i = 0; i < size; ++i) system.join_host(i, i);
  for (int32_t i = 0; i < size; ++i) system.join_routers(i, (i + 1) % size);
  return system.build();
}

}  // namespace fabrictwin
