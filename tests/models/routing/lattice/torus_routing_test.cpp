// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "models/routing/lattice/torus_routing.h"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "rapidcheck/gtest.h"

namespace fabrictwin {
namespace {

class Lattice {
 public:
  explicit Lattice(std::vector<int32_t> dims) : dims_(std::move(dims)) {
    nodes_ = std::accumulate(dims_.begin(), dims_.end(), 1, std::multiplies<>());
    for (int32_t node = 0; node < nodes_; ++node)
      routers_.emplace_back(dims_, routing::lattice::torus_coordinates(dims_, node));
  }
  int32_t nodes() const { return nodes_; }
  const routing::lattice::TorusRouting& router(int32_t node) const { return routers_[node]; }

  link::PacketHeader header(int32_t destination, uint8_t ties) const {
    link::PacketHeader header;
    const std::vector<int32_t> there = routing::lattice::torus_coordinates(dims_, destination);
    for (size_t d = 0; d < std::min<size_t>(3, there.size()); ++d)
      header.coordinates[d] = static_cast<uint8_t>(there[d]);
    header.destination = static_cast<uint32_t>(destination);
    header.ties = ties;
    return header;
  }

  int32_t neighbour(int32_t node, int32_t port) const {
    const int32_t d = (port - 1) / 2;
    int32_t stride = 1;
    for (int32_t i = 0; i < d; ++i) stride *= dims_[i];
    const int32_t here = node / stride % dims_[d];
    const int32_t next = (here + (port % 2 == 1 ? 1 : dims_[d] - 1)) % dims_[d];
    return node + (next - here) * stride;
  }

  int32_t distance(int32_t a, int32_t b) const {
    const auto from = routing::lattice::torus_coordinates(dims_, a);
    const auto to = routing::lattice::torus_coordinates(dims_, b);
    int32_t hops = 0;
    for (size_t d = 0; d < dims_.size(); ++d) {
      const int32_t forward = (to[d] - from[d] + dims_[d]) % dims_[d];
      hops += std::min(forward, dims_[d] - forward);
    }
    return hops;
  }

 private:
  std::vector<int32_t> dims_;
  int32_t nodes_;
  std::vector<routing::lattice::TorusRouting> routers_;
};

// Every packet reaches its destination in the least number of hops, in lattices of any number of dimensions.
RC_GTEST_PROP(TorusRouting, IsMinimal, ()) {
  const int dimensions = *rc::gen::inRange(1, 6);
  std::vector<int32_t> dims;
  for (int d = 0; d < dimensions; ++d) dims.push_back(*rc::gen::inRange(1, 6));
  const Lattice lattice(dims);
  const int32_t source = *rc::gen::inRange(0, lattice.nodes());
  const int32_t destination = *rc::gen::inRange(0, lattice.nodes());
  const link::PacketHeader header = lattice.header(destination, *rc::gen::arbitrary<uint8_t>());
  int32_t node = source;
  int32_t hops = 0;
  routing::Hop hop = lattice.router(node).route(header, 0, 0);
  for (; hop.port != routing::lattice::TorusRouting::kTilePort; hop = lattice.router(node).route(header, 0, hop.vc)) {
    node = lattice.neighbour(node, hop.port);
    RC_ASSERT(++hops <= lattice.distance(source, destination));
  }
  RC_ASSERT(node == destination);
  RC_ASSERT(hops == lattice.distance(source, destination));
}

// The class of VCs as the RTL has it: 1 where the coordinate is below that of the destination.
TEST(TorusRouting, TheVcSaysOnWhichSideOfTheDestinationAPacketIs) {
  const Lattice lattice({5, 4});
  for (int32_t source = 0; source < lattice.nodes(); ++source) {
    for (int32_t destination = 0; destination < lattice.nodes(); ++destination) {
      if (source == destination) continue;
      const routing::Hop hop = lattice.router(source).route(lattice.header(destination, 0), 0, 0);
      const auto d = static_cast<size_t>((hop.port - 1) / 2);
      EXPECT_EQ(hop.vc, routing::lattice::torus_coordinates({5, 4}, destination)[d] >
                                routing::lattice::torus_coordinates({5, 4}, source)[d]
                            ? 1
                            : 0);
    }
  }
}

// A cycle in "a packet that holds channel a may wait for channel b" would be a deadlock (Dally and Seitz 1987).
bool dependencies_are_acyclic(const Lattice& lattice, uint8_t ties) {
  using Channel = std::tuple<int32_t, int32_t, int32_t>;  // node, port, vc
  std::map<Channel, std::set<Channel>> follows;
  for (int32_t source = 0; source < lattice.nodes(); ++source) {
    for (int32_t destination = 0; destination < lattice.nodes(); ++destination) {
      const link::PacketHeader header = lattice.header(destination, ties);
      int32_t node = source;
      routing::Hop hop = lattice.router(node).route(header, 0, 0);
      while (hop.port != routing::lattice::TorusRouting::kTilePort) {
        const Channel held{node, hop.port, hop.vc};
        node = lattice.neighbour(node, hop.port);
        hop = lattice.router(node).route(header, 0, hop.vc);
        if (hop.port != routing::lattice::TorusRouting::kTilePort) follows[held].insert({node, hop.port, hop.vc});
      }
    }
  }
  std::map<Channel, int> state;  // 1: on the path, 2: done
  const auto visit = [&](auto&& self, const Channel& channel) -> bool {
    if (state[channel] != 0) return state[channel] == 2;
    state[channel] = 1;
    for (const Channel& next : follows[channel]) {
      if (!self(self, next)) return false;
    }
    state[channel] = 2;
    return true;
  };
  for (const auto& entry : std::map(follows)) {
    if (!visit(visit, entry.first)) return false;
  }
  return true;
}

TEST(TorusRouting, HasNoCyclicDependencyOnRingsOfAnySize) {
  for (int32_t size = 2; size <= 9; ++size) {
    for (const uint8_t ties : {0, 1})
      EXPECT_TRUE(dependencies_are_acyclic(Lattice({size}), ties)) << "ring of " << size;
  }
}

TEST(TorusRouting, HasNoCyclicDependencyInThreeDimensions) {
  for (const uint8_t ties : {0, 5, 7}) EXPECT_TRUE(dependencies_are_acyclic(Lattice({4, 3, 5}), ties));
}

}  // namespace
}  // namespace fabrictwin
