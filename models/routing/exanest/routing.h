// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Routing in the FPGAs of a QFDB: docs/models/exanet-node.md.
#pragma once

#include <cstdint>
#include <vector>

#include "models/routing/lattice/torus_routing.h"
#include "models/routing/routing.h"

namespace fabrictwin::routing::exanest {

/// The router of F1: the torus of boards in dimension order (X, Y, Z; highest first), then the FPGA of the board.
/// Ports: 0 network interface, 1 to 3 the other FPGAs, 4 + 2d and 5 + 2d "+" and "-" of dimension d.
class NetworkFpgaRouting : public Routing {
 public:
  NetworkFpgaRouting(std::vector<int32_t> dims, std::vector<int32_t> here);
  Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const override;

  static constexpr int32_t kBoardPorts = 3;

 private:
  lattice::TorusRouting torus_;
  std::vector<int32_t> here_;
};

/// The switch of F2 to F4: a table of the board, and F1 for all other boards. Ports: 0 network interface, 1 to 3 the
/// other FPGAs in rising order. Uses VC 0 only.
class PlainFpgaRouting : public Routing {
 public:
  /// `address` is that of this node; its two low bits are the FPGA.
  explicit PlainFpgaRouting(uint32_t address) : address_(address) {}
  Hop route(const link::PacketHeader& header, int32_t in_port, int32_t in_vc) const override;

 private:
  uint32_t address_;
};

}  // namespace fabrictwin::routing::exanest
