// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Takes the payload out of UDP datagrams and says of each frame what it was. Words of a datagram leave while its frame still comes; whether all was well
/// comes with the last one. Nothing stops them: who takes them has space or drops them.
module nanet_udp_rx (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// From the parser.
    input  logic                                valid_i,
    output logic                                ready_o,
    input  nanet_pkg::beat_t                    beat_i,
    input  logic [2:0]                          index_i,
    input  nanet_pkg::frame_header_t            header_i,
    /// The ARP packet of the frame that ends is one that is understood.
    input  logic                                arp_ok_i,
    /// Payload; `first_o` with the first word, `datagram_o` with all.
    output logic                                valid_o,
    output logic                                first_o,
    output nanet_pkg::beat_t                    beat_o,
    output nanet_pkg::datagram_t                datagram_o,
    /// For one cycle: what the frame was that has ended.
    output logic                                result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0]   result_o
);

  // While the frame comes; its last word was seen; the last word of the payload leaves.
  typedef enum logic [1:0] {
    StateFrame,
    StateEnd,
    StateLast
  } state_t;

  /* verilator lint_off UNUSEDSIGNAL */
  nanet_pkg::frame_header_t header;  ///< The MAC address and others are not needed here.
  /* verilator lint_on UNUSEDSIGNAL */
  state_t      state_q;
  logic [47:0] tail_q;       ///< Bytes of the word before that are not yet in a payload word.
  logic [10:0] left_q;       ///< Bytes of payload that are not yet in one.
  logic [31:0] sum_q;
  logic        deliver_q, checked_q, first_q, held_q, runt_q, short_q, fcs_q, length_bad_q;
  logic [3:0]  held_bytes_q;
  logic [63:0] held_data_q;
  nanet_pkg::datagram_t datagram_q;
  logic        arp_q, arp_ok_q;
  logic        short_frame_q;  ///< Word 7 comes once as the eighth word and then as all others.
  logic [nanet_pkg::ResultWidth-1:0] verdict_q;
  logic        take, form, length_bad;
  logic [15:0] udp_length;
  logic [3:0]  form_bytes, word_bytes;
  logic [10:0] left_now;
  logic [nanet_pkg::ResultWidth-1:0] result;
  logic        bad_checksum, bad;

  assign header = header_i;
  assign ready_o = state_q == StateFrame;
  assign take = valid_i && ready_o;
  assign udp_length = nanet_pkg::swap16(beat_i.data[63:48]);
  // The parser lets no packet pass that is shorter than the headers of IP and UDP.
  assign length_bad = udp_length != header.total_length - 16'd20 || udp_length > 16'(nanet_pkg::MaxDatagramBytes + 8);
  // A payload word has the 6 bytes of the word before and 2 of this one.
  assign form = (take && index_i >= 3'd6 || state_q == StateEnd) && deliver_q && left_q != '0;
  assign form_bytes = left_q > 11'd8 ? 4'd8 : left_q[3:0];
  // Bytes of UDP in this word, for the checksum.
  assign left_now = index_i == 3'd5 ? datagram_q.bytes + 11'd2 : left_q > 11'd6 ? left_q - 11'd6 : 11'd0;
  assign word_bytes = left_now > 11'd8 ? 4'd8 : left_now[3:0];

  assign bad_checksum = checked_q && nanet_pkg::fold(sum_q) != 16'hffff;
  assign bad = runt_q || fcs_q || short_q || bad_checksum;

  always_comb begin
    result = verdict_q;
    if (arp_q) result = arp_ok_q ? nanet_pkg::ResultArp : nanet_pkg::ResultArpBad;
    else if (verdict_q == nanet_pkg::ResultUdp) begin
      if (length_bad_q) result = nanet_pkg::ResultUdpLength;
      else if (short_q) result = nanet_pkg::ResultTruncated;
      else if (bad_checksum) result = nanet_pkg::ResultUdpChecksum;
    end
    if (runt_q) result = nanet_pkg::ResultRunt;
    if (fcs_q) result = nanet_pkg::ResultFcs;
  end
  assign result_valid_o = state_q == StateLast;
  assign result_o = result;

  assign datagram_o = datagram_q;
  assign first_o = first_q;
  assign valid_o = held_q && (form || state_q == StateLast);
  assign beat_o = {state_q == StateLast, state_q == StateLast && bad, nanet_pkg::keep_of(held_bytes_q), held_data_q};

  always_ff @(posedge clk_i) begin
    if (take) begin
      tail_q <= beat_i.data[63:16];
      case (index_i)
        3'd3: sum_q <= {14'd0, nanet_pkg::sum64(beat_i.data, 8'hfc)} + 32'd17;
        3'd4: begin
          sum_q <= sum_q + {14'd0, nanet_pkg::sum64(beat_i.data, 8'hff)} + {16'd0, udp_length};
          datagram_q.source_port <= nanet_pkg::swap16(beat_i.data[31:16]);
          datagram_q.port <= nanet_pkg::swap16(beat_i.data[47:32]);
          datagram_q.bytes <= udp_length[10:0] - 11'd8;
          length_bad_q <= length_bad;
        end
        3'd5: begin
          datagram_q.source_ip <= header.source_ip;
          checked_q <= beat_i.data[15:0] != '0;
          sum_q <= sum_q + {14'd0, nanet_pkg::sum64(beat_i.data, nanet_pkg::keep_of(word_bytes))};
        end
        3'd6, 3'd7: sum_q <= sum_q + {14'd0, nanet_pkg::sum64(beat_i.data, nanet_pkg::keep_of(word_bytes))};
        default: ;
      endcase
      if (beat_i.last) begin
        // The parser forgets them when the next frame comes.
        verdict_q <= header.verdict;
        arp_q <= header.ethertype == nanet_pkg::EthertypeArp && header.mine;
        arp_ok_q <= arp_ok_i;
        runt_q <= index_i < 3'd7 || (short_frame_q && !beat_i.keep[3]);
        fcs_q <= beat_i.error;
        short_q <= index_i == 3'd7 && left_q > 11'd6 + {7'd0, nanet_pkg::bytes_of(beat_i.keep)};
      end
    end
    if (form) begin
      held_data_q <= {beat_i.data[15:0], tail_q};
      held_bytes_q <= form_bytes;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StateFrame;
      deliver_q <= 1'b0;
      first_q <= 1'b0;
      held_q <= 1'b0;
      left_q <= '0;
      short_frame_q <= 1'b1;
    end else begin
      if (take) begin
        if (index_i == 3'd0) begin
          deliver_q <= 1'b0;
          left_q <= '0;
        end
        if (index_i == 3'd5 && header.verdict == nanet_pkg::ResultUdp && !length_bad_q) begin
          deliver_q <= 1'b1;
          left_q <= datagram_q.bytes;
          first_q <= 1'b1;
        end
        short_frame_q <= index_i != 3'd7;
        if (beat_i.last) begin
          state_q <= StateEnd;
          short_frame_q <= 1'b1;
        end
      end
      if (form) begin
        left_q <= left_q - {7'd0, form_bytes};
        held_q <= 1'b1;
      end
      if (valid_o) first_q <= 1'b0;
      case (state_q)
        StateEnd: state_q <= StateLast;
        StateLast: begin
          state_q <= StateFrame;
          held_q <= 1'b0;
          deliver_q <= 1'b0;
        end
        default: ;
      endcase
    end
  end

endmodule
