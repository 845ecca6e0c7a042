// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Where packets of one input VC go, by destination node, for networks that are no torus. Distributed memory: one write port, one read port without a
/// clock. Undefined until written.
module exanet_route_table #(
    /// 1 to 1024.
    parameter int unsigned Entries = 1024,
    /// Bits of an entry: valid, output port, output VC.
    parameter int unsigned RouteWidth = 5
) (
    input  logic                                     clk_i,
    /// Writes `data_i` at `address_i`; an address beyond the table is ignored.
    input  logic                                     we_i,
    input  logic [exanet_pkg::TableAddressWidth-1:0] address_i,
    input  logic [RouteWidth-1:0]                    data_i,
    /// The route to a node; not valid if the table does not have it.
    input  logic [23:0]                              destination_i,
    output logic [RouteWidth-1:0]                    route_o
);

  localparam int unsigned AddressWidth = Entries > 1 ? $clog2(Entries) : 1;

  logic [RouteWidth-1:0] table_q[Entries];

  always_ff @(posedge clk_i) begin
    if (we_i && 32'(address_i) < Entries) table_q[address_i[AddressWidth-1:0]] <= data_i;
  end

  always_comb begin
    route_o = '0;
    if (32'(destination_i) < Entries) route_o = table_q[destination_i[AddressWidth-1:0]];
  end

endmodule
