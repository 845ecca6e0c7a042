// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The Consumer: takes packets of both VCs, whose words may alternate, and compares every word with what a generator sends.
module karma_consumer (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,
    /// Packets are numbered from zero again.
    input  logic                                         clear_i,
    input  logic [1:0]                                   pattern_i,
    /// Takes nothing while high.
    input  logic                                         stall_i,

    input  logic                                         rx_valid_i,
    input  logic                                         rx_vc_i,
    input  logic                                         rx_sop_i,
    input  logic                                         rx_eop_i,
    input  logic [127:0]                                 rx_data_i,
    output logic                                         rx_ready_o,
    /// Credits for what was taken, registered.
    output logic                                         credit_valid_o,
    output logic                                         credit_vc_o,
    output logic [ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,

    /// For one cycle: a packet's first word, and its last one with what it said of itself. `wrong_o`: a word, the length, the order of packets
    /// from this source or the framing was not as it should be, or the link has marked the packet.
    output logic                                         first_o,
    output logic                                         last_o,
    output logic                                         wrong_o,
    output logic [9:0]                                   payload_bytes_o,
    output logic [karma_pkg::CountWidth-1:0]             born_o
);

  localparam int unsigned Sources = 8;

  // How the packet came here is not the consumer's concern.
  /* verilator lint_off UNUSEDSIGNAL */
  ape_router_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  karma_pkg::footer_t footer;
  logic taken, mismatch;
  logic [5:0] payload_words;

  // By VC: inside a packet, its number, source and length, the word that comes next, something was wrong.
  logic [1:0] inside_q, wrong_q;
  logic [31:0] sequence_q[2];
  logic [9:0] bytes_q[2];
  logic [2:0] source_q[2];
  logic [6:0] word_q[2];
  logic [31:0] next_q[Sources];  ///< Number of the next packet of each source.

  assign rx_ready_o = !stall_i;
  assign taken = rx_valid_i && rx_ready_o;
  assign header = rx_data_i;
  assign footer = rx_data_i;
  assign payload_words = bytes_q[rx_vc_i][9:4] + {5'd0, bytes_q[rx_vc_i][3:0] != 4'd0};

  always_comb begin
    mismatch = 1'b0;
    if (rx_sop_i) begin
      mismatch = inside_q[rx_vc_i] || rx_eop_i;
    end else begin
      mismatch = !inside_q[rx_vc_i] || rx_eop_i != (word_q[rx_vc_i] == {1'b0, payload_words} + 7'd1);
      if (rx_eop_i) begin
        mismatch = mismatch || footer.bad || footer.zero != '0 || footer.sequence_number != sequence_q[rx_vc_i] ||
                   sequence_q[rx_vc_i] != next_q[source_q[rx_vc_i]];
      end else begin
        mismatch = mismatch || rx_data_i != karma_pkg::payload_word(pattern_i, sequence_q[rx_vc_i], 6'(word_q[rx_vc_i] - 7'd1));
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      inside_q <= '0;
      wrong_q <= '0;
      credit_valid_o <= 1'b0;
      first_o <= 1'b0;
      last_o <= 1'b0;
      for (int s = 0; s < Sources; s++) next_q[s] <= '0;
    end else begin
      credit_valid_o <= taken && !rx_sop_i;
      first_o <= taken && rx_sop_i;
      last_o <= taken && rx_eop_i;
      if (clear_i) begin
        for (int s = 0; s < Sources; s++) next_q[s] <= '0;
      end else if (taken) begin
        if (rx_sop_i) begin
          inside_q[rx_vc_i] <= 1'b1;
          wrong_q[rx_vc_i] <= mismatch;
        end else if (rx_eop_i) begin
          inside_q[rx_vc_i] <= 1'b0;
          wrong_q[rx_vc_i] <= 1'b0;
          next_q[source_q[rx_vc_i]] <= sequence_q[rx_vc_i] + 32'd1;
        end else begin
          wrong_q[rx_vc_i] <= wrong_q[rx_vc_i] || mismatch;
        end
      end
    end
    if (taken) begin
      credit_vc_o <= rx_vc_i;
      credit_words_o <= ape_router_pkg::ReturnWidth'(!rx_eop_i);
      credit_packets_o <= ape_router_pkg::ReturnPacketWidth'(rx_eop_i);
      wrong_o <= wrong_q[rx_vc_i] || mismatch;
      payload_bytes_o <= bytes_q[rx_vc_i];
      born_o <= footer.born;
      word_q[rx_vc_i] <= rx_sop_i ? 7'd1 : word_q[rx_vc_i] + 7'd1;
      if (rx_sop_i) begin
        sequence_q[rx_vc_i] <= header.message;
        bytes_q[rx_vc_i] <= header.payload_bytes;
        source_q[rx_vc_i] <= header.source[2:0];
      end
    end
  end

endmodule
