// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Reads tiles of a matrix from memory, in the order of a command, and hands out their beats with their positions. All bursts have one ID, so they come in order.
module gemm_tile_reader #(
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
    /// A tile's buffer may be asked for again. There are two.
    input  logic                          space_i,
    /// The next beat, which is `index_o` of tile `tile_o`, may come.
    input  logic                          accept_i,
    output logic [IndexWidth-1:0]         next_index_o,
    output logic [1:0]                    next_tile_o,

    output logic                          ar_valid_o,
    input  logic                          ar_ready_i,
    output axi_pkg::address_t             ar_o,
    input  logic                          r_valid_i,
    output logic                          r_ready_o,
    /* verilator lint_off UNUSEDSIGNAL */
    input  axi_pkg::read_data_t           r_i,
    /* verilator lint_on UNUSEDSIGNAL */

    /// A beat: buffer, position in the tile by rows, and data. In the cycle of the last one, `filled_o`.
    output logic                          write_o,
    output logic                          buffer_o,
    output logic [IndexWidth-1:0]         index_o,
    output logic [axi_pkg::DataWidth-1:0] data_o,
    output logic                          filled_o,
    /// For one cycle: the memory answered with an error.
    output logic                          error_o,
    output logic                          idle_o
);

  logic beat, burst_begin, done;
  logic [IndexWidth-1:0] index_q;
  logic [1:0] tile_q;
  /* verilator lint_off UNUSEDSIGNAL */
  logic [8:0] burst_beats;
  /* verilator lint_on UNUSEDSIGNAL */

  gemm_bursts #(
      .Tile(Tile),
      .BurstBeats(BurstBeats),
      .MaxBursts(MaxBursts)
  ) i_bursts (
      .clk_i,
      .rst_ni,
      .start_i,
      .matrix_i,
      .extent_i,
      .abort_i,
      .space_i,
      .answered_i(beat && r_i.last),
      .valid_o   (ar_valid_o),
      .ready_i   (ar_ready_i),
      .address_o (ar_o),
      .begin_o   (burst_begin),
      .beats_o   (burst_beats),
      .done_o    (done),
      .idle_o
  );

  assign r_ready_o = accept_i || abort_i;
  assign beat = r_valid_i && r_ready_o;
  assign next_index_o = index_q;
  assign next_tile_o = tile_q;

  always_ff @(posedge clk_i) begin
    data_o <= r_i.data;
    index_o <= index_q;
    buffer_o <= tile_q[0];
    if (!rst_ni || start_i) begin
      index_q <= '0;
      tile_q <= '0;
      write_o <= 1'b0;
      filled_o <= 1'b0;
      error_o <= 1'b0;
    end else begin
      if (beat) index_q <= index_q + 1'b1;
      if (beat && index_q == '1) tile_q <= tile_q + 1'b1;
      write_o <= beat;
      filled_o <= beat && index_q == '1;
      error_o <= beat && r_i.response != axi_pkg::Okay;
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) assert (!burst_begin || !done) else $error("a burst of no command");
  end
`endif

endmodule
