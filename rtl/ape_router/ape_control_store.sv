// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Header and footer words of both VCs of an input port in one block RAM: no more than one word comes in at an edge, so one write port is enough. The VCs
/// share the read port, which is in turn where both ask: a packet needs it twice.
module ape_control_store #(
    /// Packets of each VC: a power of two.
    parameter int unsigned HeaderDepth = 128,
    localparam int unsigned IndexWidth = HeaderDepth < 2 ? 1 : $clog2(HeaderDepth)
) (
    input  logic                                   clk_i,
    /// Synchronous, active low.
    input  logic                                   rst_ni,
    /// The word from the link is a header or a footer, on a VC, and the packet's slot there.
    input  logic                                   write_i,
    input  logic                                   write_vc_i,
    input  logic                                   write_footer_i,
    input  logic [IndexWidth-1:0]                  write_index_i,
    input  logic [ape_router_pkg::HeaderWidth-1:0] data_i,
    /// A VC wants the header or the footer of a packet; VC 0 in the low part. Granted, it is in `data_o` after the edge, until the next grant.
    input  logic [1:0]                             fetch_i,
    input  logic [1:0]                             fetch_footer_i,
    input  logic [2*IndexWidth-1:0]                fetch_index_i,
    output logic [1:0]                             grant_o,
    output logic [ape_router_pkg::HeaderWidth-1:0] data_o
);

  (* ram_style = "block" *)
  logic [ape_router_pkg::HeaderWidth-1:0] memory_q[4*HeaderDepth];
  logic [ape_router_pkg::HeaderWidth-1:0] data_q;  ///< The output register of the RAM.
  logic served_q;                                  ///< VC of the last grant.
  logic vc;

  assign vc = fetch_i[1] && (!fetch_i[0] || !served_q);
  assign grant_o = {fetch_i[1] && vc, fetch_i[0] && !vc};
  assign data_o = data_q;

  always_ff @(posedge clk_i) begin
    if (write_i) memory_q[{write_vc_i, write_footer_i, write_index_i}] <= data_i;
    if (fetch_i != 2'b00) begin
      data_q <= memory_q[{
          vc, fetch_footer_i[vc], vc ? fetch_index_i[2*IndexWidth-1:IndexWidth] : fetch_index_i[IndexWidth-1:0]
      }];
    end
    if (!rst_ni) served_q <= 1'b1;
    else if (fetch_i != 2'b00) served_q <= vc;
  end

endmodule
