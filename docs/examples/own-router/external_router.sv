// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The router as external_router_shell expects it, so that it goes onto a card: docs/boards.md.
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
    /// A torus is known by its coordinates, so neither the number of the router nor which of its ports lead where matter.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [31:0]                  node_i,
    input  logic [23:0]                  coordinates_i,
    input  logic [23:0]                  last_i,
    input  logic [NumPorts-1:0]          port_enable_i,
    input  logic [NumPorts-1:0]          port_host_i,
    /* verilator lint_on UNUSEDSIGNAL */
    input  logic [8*NumPorts-1:0]        initial_credits_i,
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
    input  logic [NumPorts-1:0]          credit_valid_i,
    input  logic [VcWidth*NumPorts-1:0]  credit_vc_i,
    input  logic [8*NumPorts-1:0]        credit_count_i,
    output logic                         idle_o,
    output logic [NumPorts-1:0]          stalled_o,
    output logic [NumPorts-1:0]          error_o
);

  if (NumPorts != 5 || WordBits != 64 || Vcs != 4 || VcWidth != 2 || CreditWords != 1 || BufferCredits != 32) begin : gen_check
    $error("external_router: this router has five ports with 4 VCs of 64-bit words, a credit for each, and buffers for 32");
  end

  own_router i_router (
      .clk_i,
      .rst_ni,
      .x_i              (coordinates_i[7:0]),
      .y_i              (coordinates_i[15:8]),
      .size_x_i         (last_i[7:0] + 8'd1),
      .size_y_i         (last_i[15:8] + 8'd1),
      .initial_credits_i,
      .rx_valid_i,
      .rx_first_i,
      .rx_last_i,
      .rx_vc_i,
      .rx_data_i,
      .credit_valid_o,
      .credit_vc_o,
      .tx_valid_o,
      .tx_first_o,
      .tx_last_o,
      .tx_vc_o,
      .tx_data_o,
      .tx_ready_i,
      .credit_valid_i,
      .credit_vc_i,
      .credit_count_i,
      .stalled_o,
      .idle_o
  );

  // Each credit is for one word, and the router does not watch its links.
  assign credit_count_o = {NumPorts{8'd1}};
  assign error_o = '0;

endmodule
