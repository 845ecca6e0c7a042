// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Sends datagrams as frames of UDP over IPv4, with both checksums. A datagram is taken whole before its frame begins, since its checksum stands before
/// it and a frame must not pause. The next ones are taken meanwhile.
module nanet_udp_tx #(
    /// Words of payload that wait; a power of two.
    parameter int unsigned Depth = 512
) (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    // ARP minds the gateway.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::station_t      station_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Payload; the destination is that with the last word. A datagram that ends with an error is not sent.
    input  logic                     valid_i,
    output logic                     ready_o,
    input  nanet_pkg::beat_t         beat_i,
    input  nanet_pkg::destination_t  destination_i,
    /// To ARP.
    output logic                     resolve_o,
    output logic [31:0]              resolve_ip_o,
    input  logic                     resolved_i,
    input  logic                     failed_i,
    input  logic [47:0]              mac_i,
    /// Frames.
    output logic                     valid_o,
    input  logic                     ready_i,
    output nanet_pkg::beat_t         beat_o,
    /// For one cycle: what became of a datagram.
    output logic                     result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0] result_o
);

  localparam int unsigned MaxBytes = nanet_pkg::MaxDatagramBytes;
  localparam int unsigned JobWidth = 64 + 11 + 1 + 26;
  // A datagram waits; its destination is looked for; its frame leaves; its payload is thrown away.
  typedef enum logic [1:0] {
    StateIdle,
    StateResolve,
    StateSend,
    StateDrain
  } state_t;

  state_t      state_q;
  logic        payload_full, payload_valid, payload_pop, job_full, job_valid, job_pop, push, keeps, bad_q, bad;
  logic [64:0] payload;
  logic [10:0] bytes_q, bytes;
  logic [25:0] sum_q, sum, job_sum;
  nanet_pkg::destination_t job;
  logic [10:0] job_bytes;
  logic        job_bad;

  // Taking.
  assign ready_o = !payload_full && !job_full;
  assign push = valid_i && ready_o;
  assign bad = bad_q || (beat_i.last && beat_i.error) || bytes_q + {7'd0, nanet_pkg::bytes_of(beat_i.keep)} > 11'(MaxBytes);
  // The last word is always kept, so that one can be thrown away.
  assign keeps = !bad || beat_i.last;
  assign bytes = bytes_q + {7'd0, nanet_pkg::bytes_of(beat_i.keep)};
  assign sum = sum_q + {8'd0, nanet_pkg::sum64(beat_i.data, beat_i.keep)};

  // Bytes that pad a frame are zero.
  logic [63:0] kept;
  always_comb begin
    for (int i = 0; i < 8; i++) kept[8*i+:8] = beat_i.keep[i] ? beat_i.data[8*i+:8] : 8'd0;
  end

  /* verilator lint_off UNUSEDSIGNAL */
  logic unused_empty;
  /* verilator lint_on UNUSEDSIGNAL */
  fifo #(
      .Width   (65),
      .Depth   (Depth),
      .BlockRam(1'b1)
  ) i_payload (
      .clk_i,
      .rst_ni,
      .push_i ((push && keeps) && !payload_full),
      .data_i ({beat_i.last, kept}),
      .full_o (payload_full),
      .pop_i  (payload_pop),
      .valid_o(payload_valid),
      .data_o (payload),
      .empty_o(unused_empty),
      /* verilator lint_off PINCONNECTEMPTY */
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  fifo #(
      .Width(JobWidth),
      .Depth(8)
  ) i_jobs (
      .clk_i,
      .rst_ni,
      .push_i (push && beat_i.last),
      .data_i ({destination_i, bytes, bad, sum}),
      .full_o (job_full),
      .valid_o(job_valid),
      .data_o ({job, job_bytes, job_bad, job_sum}),
      .pop_i  (job_pop),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bytes_q <= '0;
      sum_q <= '0;
      bad_q <= 1'b0;
    end else if (push) begin
      bytes_q <= beat_i.last ? '0 : bad ? bytes_q : bytes;
      sum_q <= beat_i.last ? '0 : sum;
      bad_q <= !beat_i.last && bad;
    end
  end

  // Sending.
  logic [47:0] mac_q, own_mac, to_mac;
  logic [31:0] own_ip, to_ip;
  logic [15:0] identification_q, length, udp_length, ip_checksum_q, udp_checksum_q, udp_sum;
  logic [7:0]  word_q;
  logic [15:0] tail_q;
  logic        tail_last_q, last, advance;
  logic [10:0] left_q;          ///< Bytes of the frame from the word on that leaves.
  logic [63:0] data;
  logic [31:0] ip_sum, pseudo_sum;

  assign length = {5'd0, job_bytes} + 16'd28;
  assign udp_length = {5'd0, job_bytes} + 16'd8;
  assign ip_sum = 32'h4500 + {16'd0, length} + {16'd0, identification_q} + 32'h4000 + 32'h4011 + {16'd0, station_i.ip[31:16]} +
      {16'd0, station_i.ip[15:0]} + {16'd0, job.ip[31:16]} + {16'd0, job.ip[15:0]};
  assign pseudo_sum = {6'd0, job_sum} + 32'd17 + {15'd0, udp_length, 1'b0} + {16'd0, job.port} + {16'd0, job.source_port} +
      {16'd0, station_i.ip[31:16]} + {16'd0, station_i.ip[15:0]} + {16'd0, job.ip[31:16]} + {16'd0, job.ip[15:0]};
  assign udp_sum = ~nanet_pkg::fold(pseudo_sum);
  assign resolve_o = state_q == StateResolve;
  assign resolve_ip_o = job.ip;
  assign own_mac = nanet_pkg::swap48(station_i.mac);
  assign to_mac = nanet_pkg::swap48(mac_q);
  assign own_ip = nanet_pkg::swap32(station_i.ip);
  assign to_ip = nanet_pkg::swap32(job.ip);
  assign advance = state_q == StateSend && ready_i;
  assign last = left_q <= 11'd8;
  // From word 5 on a word of payload in each, as long as there is one.
  assign payload_pop = (advance && word_q >= 8'd5 && !tail_last_q) || (state_q == StateDrain && payload_valid);
  assign job_pop = (advance && last) || (state_q == StateDrain && payload_valid && payload[64]);

  always_comb begin
    case (word_q)
      8'd0: data = {own_mac[15:0], to_mac};
      8'd1: data = {16'h0045, 16'h0008, own_mac[47:16]};
      8'd2: data = {8'd17, 8'd64, 16'h0040, nanet_pkg::swap16(identification_q), nanet_pkg::swap16(length)};
      8'd3: data = {to_ip[15:0], own_ip, nanet_pkg::swap16(ip_checksum_q)};
      8'd4: data = {nanet_pkg::swap16(udp_length), nanet_pkg::swap16(job.port), nanet_pkg::swap16(job.source_port), to_ip[31:16]};
      8'd5: data = {payload[47:0], nanet_pkg::swap16(udp_checksum_q)};
      default: data = {tail_last_q ? 48'd0 : payload[47:0], tail_q};
    endcase
  end
  assign valid_o = state_q == StateSend;
  assign beat_o = {last, 1'b0, last ? nanet_pkg::keep_of(left_q[3:0]) : 8'hff, data};
  assign result_valid_o = job_pop;
  assign result_o = state_q == StateSend ? nanet_pkg::ResultSent : job_bad ? nanet_pkg::ResultUnsendable : nanet_pkg::ResultUnresolved;

  always_ff @(posedge clk_i) begin
    ip_checksum_q <= ~nanet_pkg::fold(ip_sum);
    // Zero would say that there is none.
    udp_checksum_q <= udp_sum == '0 ? '1 : udp_sum;
    if (!rst_ni) begin
      state_q <= StateIdle;
      identification_q <= '0;
    end else begin
      case (state_q)
        StateIdle: if (job_valid) state_q <= job_bad ? StateDrain : StateResolve;
        StateResolve: begin
          mac_q <= mac_i;
          word_q <= '0;
          tail_q <= '0;
          tail_last_q <= 1'b0;
          left_q <= job_bytes < 11'd18 ? 11'd60 : job_bytes + 11'd42;
          if (resolved_i && payload_valid) state_q <= failed_i ? StateDrain : StateSend;
        end
        StateSend: begin
          if (ready_i) begin
            word_q <= word_q == 8'd6 ? 8'd6 : word_q + 1'b1;
            left_q <= left_q - 11'd8;
            if (word_q >= 8'd5) begin
              tail_q <= tail_last_q ? '0 : payload[63:48];
              tail_last_q <= tail_last_q || payload[64];
            end
            if (last) begin
              state_q <= StateIdle;
              identification_q <= identification_q + 1'b1;
            end
          end
        end
        default: if (payload_valid && payload[64]) state_q <= StateIdle;
      endcase
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && state_q == StateSend && word_q >= 8'd5) assert (tail_last_q || payload_valid) else $error("a frame pauses");
  end
`endif

endmodule
