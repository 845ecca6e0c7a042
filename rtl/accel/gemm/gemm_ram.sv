// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Memory with a port to write and one to read, as block RAM has them. What is read at the edge of a write to the same address is undefined.
module gemm_ram #(
    parameter int unsigned Width = 32,
    parameter int unsigned Depth = 16,
    localparam int unsigned AddressWidth = $clog2(Depth)
) (
    input  logic                    clk_i,
    input  logic                    write_i,
    input  logic [AddressWidth-1:0] write_address_i,
    input  logic [Width-1:0]        write_data_i,
    input  logic                    read_i,
    input  logic [AddressWidth-1:0] read_address_i,
    /// One cycle after `read_i`, and until the next one.
    output logic [Width-1:0]        read_data_o
);

  (* ram_style = "block" *)
  logic [Width-1:0] data_q[Depth];

  always_ff @(posedge clk_i) begin
    if (write_i) data_q[write_address_i] <= write_data_i;
    if (read_i) read_data_o <= data_q[read_address_i];
  end

endmodule
