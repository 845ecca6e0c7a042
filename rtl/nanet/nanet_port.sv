// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A port of the device from its MAC to APEnet packets, with generator, meter and counters.
module nanet_port #(
    parameter logic [3:0] Port = 4'd0,
    localparam int unsigned Streams = nanet_pkg::StreamsPerPort
) (
    input  logic                     clk_i,
    /// Synchronous, active low.
    input  logic                     rst_ni,
    input  logic                     mac_clk_i,
    /// Synchronous to `mac_clk_i`, active low.
    input  logic                     mac_rst_ni,
    /// Settings.
    input  logic                     enable_i,
    input  nanet_pkg::station_t      station_i,
    input  logic [31:0]              arp_timeout_i,
    input  logic                     flush_arp_i,
    input  logic [Streams*nanet_pkg::StreamWidth-1:0] streams_i,
    input  logic [31:0]              timeout_i,
    input  logic [63:0]              now_i,
    input  logic                     generate_i,
    input  nanet_pkg::destination_t  generate_to_i,
    input  logic [10:0]              generate_bytes_i,
    input  logic [19:0]              generate_interval_i,
    input  logic [31:0]              generate_count_i,
    output logic [191:0]             meter_o,   ///< Sum, most, least, missing, count; least significant last.
    /// The counter `counter_i`.
    input  logic [nanet_pkg::ResultWidth-1:0] counter_i,
    output logic [31:0]              count_o,
    /// MAC.
    input  logic                     mac_valid_i,
    input  nanet_pkg::beat_t         mac_beat_i,
    output logic                     mac_valid_o,
    input  logic                     mac_ready_i,
    output nanet_pkg::beat_t         mac_beat_o,
    /// Datagrams to send.
    input  logic                     valid_i,
    output logic                     ready_o,
    input  nanet_pkg::wide_t         wide_i,
    /// Packets.
    output logic                     valid_o,
    input  logic                     ready_i,
    output logic                     last_o,
    output logic [127:0]             data_o
);

  localparam int unsigned R = nanet_pkg::ResultWidth;
  localparam int unsigned TxWidth = nanet_pkg::BeatWidth + nanet_pkg::DestinationWidth;

  logic rx_valid, rx_ready, tx_valid, tx_ready, in_valid, in_first, out_valid, out_ready;
  nanet_pkg::beat_t rx_beat, tx_beat, in_beat, out_beat;
  nanet_pkg::datagram_t datagram;
  nanet_pkg::destination_t out_to;
  logic rx_result_valid, tx_result_valid, gate_result_valid, tcl_result_valid, echo;
  logic [R-1:0] rx_result, tx_result, gate_result, tcl_result;

  nanet_mac_crossing i_crossing (
      .clk_i,
      .rst_ni,
      .mac_clk_i,
      .mac_rst_ni,
      .mac_valid_i,
      .mac_beat_i,
      .valid_o    (rx_valid),
      .ready_i    (rx_ready),
      .beat_o     (rx_beat),
      .valid_i    (tx_valid),
      .ready_o    (tx_ready),
      .beat_i     (tx_beat),
      .mac_valid_o,
      .mac_ready_i,
      .mac_beat_o
  );

  // A port that is turned on in the middle of a frame waits for the next one.
  logic on_q, middle_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      on_q <= 1'b0;
      middle_q <= 1'b0;
    end else begin
      if (rx_valid && rx_ready) middle_q <= !rx_beat.last;
      if (!(rx_valid && rx_ready ? !rx_beat.last : middle_q)) on_q <= enable_i;
    end
  end
  logic offload_ready;
  assign rx_ready = offload_ready || !on_q;

  nanet_offload i_offload (
      .clk_i,
      .rst_ni,
      .station_i,
      .arp_timeout_i,
      .flush_arp_i,
      .rx_valid_i       (rx_valid && on_q),
      .rx_ready_o       (offload_ready),
      .rx_beat_i        (rx_beat),
      .valid_o          (in_valid),
      .first_o          (in_first),
      .beat_o           (in_beat),
      .datagram_o       (datagram),
      .valid_i          (out_valid),
      .ready_o          (out_ready),
      .beat_i           (out_beat),
      .destination_i    (out_to),
      .tx_valid_o       (tx_valid),
      .tx_ready_i       (tx_ready),
      .tx_beat_o        (tx_beat),
      .rx_result_valid_o(rx_result_valid),
      .rx_result_o      (rx_result),
      .tx_result_valid_o(tx_result_valid),
      .tx_result_o      (tx_result),
      .echo_o           (echo)
  );

  // Who sends.
  logic generator_valid, generator_ready, read_valid, read_ready;
  nanet_pkg::beat_t read_beat;
  nanet_pkg::destination_t read_to;
  nanet_pkg::beat_t generator_beat;
  logic [31:0] meter_count, meter_missing, meter_least, meter_most;
  logic [63:0] meter_sum;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [31:0] generator_sent;
  /* verilator lint_on UNUSEDSIGNAL */

  nanet_unpacker i_unpacker (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o,
      .wide_i,
      .valid_o      (read_valid),
      .ready_i      (read_ready),
      .beat_o       (read_beat),
      .destination_o(read_to)
  );
  nanet_generator i_generator (
      .clk_i,
      .rst_ni,
      .enable_i  (generate_i),
      .now_i,
      .bytes_i   (generate_bytes_i),
      .interval_i(generate_interval_i),
      .count_i   (generate_count_i),
      .valid_o   (generator_valid),
      .ready_i   (generator_ready),
      .beat_o    (generator_beat),
      .sent_o    (generator_sent)
  );
  nanet_tx_arbiter #(
      .NumSources(2),
      .Width     (TxWidth)
  ) i_tx_arbiter (
      .clk_i,
      .rst_ni,
      .valid_i({generator_valid, read_valid}),
      .ready_o({generator_ready, read_ready}),
      .data_i ({generator_beat, generate_to_i, read_beat, read_to}),
      .valid_o(out_valid),
      .ready_i(out_ready),
      .data_o ({out_beat, out_to})
  );
  nanet_meter i_meter (
      .clk_i,
      .rst_ni,
      .enable_i  (generate_i),
      .port_i    (generate_to_i.port),
      .now_i     (now_i[31:0]),
      .valid_i   (in_valid),
      .first_i   (in_first),
      .beat_i    (in_beat),
      .datagram_i(datagram),
      .count_o   (meter_count),
      .missing_o (meter_missing),
      .least_o   (meter_least),
      .most_o    (meter_most),
      .sum_o     (meter_sum)
  );
  assign meter_o = {meter_sum, meter_most, meter_least, meter_missing, meter_count};

  // What arrives.
  logic job_valid, job_pop, gate_valid, gate_pop, serve, widen, unpacked_ready, served_q;
  logic [1:0] stream;
  logic [10:0] bytes;
  nanet_pkg::beat_t gate_beat;
  logic word_valid, word_ready, word_last, word_error;
  logic [127:0] word;

  nanet_gate i_gate (
      .clk_i,
      .rst_ni,
      .streams_i,
      .valid_i       (in_valid),
      .first_i       (in_first),
      .beat_i        (in_beat),
      .datagram_i    (datagram),
      .job_valid_o   (job_valid),
      .job_pop_i     (job_pop),
      .stream_o      (stream),
      .bytes_o       (bytes),
      .valid_o       (gate_valid),
      .pop_i         (gate_pop),
      .beat_o        (gate_beat),
      .result_valid_o(gate_result_valid),
      .result_o      (gate_result)
  );
  // One datagram at a time: the next one may be of another stream.
  assign gate_pop = gate_valid && unpacked_ready && serve && !served_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || job_pop) served_q <= 1'b0;
    else if (gate_pop && gate_beat.last) served_q <= 1'b1;
  end
  nanet_decompressor i_decompressor (
      .clk_i,
      .rst_ni,
      .widen_i(widen),
      .valid_i(gate_valid && serve && !served_q),
      .ready_o(unpacked_ready),
      .beat_i (gate_beat),
      .valid_o(word_valid),
      .ready_i(word_ready),
      .last_o (word_last),
      .error_o(word_error),
      .data_o (word)
  );
  nanet_tcl #(
      .Port(Port)
  ) i_tcl (
      .clk_i,
      .rst_ni,
      .streams_i,
      .timeout_i,
      .job_valid_i   (job_valid),
      .job_pop_o     (job_pop),
      .stream_i      (stream),
      .bytes_i       (bytes),
      .widen_o       (widen),
      .serve_o       (serve),
      .valid_i       (word_valid),
      .ready_o       (word_ready),
      .last_i        (word_last),
      .error_i       (word_error),
      .data_i        (word),
      .valid_o,
      .ready_i,
      .last_o,
      .data_o,
      .result_valid_o(tcl_result_valid),
      .result_o      (tcl_result)
  );

  nanet_counters i_counters (
      .clk_i,
      .rst_ni,
      .valid_i ({echo, tcl_result_valid, gate_result_valid, tx_result_valid, rx_result_valid}),
      .kind_i  ({nanet_pkg::ResultEcho, tcl_result, gate_result, tx_result, rx_result}),
      .select_i(counter_i),
      .count_o
  );

endmodule
