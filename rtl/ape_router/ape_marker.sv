// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Which packets an output port marks as having met congestion: of those that may be marked, one, and then `rate_i` not. docs/models/exanet-congestion.md
/// is the contract.
module ape_marker #(
    localparam int unsigned SumWidth = ape_router_pkg::SumWidth,
    localparam int unsigned MarkWidth = ape_router_pkg::MarkWidth
) (
    input  logic                 clk_i,
    /// Synchronous, active low.
    input  logic                 rst_ni,
    /// More words than this must wait; zero marks nothing.
    input  logic [MarkWidth-1:0] threshold_i,
    input  logic [MarkWidth-1:0] rate_i,
    /// Words that wait for the port.
    input  logic [SumWidth-1:0]  queue_i,
    /// A footer goes into the output register; its packet is long enough and the port is the root of the congestion.
    input  logic                 footer_i,
    input  logic                 large_i,
    input  logic                 root_i,
    /// It is marked.
    output logic                 mark_o
);

  logic [MarkWidth-1:0] left_q;  ///< Packets that could be marked until the next one is.
  logic eligible;

  assign eligible = footer_i && large_i && root_i && threshold_i != '0 && queue_i > SumWidth'(threshold_i);
  assign mark_o = eligible && left_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) left_q <= '0;
    else if (eligible) left_q <= left_q == '0 ? rate_i : left_q - 1'b1;
  end

endmodule
