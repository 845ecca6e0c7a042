// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Answers ICMP echo requests (RFC 792): keeps one frame, and sends it back if it was well. Requests that come meanwhile are not answered.
module nanet_icmp (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    // Only the own addresses.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::station_t      station_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// A word leaves the parser.
    input  logic                     take_i,
    input  nanet_pkg::beat_t         beat_i,
    input  logic [2:0]               index_i,
    // Only what an answer needs.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::frame_header_t header_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Frames to send.
    output logic                     valid_o,
    input  logic                     ready_i,
    output nanet_pkg::beat_t         beat_o,
    output logic                     answered_o  ///< For one cycle: an answer begins.
);

  localparam int unsigned MaxWords = 190;  // 1514 bytes.

  typedef enum logic [1:0] {
    StateListen,
    StateCheck,
    StateFetch,
    StateSend
  } state_t;

  (* ram_style = "block" *)
  logic [71:0] memory_q[256];
  logic [71:0] word_q;
  state_t      state_q;
  logic [7:0]  count_q, read_q, sent_q;
  logic        good_q, echo_q, full_q;
  logic [31:0] sum_q;
  logic [15:0] left_q;       ///< Bytes of the message that are not in the sum.
  logic [47:0] mac_q;
  logic [31:0] ip_q;
  logic        next, last;
  logic [3:0]  word_bytes;
  logic [15:0] covered;

  assign next = state_q == StateFetch || (valid_o && ready_i);
  assign last = sent_q == count_q;
  assign covered = index_i == 3'd5 ? header_i.total_length - 16'd26 : left_q;
  assign word_bytes = covered > 16'd8 ? 4'd8 : covered[3:0];

  always_ff @(posedge clk_i) begin
    if (take_i && state_q == StateListen) memory_q[count_q] <= {beat_i.keep, beat_i.data};
    if (next) word_q <= memory_q[read_q];
    if (!rst_ni) begin
      state_q <= StateListen;
      count_q <= '0;
      read_q <= '0;
      sent_q <= '0;
      full_q <= 1'b0;
    end else begin
      case (state_q)
        StateListen: begin
          if (take_i) begin
            if (count_q < 8'(MaxWords)) count_q <= count_q + 1'b1;
            else full_q <= 1'b1;
            case (index_i)
              3'd4: begin
                echo_q <= beat_i.data[31:16] == 16'h0008;
                sum_q <= {14'd0, nanet_pkg::sum64(beat_i.data, 8'hfc)};
              end
              3'd5, 3'd6, 3'd7: begin
                sum_q <= sum_q + {14'd0, nanet_pkg::sum64(beat_i.data, nanet_pkg::keep_of(word_bytes))};
                left_q <= covered > 16'd8 ? covered - 16'd8 : 16'd0;
              end
              default: ;
            endcase
            if (beat_i.last) begin
              good_q <= header_i.verdict == nanet_pkg::ResultIcmp && header_i.mine && !beat_i.error && index_i == 3'd7 && !full_q &&
                  count_q != 8'(MaxWords) && left_q <= {12'd0, nanet_pkg::bytes_of(beat_i.keep)};
              mac_q <= nanet_pkg::swap48(header_i.source_mac);
              ip_q <= nanet_pkg::swap32(header_i.source_ip);
              state_q <= StateCheck;
            end
          end
        end
        StateCheck: begin
          full_q <= 1'b0;
          if (good_q && echo_q && nanet_pkg::fold(sum_q) == 16'hffff) state_q <= StateFetch;
          else begin
            state_q <= StateListen;
            count_q <= '0;
          end
          read_q <= '0;
          sent_q <= '0;
        end
        StateFetch: begin
          state_q <= StateSend;
          read_q <= 8'd1;
          sent_q <= 8'd1;
        end
        default: begin
          if (ready_i) begin
            read_q <= read_q + 1'b1;
            sent_q <= sent_q + 1'b1;
            if (last) begin
              state_q <= StateListen;
              count_q <= '0;
            end
          end
        end
      endcase
    end
  end

  logic [63:0] data;
  logic [16:0] raised;
  logic [47:0] own_mac;
  logic [31:0] own_ip;
  assign own_mac = nanet_pkg::swap48(station_i.mac);
  assign own_ip = nanet_pkg::swap32(station_i.ip);
  // Type 8 becomes 0, so the checksum rises by 8 in its first byte.
  assign raised = {1'b0, nanet_pkg::swap16(word_q[47:32])} + 17'h00800;

  always_comb begin
    data = word_q[63:0];
    case (sent_q)
      8'd1: data = {own_mac[15:0], mac_q};
      8'd2: data[31:0] = own_mac[47:16];
      8'd4: data[63:16] = {ip_q[15:0], own_ip};
      8'd5: data[47:0] = {nanet_pkg::swap16(raised[15:0] + {15'd0, raised[16]}), 16'd0, ip_q[31:16]};
      default: ;
    endcase
  end
  assign valid_o = state_q == StateSend;
  assign beat_o = {last, 1'b0, word_q[71:64], data};
  assign answered_o = valid_o && ready_i && last;

endmodule
