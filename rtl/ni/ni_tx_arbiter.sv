// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Puts the packets of several senders on the tile port: whole packets, round robin among those for which the neighbour has buffer space for all of it.
/// A sender whose VC lacks credits is passed over, so answers (VC 1) never wait for the buffer space of requests (VC 0).
/// The length in a packet's header frames it; the last word is replaced by the footer with the CRC unless the sender makes its own.
module ni_tx_arbiter #(
    parameter int unsigned NumSenders = 3,
    /// Senders whose packets have a footer of their own.
    parameter bit [NumSenders-1:0] Footed = '0
) (
    input  logic                                          clk_i,
    /// Synchronous, active low.
    input  logic                                          rst_ni,
    /// Credits of each VC after reset; there are never more. Constant, at least the largest packet.
    input  logic [exanet_pkg::CreditWidth-1:0]            initial_credits_i,

    /// Words of the senders. A sender that offers the first word of a packet has all of it: `valid` stays until the last word is taken.
    input  logic [NumSenders-1:0]                         valid_i,
    /// VC of the packet; constant within it.
    input  logic [NumSenders-1:0]                         vc_i,
    input  logic [NumSenders*exanet_pkg::DataWidth-1:0]   data_i,
    output logic [NumSenders-1:0]                         ready_o,

    /// The tile port; a word is taken at an edge where both valid and ready are high.
    output logic                                          tx_valid_o,
    output logic                                          tx_vc_o,
    output logic                                          tx_sop_o,
    output logic                                          tx_eop_o,
    output logic [exanet_pkg::DataWidth-1:0]              tx_data_o,
    input  logic                                          tx_ready_i,
    input  logic                                          credit_valid_i,
    input  logic                                          credit_vc_i,
    input  logic [exanet_pkg::CreditWidth-1:0]            credit_count_i,
    /// By VC: a packet waits only for credits.
    output logic [1:0]                                    credit_stall_o,
    /// Sticky: more credits came back than were used; the count stays at its initial value.
    output logic                                          error_o
`ifdef FORMAL
    ,
    /// {request, owner, busy, words left, credits of VC 1, of VC 0}, for the proofs.
    output logic [2*NumSenders+21:0]                      formal_o
`endif
);

  logic [NumSenders-1:0] request, grant, owner, owner_q;
  logic busy_q, load, first, last;
  logic [exanet_pkg::LengthWidth-1:0] left_q;    ///< Words still to come after the ones taken.
  logic [exanet_pkg::LengthWidth-1:0] length;    ///< The words of the packet that is granted.
  logic [NumSenders*exanet_pkg::LengthWidth-1:0] lengths;
  logic [2*exanet_pkg::CreditWidth-1:0] credits;  ///< VC 0 in the low part.
  logic [1:0] too_many;
  logic [exanet_pkg::DataWidth-1:0] word;
  logic word_vc;
  logic [31:0] crc_q;

  logic tx_valid_q, tx_vc_q, tx_sop_q, tx_eop_q;
  logic [exanet_pkg::DataWidth-1:0] tx_data_q;

  for (genvar s = 0; s < NumSenders; s++) begin : gen_sender
    // A slice instead of header_t, since Yosys does not know the members of a struct within a generate block.
    assign lengths[exanet_pkg::LengthWidth*s+:exanet_pkg::LengthWidth] = exanet_pkg::packet_words(data_i[exanet_pkg::DataWidth*s+ni_pkg::PayloadBytesLow+:9]);
    assign request[s] = valid_i[s] && (vc_i[s] ? credits[exanet_pkg::CreditWidth+:exanet_pkg::CreditWidth] : credits[0+:exanet_pkg::CreditWidth]) >=
                        {3'd0, lengths[exanet_pkg::LengthWidth*s+:exanet_pkg::LengthWidth]};
  end

  round_robin_arbiter #(
      .NumRequests(NumSenders)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (!busy_q && load),
      .request_i(request),
      .grant_o  (grant)
  );

  assign load = !tx_valid_q || tx_ready_i;
  assign owner = busy_q ? owner_q : grant;
  assign ready_o = load ? owner : '0;
  assign first = !busy_q;
  assign last = busy_q && left_q == 5'd1;

  always_comb begin
    word = '0;
    length = '0;
    word_vc = 1'b0;
    for (int s = 0; s < NumSenders; s++) begin
      if (owner[s]) begin
        word = data_i[exanet_pkg::DataWidth*s+:exanet_pkg::DataWidth];
        length = lengths[exanet_pkg::LengthWidth*s+:exanet_pkg::LengthWidth];
        word_vc = vc_i[s];
      end
    end
  end

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    credit_counter #(
        .Width(exanet_pkg::CreditWidth)
    ) i_credits (
        .clk_i,
        .rst_ni,
        .initial_i(initial_credits_i),
        .take_i   (grant != '0 && word_vc == (v == 1) ? exanet_pkg::CreditWidth'(length) : '0),
        .give_i   (credit_valid_i && credit_vc_i == (v == 1) ? credit_count_i : '0),
        .count_o  (credits[exanet_pkg::CreditWidth*v+:exanet_pkg::CreditWidth]),
        .error_o  (too_many[v])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      owner_q <= '0;
      left_q <= '0;
      crc_q <= '0;
      tx_valid_q <= 1'b0;
      tx_vc_q <= 1'b0;
      tx_sop_q <= 1'b0;
      tx_eop_q <= 1'b0;
      tx_data_q <= '0;
    end else begin
      if (load) begin
        tx_valid_q <= (owner & valid_i) != '0;
        tx_vc_q <= word_vc;
        tx_sop_q <= first;
        tx_eop_q <= last;
        tx_data_q <= last && (owner & Footed) == '0 ? ni_pkg::crc_footer(crc_q) : word;
      end
      if (load && (owner & valid_i) != '0) begin
        crc_q <= ni_pkg::crc_word(first ? ni_pkg::CrcStart : crc_q, word);
        left_q <= first ? length - 1'b1 : left_q - 1'b1;
        busy_q <= !last;
        owner_q <= owner;
      end
    end
  end

  // A sender that waits only for credits.
  always_comb begin
    credit_stall_o = 2'b00;
    for (int s = 0; s < NumSenders; s++) begin
      if (!busy_q && valid_i[s] && !request[s]) credit_stall_o[vc_i[s]] = 1'b1;
    end
  end

`ifdef FORMAL
  assign formal_o = {request, owner_q, busy_q, left_q, credits};
`endif
  assign tx_valid_o = tx_valid_q;
  assign tx_vc_o = tx_vc_q;
  assign tx_sop_o = tx_sop_q;
  assign tx_eop_o = tx_eop_q;
  assign tx_data_o = tx_data_q;
  assign error_o = too_many != 2'b00;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!busy_q || (owner_q & valid_i) != '0) else $error("a sender stopped within a packet");
      assert (!busy_q || left_q != '0) else $error("packet without words");
    end
  end
`endif

endmodule
