// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Small parts of the APErouter side by side, each in the shapes that routers have, for test benches of their own.
module ape_parts_top (
    input  logic         clk_i,
    input  logic         rst_ni,

    // Routing with 1, 2 and 3 dimensions and 3, 2 and 8 intra-tile ports.
    input  logic [23:0]  here_i,
    input  logic [23:0]  last_i,
    input  logic [23:0]  coordinates_i,
    input  logic [2:0]   ties_i,
    input  logic [2:0]   tile_port_i,
    input  logic         vc_i,
    input  logic [5:0]   order_i,
    input  logic         vc_by_direction_i,
    output logic [2:0]   route_valid_o,
    output logic [2:0]   route_vc_o,
    output logic [2:0]   route_port1_o,
    output logic [2:0]   route_port2_o,
    output logic [3:0]   route_port3_o,

    // Arbiters of 4 and of 10 requests.
    input  logic         enable_i,
    input  logic [3:0]   request4_i,
    input  logic [3:0]   beaten4_i,
    output logic [3:0]   grant4_o,
    input  logic [9:0]   request10_i,
    input  logic [24:0]  beaten10_i,
    output logic [9:0]   grant10_o
);

  ape_router_pkg::position_t position;
  assign position = ape_router_pkg::position(here_i, last_i);

  ape_route #(
      .IntraPorts(3),
      .InterPorts(2)
  ) i_route1 (
      .coordinates_i,
      .ties_i,
      .tile_port_i,
      .vc_i,
      .position_i(position),
      .order_i,
      .vc_by_direction_i,
      .valid_o(route_valid_o[0]),
      .port_o (route_port1_o),
      .vc_o   (route_vc_o[0])
  );
  ape_route #(
      .IntraPorts(2),
      .InterPorts(4)
  ) i_route2 (
      .coordinates_i,
      .ties_i,
      .tile_port_i,
      .vc_i,
      .position_i(position),
      .order_i,
      .vc_by_direction_i,
      .valid_o(route_valid_o[1]),
      .port_o (route_port2_o),
      .vc_o   (route_vc_o[1])
  );
  ape_route #(
      .IntraPorts(8),
      .InterPorts(6)
  ) i_route3 (
      .coordinates_i,
      .ties_i,
      .tile_port_i,
      .vc_i,
      .position_i(position),
      .order_i,
      .vc_by_direction_i,
      .valid_o(route_valid_o[2]),
      .port_o (route_port3_o),
      .vc_o   (route_vc_o[2])
  );

  ape_arbiter #(
      .NumRequests(4)
  ) i_arbiter4 (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i(request4_i),
      .beaten_i (beaten4_i),
      .grant_o  (grant4_o)
  );
  ape_arbiter #(
      .NumRequests(10)
  ) i_arbiter10 (
      .clk_i,
      .rst_ni,
      .enable_i,
      .request_i(request10_i),
      .beaten_i (beaten10_i),
      .grant_o  (grant10_o)
  );

endmodule
