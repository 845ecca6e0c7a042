// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Receiver: finds frames, corrects headers, checks the CRC and hands the words to the router, which always has buffer space (credits).
///
/// Cut-through: a packet whose frame or header is beyond repair is never begun; one that has begun is completed, all its words as its header says, and
/// its footer carries the mark BadMarkBit if the CRC is wrong.
module apelink_rx #(
    /// Longest payload; a header that says more is beyond repair.
    parameter int unsigned MaxPayloadBytes = 512
) (
    input  logic                                clk_i,
    /// Synchronous, active low.
    input  logic                                rst_ni,
    /// AXI stream from the transceiver.
    input  logic [apelink_pkg::DataWidth-1:0]   s_tdata_i,
    input  logic                                s_tvalid_i,
    output logic                                s_tready_o,
    /// Frames of ends whose link is not up are frames.
    input  logic                                supervise_i,
    /// The link is down: no packet begins, and one that has begun is completed with zeros and its footer marked.
    input  logic                                down_i,
    /// Words to the router, registered.
    output logic                                rx_valid_o,
    output logic                                rx_vc_o,
    output logic                                rx_sop_o,
    output logic                                rx_eop_o,
    output logic [apelink_pkg::DataWidth-1:0]   rx_data_o,
    /// With the footer: the packet is damaged.
    output logic                                rx_bad_o,
    /// A frame, and a packet that begins.
    output logic                                frame_valid_o,
    output apelink_pkg::frame_t                 frame_o,
    output logic                                deliver_o,
    output logic                                deliver_vc_o,
    output logic [apelink_pkg::LengthWidth-1:0] deliver_words_o,
    /// Events. A resynchronisation is a frame found after damage.
    output logic                                packet_event_o,
    output logic                                corrected_event_o,
    output logic                                uncorrectable_event_o,
    output logic                                length_event_o,
    output logic                                crc_event_o,
    output logic                                resync_event_o,
    /// Nothing is inside and no packet has begun.
    output logic                                idle_o
);

  typedef enum logic [2:0] {
    Between,  ///< A frame or idle units come next.
    Hunt,     ///< The same, but something else came before.
    Header,
    Check,    ///< The header is in the stage register.
    Words,    ///< `left_q` words come next, the footer last.
    Crc       ///< The footer is in the stage register.
  } state_e;

  state_e state_q, state_d;
  logic [apelink_pkg::DataWidth-1:0] window, stage_q, corrected, out_data_d, out_data_q;
  logic [2:0] available, take;
  logic [3:0] is_magic, is_idle;
  logic [2:0] before_magic;
  logic only_idle;
  logic vc_q;
  logic [apelink_pkg::CheckWidth-1:0] check_q;
  logic [apelink_pkg::LengthWidth-1:0] left_q, left_d, words;
  logic [31:0] crc_q, crc_next;
  logic stage_valid_q, load_stage, was_wrong, uncorrectable, too_long, frame_ok, crc_wrong;
  logic out_valid_d, out_valid_q, out_vc_q, out_sop_q, out_eop_q, out_bad_q;

  apelink_aligner i_aligner (
      .clk_i,
      .rst_ni,
      .s_tdata_i,
      .s_tvalid_i,
      .s_tready_o,
      .window_o   (window),
      .available_o(available),
      .take_i     (take)
  );

  apelink_secded_decode i_decode (
      .data_i         (stage_q),
      .check_i        (check_q),
      .enable_i       (state_q == Check),
      .data_o         (corrected),
      .corrected_o    (was_wrong),
      .uncorrectable_o(uncorrectable)
  );

  // The CRC is of the packet as delivered, so it also finds a header that was corrected to a wrong one.
  apelink_crc32 i_crc (
      .crc_i (crc_q),
      .data_i(corrected),
      .crc_o (crc_next)
  );

  for (genvar u = 0; u < 4; u++) begin : gen_unit
    assign is_magic[u] = window[32*u+:16] == apelink_pkg::Magic;
    assign is_idle[u] = window[32*u+:16] == apelink_pkg::IdleUnit[15:0];
  end

  // Units to skip before the first that could begin a frame.
  always_comb begin
    casez (is_magic)
      4'b???1: before_magic = 3'd0;
      4'b??10: before_magic = 3'd1;
      4'b?100: before_magic = 3'd2;
      4'b1000: before_magic = 3'd3;
      default: before_magic = 3'd4;
    endcase
    if (before_magic > available) before_magic = available;
    only_idle = 1'b1;
    for (int u = 0; u < 4; u++) begin
      if (before_magic > 3'(u) && !is_idle[u]) only_idle = 1'b0;
    end
  end

  assign frame_o = window[63:0];
  assign frame_ok = is_magic[0] && (frame_o.link == apelink_pkg::Up || (supervise_i && frame_o.is_credit)) && frame_o.crc8 == apelink_pkg::frame_crc(window[55:0]);
  assign too_long = corrected[apelink_pkg::PayloadBytesLow+:10] > 10'(MaxPayloadBytes);
  assign words = apelink_pkg::packet_words(corrected[apelink_pkg::PayloadBytesLow+:10]);
  assign crc_wrong = window[31:0] != ~crc_next;

  always_comb begin
    state_d = state_q;
    take = '0;
    left_d = left_q;
    load_stage = 1'b0;
    frame_valid_o = 1'b0;
    deliver_o = 1'b0;
    packet_event_o = 1'b0;
    corrected_event_o = 1'b0;
    uncorrectable_event_o = 1'b0;
    length_event_o = 1'b0;
    crc_event_o = 1'b0;
    resync_event_o = 1'b0;
    // Payload leaves the stage register after one cycle.
    out_valid_d = stage_valid_q && state_q != Check && state_q != Crc;
    out_data_d = corrected;
    case (state_q)
      Between, Hunt: begin
        if (before_magic != 3'd0) begin
          take = before_magic;
          if (!only_idle) state_d = Hunt;
        end else if (available >= 3'd2) begin
          if (frame_ok && down_i && !frame_o.is_credit) begin
            take = 3'd2;
            state_d = Hunt;
          end else if (frame_ok) begin
            take = 3'd2;
            frame_valid_o = 1'b1;
            resync_event_o = state_q == Hunt;
            state_d = frame_o.is_credit ? Between : Header;
          end else begin
            take = 3'd1;
            state_d = Hunt;
          end
        end
      end
      Header: begin
        if (down_i) begin
          state_d = Hunt;
        end else if (available[2]) begin
          take = 3'd4;
          load_stage = 1'b1;
          state_d = Check;
        end
      end
      Check: begin
        left_d = words - 6'd1;
        if (down_i) begin
          state_d = Hunt;
        end else if (uncorrectable || too_long) begin
          uncorrectable_event_o = uncorrectable;
          length_event_o = !uncorrectable;
          state_d = Hunt;
        end else begin
          corrected_event_o = was_wrong;
          deliver_o = 1'b1;
          out_valid_d = 1'b1;
          state_d = Words;
        end
      end
      Words: begin
        if (available[2] || down_i) begin
          if (!down_i) take = 3'd4;
          load_stage = 1'b1;
          left_d = left_q - 6'd1;
          if (left_q == 6'd1) state_d = Crc;
        end
      end
      Crc: begin
        if (available != 3'd0 || down_i) begin
          if (!down_i) take = 3'd1;
          out_valid_d = 1'b1;
          crc_event_o = crc_wrong || down_i;
          out_data_d[apelink_pkg::BadMarkBit] = corrected[apelink_pkg::BadMarkBit] || crc_event_o;
          packet_event_o = 1'b1;
          state_d = Between;
        end
      end
      default: state_d = Hunt;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (load_stage) stage_q <= down_i ? '0 : window;
    if (frame_valid_o) begin
      vc_q <= frame_o.vc;
      check_q <= frame_o.check;
    end
    // Once for each word, when it leaves the stage register.
    if (frame_valid_o) crc_q <= '1;
    else if (out_valid_d) crc_q <= crc_next;
    out_data_q <= out_data_d;
    out_vc_q <= vc_q;
    out_sop_q <= state_q == Check;
    out_eop_q <= state_q == Crc;
    out_bad_q <= crc_event_o;
    if (!rst_ni) begin
      state_q <= Between;
      left_q <= '0;
      stage_valid_q <= 1'b0;
      out_valid_q <= 1'b0;
    end else begin
      state_q <= state_d;
      left_q <= left_d;
      stage_valid_q <= load_stage;
      out_valid_q <= out_valid_d;
    end
  end

  assign deliver_vc_o = vc_q;
  assign deliver_words_o = words;
  assign rx_valid_o = out_valid_q;
  assign rx_vc_o = out_vc_q;
  assign rx_sop_o = out_sop_q;
  assign rx_eop_o = out_eop_q;
  assign rx_data_o = out_data_q;
  assign rx_bad_o = out_bad_q;
  assign idle_o = (state_q == Between || state_q == Hunt) && available == 3'd0 && !stage_valid_q && !out_valid_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Otherwise: packet without words.
      assert (state_q != Words || left_q != '0);
    end
  end
`endif

`ifdef FORMAL_ANY_STATE
  // Any state but a packet longer than the longest: the register is loaded with no more than that.
  always_comb begin
    assume (left_q < 6'(MaxPayloadBytes / 16 + 2) && (state_q != Words || left_q != '0));
  end
`endif

endmodule
