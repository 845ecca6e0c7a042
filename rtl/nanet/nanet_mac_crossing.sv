// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A port between the clock of its MAC and that of the device. Frames that find no space are damaged, not cut: their last word says so.
module nanet_mac_crossing #(
    /// Words on their way; a power of two.
    parameter int unsigned Depth = 32
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    input  logic             mac_clk_i,
    /// Synchronous to `mac_clk_i`, active low.
    input  logic             mac_rst_ni,
    /// From the MAC, which cannot wait.
    input  logic             mac_valid_i,
    input  nanet_pkg::beat_t mac_beat_i,
    output logic             valid_o,
    input  logic             ready_i,
    output nanet_pkg::beat_t beat_o,
    /// To the MAC: no frame pauses, as long as `valid_i` does not.
    input  logic             valid_i,
    output logic             ready_o,
    input  nanet_pkg::beat_t beat_i,
    output logic             mac_valid_o,
    input  logic             mac_ready_i,
    output nanet_pkg::beat_t mac_beat_o
);

  logic rx_full, tx_full, damaged_q;
  nanet_pkg::beat_t rx_beat;

  always_comb begin
    rx_beat = mac_beat_i;
    rx_beat.error = mac_beat_i.error || (mac_beat_i.last && damaged_q);
  end

  async_fifo #(
      .Width(nanet_pkg::BeatWidth),
      .Depth(Depth)
  ) i_rx (
      .push_clk_i  (mac_clk_i),
      .push_rst_ni (mac_rst_ni),
      .push_i      (mac_valid_i && !rx_full),
      .data_i      (rx_beat),
      .full_o      (rx_full),
      /* verilator lint_off PINCONNECTEMPTY */
      .push_count_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .pop_clk_i   (clk_i),
      .pop_rst_ni  (rst_ni),
      .valid_o     (valid_o),
      .data_o      (beat_o),
      .pop_i       (ready_i && valid_o),
      /* verilator lint_off PINCONNECTEMPTY */
      .pop_count_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  always_ff @(posedge mac_clk_i) begin
    if (!mac_rst_ni) damaged_q <= 1'b0;
    else if (mac_valid_i) damaged_q <= rx_full || (damaged_q && !mac_beat_i.last);
  end

  async_fifo #(
      .Width(nanet_pkg::BeatWidth),
      .Depth(Depth)
  ) i_tx (
      .push_clk_i  (clk_i),
      .push_rst_ni (rst_ni),
      .push_i      (valid_i && !tx_full),
      .data_i      (beat_i),
      .full_o      (tx_full),
      /* verilator lint_off PINCONNECTEMPTY */
      .push_count_o(),
      /* verilator lint_on PINCONNECTEMPTY */
      .pop_clk_i   (mac_clk_i),
      .pop_rst_ni  (mac_rst_ni),
      .valid_o     (mac_valid_o),
      .data_o      (mac_beat_o),
      .pop_i       (mac_ready_i && mac_valid_o),
      /* verilator lint_off PINCONNECTEMPTY */
      .pop_count_o ()
      /* verilator lint_on PINCONNECTEMPTY */
  );
  assign ready_o = !tx_full;

endmodule
