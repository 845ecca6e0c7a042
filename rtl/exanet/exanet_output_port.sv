// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An output port: two output VCs whose words are merged into the output register. Footers are marked there while too many words wait for the port
/// (docs/models/exanet-congestion.md).
module exanet_output_port #(
    /// Bits of a word: 128, 256 or 512. Header and footer are the low 128 bits of a word of their own.
    parameter int unsigned DataWidth = exanet_pkg::DataWidth,
    /// Ports of the router.
    parameter int unsigned NumPorts = 7,
    /// Number of this port.
    parameter int unsigned Port = 0,
    localparam int unsigned NumInputs = NumPorts * exanet_pkg::NumVcs,
    localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1
) (
    input  logic                                          clk_i,
    /// Synchronous, active low.
    input  logic                                          rst_ni,
    /// Credits of each VC after reset; there are never more. Constant.
    input  logic [exanet_pkg::CreditWidth-1:0]            initial_credits_i,
    /// When packets are marked; constant.
    input  exanet_pkg::marking_t                          marking_i,
    /// The port leads to a host and marks also without credits; constant.
    input  logic                                          mark_host_i,
    /// Packets that want VC 0 (low half) and VC 1, by input VC.
    input  logic [2*NumInputs-1:0]                        request_i,
    /// State of the input VCs; see exanet_input_vc.
    input  logic [NumInputs*exanet_pkg::LengthStride-1:0] length_i,
    input  logic [NumInputs-1:0]                          routed_i,
    input  logic [NumInputs*InputIdWidth-1:0]             want_i,
    input  logic [NumInputs*exanet_pkg::CreditWidth-1:0]  count_i,
    input  logic [NumInputs-1:0]                          valid_i,
    input  logic [NumInputs*DataWidth-1:0]                data_i,
    input  logic [NumInputs-1:0]                          first_i,
    input  logic [NumInputs-1:0]                          last_i,
    /// Grants and taken words, by input VC.
    output logic [NumInputs-1:0]                          grant_o,
    output logic [NumInputs-1:0]                          pop_o,
    /// The word to the link: registered, and taken at an edge where both valid and ready are high.
    output logic                                          tx_valid_o,
    output logic                                          tx_vc_o,
    output logic                                          tx_sop_o,
    output logic                                          tx_eop_o,
    output logic [DataWidth-1:0]                          tx_data_o,
    input  logic                                          tx_ready_i,
    /// Credits from the link.
    input  logic                                          credit_valid_i,
    input  logic                                          credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0]            credit_count_i,
    /// A packet waits for a free VC only because that lacks credits.
    output logic                                          credit_stall_o,
    /// Sticky: more credits came back than were used.
    output logic                                          error_o
);

  logic [2*NumInputs-1:0] grant;
  logic [1:0] owned, candidate, enough, stall, error;
  logic [2*InputIdWidth-1:0] owner;
  logic [InputIdWidth-1:0] chosen;
  logic pick, any_candidate, load, chosen_last;
  logic [exanet_pkg::MarkWidth-1:0] queue;  ///< Words that wait for this port, as a footer leaves.
  /* verilator lint_off UNUSEDSIGNAL */
  logic [NumInputs*exanet_pkg::MarkWidth-1:0] sums;
  /* verilator lint_on UNUSEDSIGNAL */
  logic eligible, mark;

  logic served_q;  ///< The VC that was served last.
  logic tx_valid_q, tx_vc_q, tx_sop_q, tx_eop_q;
  logic [DataWidth-1:0] tx_data_q;
  logic [exanet_pkg::MarkWidth-1:0] unmarked_q;  ///< Eligible packets that pass before the next mark.

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    exanet_output_vc #(
        .NumPorts(NumPorts)
    ) i_vc (
        .clk_i,
        .rst_ni,
        .initial_credits_i,
        .request_i     (request_i[NumInputs*v+:NumInputs]),
        .length_i,
        .grant_o       (grant[NumInputs*v+:NumInputs]),
        .owned_o       (owned[v]),
        .owner_o       (owner[InputIdWidth*v+:InputIdWidth]),
        .release_i     (load && chosen_last && pick == (v == 1)),
        .credit_valid_i(credit_valid_i && credit_vc_i == (v == 1)),
        .credit_count_i,
        .enough_o      (enough[v]),
        .stall_o       (stall[v]),
        .error_o       (error[v])
    );
    assign candidate[v] = owned[v] && valid_i[owner[InputIdWidth*v+:InputIdWidth]];
  end

  assign grant_o = grant[NumInputs-1:0] | grant[2*NumInputs-1:NumInputs];
  assign any_candidate = candidate != 2'b00;
  assign pick = candidate == 2'b11 ? !served_q : candidate[1];
  assign chosen = pick ? owner[2*InputIdWidth-1:InputIdWidth] : owner[InputIdWidth-1:0];
  assign chosen_last = last_i[chosen];
  assign load = any_candidate && (!tx_valid_q || tx_ready_i);
  assign pop_o = load ? NumInputs'(1) << chosen : '0;

  // The sum is guarded by where it decides, so that a simulation without marks does not spend time on it. Its adders form a tree.
  always_comb begin
    sums = '0;
    if (load && chosen_last && marking_i.threshold != '0) begin
      for (int i = 0; i < NumInputs; i++) begin
        if (routed_i[i] && want_i[InputIdWidth*i+1+:InputIdWidth-1] == (InputIdWidth-1)'(Port)) begin
          sums[exanet_pkg::MarkWidth*i+:exanet_pkg::CreditWidth] = count_i[exanet_pkg::CreditWidth*i+:exanet_pkg::CreditWidth];
        end
      end
      for (int level = 0; level < InputIdWidth; level++) begin
        for (int i = 0; i + (1 << level) < NumInputs; i = i + (2 << level)) begin
          sums[exanet_pkg::MarkWidth*i+:exanet_pkg::MarkWidth] = sums[exanet_pkg::MarkWidth*i+:exanet_pkg::MarkWidth] +
                                                                 sums[exanet_pkg::MarkWidth*(i+(1<<level))+:exanet_pkg::MarkWidth];
        end
      end
    end
  end
  assign queue = sums[exanet_pkg::MarkWidth-1:0];
  assign eligible = queue > marking_i.threshold && (enough[pick] || mark_host_i) &&
                    length_i[exanet_pkg::LengthStride*chosen+:exanet_pkg::LengthWidth] >= marking_i.least;
  assign mark = eligible && unmarked_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      // So that VC 0 is served first.
      served_q <= 1'b1;
      tx_valid_q <= 1'b0;
      tx_vc_q <= 1'b0;
      tx_sop_q <= 1'b0;
      tx_eop_q <= 1'b0;
      tx_data_q <= '0;
      unmarked_q <= '0;
    end else if (load) begin
      served_q <= pick;
      tx_valid_q <= 1'b1;
      tx_vc_q <= pick;
      tx_sop_q <= first_i[chosen];
      tx_eop_q <= chosen_last;
      tx_data_q <= data_i[DataWidth*chosen+:DataWidth];
      if (mark) tx_data_q[exanet_pkg::MarkBit] <= 1'b1;
      if (eligible) unmarked_q <= mark ? marking_i.rate : unmarked_q - 1'b1;
    end else if (tx_ready_i) begin
      tx_valid_q <= 1'b0;
    end
  end

  assign tx_valid_o = tx_valid_q;
  assign tx_vc_o = tx_vc_q;
  assign tx_sop_o = tx_sop_q;
  assign tx_eop_o = tx_eop_q;
  assign tx_data_o = tx_data_q;
  assign credit_stall_o = stall != 2'b00;
  assign error_o = error != 2'b00;

endmodule
