// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Writes finished tiles of the result to memory, in the order of a command. It reads them beat by beat from a memory that answers in the next cycle.
module gemm_tile_writer #(
    parameter int unsigned Tile = 16,
    parameter int unsigned BurstBeats = 16,
    parameter int unsigned MaxBursts = 8,
    localparam int unsigned IndexWidth = $clog2(Tile * Tile / gemm_pkg::Columns)
) (
    input  logic                          clk_i,
    /// Synchronous, active low.
    input  logic                          rst_ni,
    input  logic                          start_i,
    input  gemm_pkg::matrix_t             matrix_i,
    input  gemm_pkg::extent_t             extent_i,
    input  logic                          abort_i,
    /// Another tile is finished.
    input  logic                          finished_i,

    output logic                          aw_valid_o,
    input  logic                          aw_ready_i,
    output axi_pkg::address_t             aw_o,
    output logic                          w_valid_o,
    input  logic                          w_ready_i,
    output axi_pkg::write_data_t          w_o,
    input  logic                          b_valid_i,
    output logic                          b_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  axi_pkg::write_response_t      b_i,
    /* verilator lint_on UNUSEDSIGNAL */

    /// The next position that is read, and of which tile of the command, modulo 4: all before it are free.
    output logic                          read_o,
    output logic [IndexWidth-1:0]         index_o,
    output logic [1:0]                    tile_o,
    input  logic [axi_pkg::DataWidth-1:0] data_i,
    /// A tile is begun.
    output logic                          begun_o,
    output logic                          error_o,
    /// All tiles of the command are written.
    output logic                          done_o,
    output logic                          idle_o
);

  logic burst_begin, burst_full, burst_valid, burst_last, bursts_done;
  logic [8:0] beats, burst_beats, beat_q;
  logic [IndexWidth-1:0] index_q;
  logic [1:0] tile_q;
  // Read from the memory, not taken by the bus: it holds no word, since others read it, too.
  logic [2:0] held_q;
  logic read_q, last_q, word_full;

  gemm_bursts #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts),
      .Space(2'd0)
  ) i_bursts (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i,
      .extent_i,
      .abort_i,
      .space_i   (finished_i),
      .answered_i(b_valid_i),
      .valid_o   (aw_valid_o),
      .ready_i   (aw_ready_i),
      .address_o (aw_o),
      .begin_o   (burst_begin),
      .beats_o   (beats),
      .done_o    (bursts_done),
      .idle_o
  );

  // The beats of bursts whose data is still to come; never more than there are bursts.
  fifo #(
      .Width(9),
      .Depth(MaxBursts < 2 ? 2 : MaxBursts)
  ) i_beats (
      .clk_i,
      .rst_ni,
      .push_i (burst_begin),
      .data_i (beats),
      .full_o (burst_full),
      .valid_o(burst_valid),
      .data_o (burst_beats),
      .pop_i  (read_o && burst_last),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  fifo #(
      .Width(axi_pkg::DataWidth + 1),
      .Depth(4)
  ) i_words (
      .clk_i,
      .rst_ni,
      .push_i (read_q),
      .data_i ({last_q, data_i}),
      .full_o (word_full),
      .valid_o(w_valid_o),
      .data_o ({w_o.last, w_o.data}),
      .pop_i  (w_valid_o && w_ready_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

  assign read_o = burst_valid && held_q != 3'd4;
  assign burst_last = beat_q + 9'd1 == burst_beats;
  assign begun_o = read_o && index_q == '0;
  assign index_o = index_q;
  assign tile_o = tile_q;
  assign b_ready_o = 1'b1;
  assign w_o.strobe = '1;
  assign done_o = bursts_done && idle_o;

  always_ff @(posedge clk_i) begin
    if (read_o) last_q <= burst_last;
    if (!rst_ni || start_i) begin
      index_q <= '0;
      tile_q <= '0;
      beat_q <= '0;
      held_q <= '0;
      read_q <= 1'b0;
      error_o <= 1'b0;
    end else begin
      held_q <= held_q + 3'(read_o) - 3'(w_valid_o && w_ready_i);
      read_q <= read_o;
      if (read_o) begin
        index_q <= index_q + 1'b1;
        if (index_q == '1) tile_q <= tile_q + 1'b1;
        beat_q <= burst_last ? '0 : beat_q + 9'd1;
      end
      error_o <= b_valid_i && b_i.response != axi_pkg::Okay;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!(burst_begin && burst_full) && !(read_q && word_full)) else $error("more bursts or words than entries");
  end
`endif

endmodule
