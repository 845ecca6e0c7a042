// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The sending end of a board link, behind a stream of packets: lets a packet begin only when the far buffer has space for all of it (virtual cut-through).
/// No register of its own: words come from one. Everything goes on VC 0; credits of VC 1 cannot come.
module board_link_tx #(
    /// Words of the far buffer; at most 128.
    parameter int unsigned FarWords = 64,
    localparam int unsigned FillWidth = $clog2(FarWords) + 1
) (
    input  logic                               clk_i,
    /// Synchronous, active low.
    input  logic                               rst_ni,
    /// Words of whole packets, from a register; taken at an edge where both valid and ready are high.
    input  logic                               valid_i,
    input  logic                               sop_i,
    input  logic                               eop_i,
    input  logic [exanet_pkg::DataWidth-1:0]   data_i,
    output logic                               ready_o,
    /// Words to the link, likewise.
    output logic                               tx_valid_o,
    output logic                               tx_vc_o,
    output logic                               tx_sop_o,
    output logic                               tx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]   tx_data_o,
    input  logic                               tx_ready_i,
    /// Credits from the link.
    input  logic                               credit_valid_i,
    input  logic                               credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0] credit_count_i,
    /// Words of the far buffer in use; those of a packet from its begin on.
    output logic [FillWidth-1:0]               used_o,
    /// A packet waits only for credits.
    output logic                               credit_stall_o,
    /// Sticky: credits came back that were not in use.
    output logic                               error_o
);

  localparam int unsigned CreditWidth = exanet_pkg::CreditWidth;

  if (FarWords < exanet_pkg::MaxPacketWords || FarWords > 128) begin : gen_check
    $error("board_link_tx: FarWords must hold the largest packet and fit the credit count");
  end

  logic begins, allowed, too_many, error_q;
  logic [CreditWidth-1:0] credits, length;

  assign length = CreditWidth'(exanet_pkg::packet_words(data_i[ni_pkg::PayloadBytesLow+:9]));
  assign allowed = !sop_i || credits >= length;
  assign begins = valid_i && sop_i && allowed && tx_ready_i;
  assign ready_o = tx_ready_i && allowed;
  assign tx_valid_o = valid_i && allowed;
  assign tx_vc_o = 1'b0;
  assign tx_sop_o = sop_i;
  assign tx_eop_o = eop_i;
  assign tx_data_o = data_i;
  assign used_o = FillWidth'(FarWords) - FillWidth'(credits);
  assign credit_stall_o = valid_i && !allowed;
  assign error_o = error_q || too_many;

  credit_counter #(
      .Width(CreditWidth)
  ) i_credits (
      .clk_i,
      .rst_ni,
      .initial_i(CreditWidth'(FarWords)),
      .take_i   (begins ? length : '0),
      .give_i   (credit_valid_i && !credit_vc_i ? credit_count_i : '0),
      .count_o  (credits),
      .error_o  (too_many)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_q <= 1'b0;
    else if (credit_valid_i && credit_vc_i) error_q <= 1'b1;
  end

endmodule
