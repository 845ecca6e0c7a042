// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Where a packet goes next: dimension by dimension in a programmable order, in the shorter direction round each ring. No state.
module ape_route #(
    parameter int unsigned IntraPorts = 3,
    /// Two for each dimension: "+" then "-" of X, then Y, then Z.
    parameter int unsigned InterPorts = 2,
    localparam int unsigned PortWidth = $clog2(IntraPorts + InterPorts)
) (
    input  logic [3*ape_router_pkg::CoordWidth-1:0] coordinates_i,
    input  logic [2:0]                              ties_i,
    input  logic [2:0]                              tile_port_i,
    /// VC on which the packet came: it keeps it when it leaves through the tile.
    input  logic                                    vc_i,
    /// The own position in the lattice.
    input  ape_router_pkg::position_t               position_i,
    /// Dimension to consume first in bits 1..0, then 3..2, then 5..4; 3 is none.
    input  logic [5:0]                              order_i,
    /// The VC is the sign of the shortest path instead of the sign of the difference of the coordinates.
    input  logic                                    vc_by_direction_i,
    /// The destination is inside the lattice and a port leads there.
    output logic                                    valid_o,
    output logic [PortWidth-1:0]                    port_o,
    output logic                                    vc_o
);

  localparam int unsigned Dims = InterPorts / 2;

  logic [3:0] differs, minus, upper, covered;  // By dimension; bit 3 is always zero.
  logic inside_lattice;
  logic [7:0] to;
  logic [9:0] limit;
  logic [1:0] dimension;

  always_comb begin
    differs = '0;
    minus = '0;
    upper = '0;
    inside_lattice = 1'b1;
    for (int d = 0; d < 3; d++) begin
      to = coordinates_i[8*d+:8];
      differs[d] = to != position_i.here[8*d+:8];
      if (d < Dims) begin
        if (to > position_i.last[8*d+:8]) inside_lattice = 1'b0;
        upper[d] = to > position_i.here[8*d+:8];
        limit = upper[d] ? position_i.above[10*d+:10] : position_i.below[10*d+:10];
        minus[d] = {2'b01, to} > limit || ({2'b01, to} == limit && position_i.even[d] && ties_i[d]);
        if (vc_by_direction_i) upper[d] = !minus[d];
      end
    end
  end

  always_comb begin
    covered = '0;
    port_o = PortWidth'(tile_port_i);
    vc_o = vc_i;
    dimension = '0;
    // The first dimension of the order is looked at last, so that it overrides.
    for (int rank = 2; rank >= 0; rank--) begin
      dimension = order_i[2*rank+:2];
      for (int d = 0; d < Dims; d++) begin
        if (dimension == 2'(d)) begin
          covered[d] = 1'b1;
          if (differs[d]) begin
            port_o = minus[d] ? PortWidth'(IntraPorts + 2 * d + 1) : PortWidth'(IntraPorts + 2 * d);
            vc_o = upper[d];
          end
        end
      end
    end
    valid_o = inside_lattice && (differs & ~covered) == '0 && (differs != '0 || {1'b0, tile_port_i} < 4'(IntraPorts));
  end

endmodule
