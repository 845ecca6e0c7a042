// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What the transactor of a node's logic must know, with or without a system graph.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cosim/base/clock.h"
#include "rtl/router_config.h"

namespace fabrictwin {

inline constexpr int kNodeHostPort = 0;
inline constexpr int kNodeBoardLinks = 3;    ///< Ports 1 to 3.
inline constexpr int kNodeNetworkLinks = 6;  ///< Ports 4 to 9: x+, x-, y+, y-, z+, z-. Network FPGAs only.
inline constexpr int kNodePorts = 1 + kNodeBoardLinks + kNodeNetworkLinks;
inline constexpr int kNodeFirstNetworkPort = 1 + kNodeBoardLinks;
inline constexpr int kNodeDims = 3;
inline constexpr int kNodeBoardCredits = 64;     ///< Words of each VC that a board link begins with.
inline constexpr int kNodeNetworkCredits = 128;  ///< Of a network link.

enum class NodeKind : uint8_t {
  kNetwork,  ///< rtl/node/network_fpga.sv.
  kPlain,    ///< rtl/node/plain_fpga.sv.
};

/// The logic of one FPGA of a QFDB; docs/models/exanet-node.md is the contract.
struct NodeConfig {
  std::string name;  ///< "qfdb[5].router", "qfdb[5].switch[2]".
  NodeKind kind = NodeKind::kNetwork;
  uint32_t node = 0;  ///< Own number, {z, y, x, f}.
  int tile_bits = 2;  ///< Of the number, for f.
  int x_bits = 0;     ///< For x.
  int y_bits = 0;     ///< For y.
  /// Of the QFDB, and of the lattice (1 to 256 each). Network FPGAs only.
  std::array<int32_t, kNodeDims> coordinates{};
  std::array<int32_t, kNodeDims> dims{1, 1, 1};
  Clock router_clock{Frequency{1}};
  /// By port of the element. The host port needs only sender and receiver; the credits of links are those above.
  std::array<RouterPortConfig, kNodePorts> ports{};
  /// Must be empty: the tops of nodes have no waveforms yet.
  RouterWave wave;
  /// Skips clock edges at which nothing can happen. Off only to see what it changes: refresh frames of quiet links.
  bool idle_skip = true;
  /// Lets all outputs follow the inputs of their cycle before they are read, which costs an evaluation. On only to
  /// prove that where it is left out it changes nothing.
  bool always_settle = false;
};

}  // namespace fabrictwin
