// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The configuration of a node's transactor, independent of a system graph.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "cosim/base/clock.h"
#include "rtl/transactor/router/config.h"

namespace fabrictwin::rtl::node {

inline constexpr int kNodeHostPort = 0;
inline constexpr int kNodeBoardLinks = 3;    ///< Ports 1 to 3.
inline constexpr int kNodeNetworkLinks = 6;  ///< Ports 4 to 9: x+, x-, y+, y-, z+, z-. Network FPGAs only.
inline constexpr int kNodePorts = 1 + kNodeBoardLinks + kNodeNetworkLinks;
inline constexpr int kNodeFirstNetworkPort = 1 + kNodeBoardLinks;
inline constexpr int kNodeDims = 3;
inline constexpr uint32_t kNodeAddresses = 128;  ///< Nodes that the mailbox tells apart: PeerBits of rtl/node.
inline constexpr int kNodeBoardCredits = 64;     ///< Initial credits of a board link, in words of each VC.
inline constexpr int kNodeNetworkCredits = 128;  ///< Initial credits of a network link,
inline constexpr int kNodeDeepCredits =
    1152;  ///< or with the FIFOs of the prototype. All links of a node have the same.

enum class FpgaKind : uint8_t {
  kNetwork,  ///< rtl/node/network_fpga.sv.
  kPlain,    ///< rtl/node/plain_fpga.sv.
};

/// The logic of one FPGA of a QFDB; docs/models/exanet-node.md is the contract.
struct Config {
  std::string name;  ///< Name, such as "qfdb[5].router" or "qfdb[5].switch[2]".
  FpgaKind kind = FpgaKind::kNetwork;
  uint32_t node = 0;  ///< Own number, {z, y, x, f}.
  int tile_bits = 2;  ///< Bits of the number for f.
  int x_bits = 0;     ///< Bits for x.
  int y_bits = 0;     ///< Bits for y.
  /// Position of the QFDB, and sizes of the lattice (1 to 256 each). Network FPGAs only.
  std::array<int32_t, kNodeDims> coordinates{};
  std::array<int32_t, kNodeDims> dims{1, 1, 1};
  Clock router_clock{Frequency{1}};
  /// By port of the element. The host port needs only sender and receiver; the credits of links are constants
  /// above.
  std::array<router::PortConfig, kNodePorts> ports{};
  /// Must be empty: the tops of nodes have no waveforms yet.
  router::Wave wave;
  /// Skips clock edges at which nothing can happen. Disabled only to observe refresh frames of quiet links.
  bool idle_skip = true;
  /// Evaluates combinational outputs in every cycle before they are read, at the cost of an evaluation. Enabled only to
  /// prove that skipping this changes nothing.
  bool always_settle = false;
};

}  // namespace fabrictwin::rtl::node
