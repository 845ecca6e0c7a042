// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What stands for a user's router where only its shell is looked at: it sends each word back as it came.
module external_router #(
    parameter int unsigned NumPorts = 5,
    parameter int unsigned WordBits = 64,
    parameter int unsigned Vcs = 4,
    parameter int unsigned VcWidth = 2,
    parameter int unsigned CreditWords = 1,
    parameter int unsigned BufferCredits = 32
) (
    input  logic                         clk_i,
    input  logic                         rst_ni,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [31:0]                  node_i,
    input  logic [23:0]                  coordinates_i,
    input  logic [23:0]                  last_i,
    input  logic [NumPorts-1:0]          port_enable_i,
    input  logic [NumPorts-1:0]          port_host_i,
    input  logic [8*NumPorts-1:0]        initial_credits_i,
    input  logic [NumPorts-1:0]          credit_valid_i,
    input  logic [VcWidth*NumPorts-1:0]  credit_vc_i,
    input  logic [8*NumPorts-1:0]        credit_count_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [NumPorts-1:0]          rx_valid_i,
    input  logic [VcWidth*NumPorts-1:0]  rx_vc_i,
    input  logic [NumPorts-1:0]          rx_first_i,
    input  logic [NumPorts-1:0]          rx_last_i,
    input  logic [WordBits*NumPorts-1:0] rx_data_i,
    output logic [NumPorts-1:0]          credit_valid_o,
    output logic [VcWidth*NumPorts-1:0]  credit_vc_o,
    output logic [8*NumPorts-1:0]        credit_count_o,
    output logic [NumPorts-1:0]          tx_valid_o,
    output logic [VcWidth*NumPorts-1:0]  tx_vc_o,
    output logic [NumPorts-1:0]          tx_first_o,
    output logic [NumPorts-1:0]          tx_last_o,
    output logic [WordBits*NumPorts-1:0] tx_data_o,
    input  logic [NumPorts-1:0]          tx_ready_i,
    output logic                         idle_o,
    output logic [NumPorts-1:0]          stalled_o,
    output logic [NumPorts-1:0]          error_o
);

  assign credit_count_o = {NumPorts{8'd1}};
  assign idle_o = tx_valid_o == '0 && credit_valid_o == '0;
  assign stalled_o = '0;
  // A word is lost where one has not left yet.
  assign error_o = rx_valid_i & tx_valid_o & ~tx_ready_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tx_valid_o <= '0;
      credit_valid_o <= '0;
    end else begin
      tx_valid_o <= rx_valid_i | (tx_valid_o & ~tx_ready_i);
      credit_valid_o <= rx_valid_i;
    end
    credit_vc_o <= rx_vc_i;
    for (int p = 0; p < NumPorts; p++) begin
      if (rx_valid_i[p]) begin
        tx_vc_o[VcWidth*p+:VcWidth] <= rx_vc_i[VcWidth*p+:VcWidth];
        tx_first_o[p] <= rx_first_i[p];
        tx_last_o[p] <= rx_last_i[p];
        tx_data_o[WordBits*p+:WordBits] <= rx_data_i[WordBits*p+:WordBits];
      end
    end
  end

endmodule
