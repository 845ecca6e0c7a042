// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Gives datagrams to streams by their destination port, and keeps them until the memory takes them. What has no stream or no space is dropped whole.
module nanet_gate #(
    /// Words of payload; a power of two, at least 256.
    parameter int unsigned Depth = 512,
    localparam int unsigned Streams = nanet_pkg::StreamsPerPort
) (
    input  logic                       clk_i,
    /// Synchronous, active low.
    input  logic                       rst_ni,
    // Only which ports there are.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [Streams*nanet_pkg::StreamWidth-1:0] streams_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// Received datagrams, which nothing stops.
    input  logic                       valid_i,
    input  logic                       first_i,
    input  nanet_pkg::beat_t           beat_i,
    // Who sent it does not matter.
    /* verilator lint_off UNUSEDSIGNAL */
    input  nanet_pkg::datagram_t       datagram_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// The oldest datagram: its stream and its bytes.
    output logic                       job_valid_o,
    input  logic                       job_pop_i,
    output logic [1:0]                 stream_o,
    output logic [10:0]                bytes_o,
    /// Its words.
    output logic                       valid_o,
    input  logic                       pop_i,
    output nanet_pkg::beat_t           beat_o,
    /// For one cycle: why a datagram was dropped.
    output logic                       result_valid_o,
    output logic [nanet_pkg::ResultWidth-1:0] result_o
);

  localparam int unsigned CountWidth = $clog2(Depth) + 1;

  logic [Streams-1:0]    match;
  logic [1:0]            stream;
  logic [CountWidth-1:0] used_q, words;
  logic                  job_full, fits, accept, taking_q, push;
  /* verilator lint_off UNUSEDSIGNAL */
  logic                  beats_full, beats_empty;  // `used_q` says as much, and is never too low.
  /* verilator lint_on UNUSEDSIGNAL */

  for (genvar s = 0; s < Streams; s++) begin : gen_match
    localparam int unsigned Top = (s + 1) * nanet_pkg::StreamWidth - 1;
    assign match[s] = streams_i[Top] && streams_i[Top-2-:16] == datagram_i.port;
  end
  // The first of several with one port.
  always_comb begin
    stream = '0;
    for (int s = Streams - 1; s >= 0; s--) if (match[s]) stream = 2'(s);
  end

  assign words = CountWidth'(datagram_i.bytes[10:3]) + CountWidth'(datagram_i.bytes[2:0] != '0);
  assign fits = used_q + words <= CountWidth'(Depth) && !job_full;
  assign accept = valid_i && first_i && match != '0 && fits;
  assign push = accept || (valid_i && !first_i && taking_q);
  assign result_valid_o = valid_i && first_i && !accept;
  assign result_o = match == '0 ? nanet_pkg::ResultNoStream : nanet_pkg::ResultOverflow;

  fifo #(
      .Width   (nanet_pkg::BeatWidth),
      .Depth   (Depth),
      .BlockRam(1'b1)
  ) i_beats (
      .clk_i,
      .rst_ni,
      .push_i (push && !beats_full),
      .data_i (beat_i),
      .full_o (beats_full),
      .pop_i  (pop_i),
      .valid_o(valid_o),
      .data_o (beat_o),
      .empty_o(beats_empty),
      /* verilator lint_off PINCONNECTEMPTY */
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  fifo #(
      .Width(13),
      .Depth(64)
  ) i_jobs (
      .clk_i,
      .rst_ni,
      .push_i (accept),
      .data_i ({stream, datagram_i.bytes}),
      .full_o (job_full),
      .valid_o(job_valid_o),
      .data_o ({stream_o, bytes_o}),
      .pop_i  (job_pop_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      used_q <= '0;
      taking_q <= 1'b0;
    end else begin
      used_q <= used_q + CountWidth'(push) - CountWidth'(pop_i);
      if (valid_i && first_i) taking_q <= accept;
    end
  end

endmodule
