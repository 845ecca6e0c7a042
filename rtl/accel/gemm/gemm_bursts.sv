// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The addresses of bursts that visit the tiles of a matrix row by row, in the order of a command. A tile is begun when there is space for it, and no burst crosses
/// a boundary of 4 KiB.
module gemm_bursts #(
    parameter int unsigned Tile = 16,
    /// Beats of the longest burst.
    parameter int unsigned BurstBeats = 16,
    /// Bursts that are not answered yet.
    parameter int unsigned MaxBursts = 8,
    /// Tiles for which there is space when a command begins.
    parameter logic [1:0] Space = 2'd2
) (
    input  logic                clk_i,
    /// Synchronous, active low.
    input  logic                rst_ni,
    /// Begins a command; only when `idle_o`.
    input  logic                start_i,
    input  gemm_pkg::matrix_t   matrix_i,
    input  gemm_pkg::extent_t   extent_i,
    /// No burst that has not been offered is begun any more.
    input  logic                abort_i,
    /// There is space for one more tile.
    input  logic                space_i,
    /// A burst was answered.
    input  logic                answered_i,
    output logic                valid_o,
    input  logic                ready_i,
    output axi_pkg::address_t   address_o,
    /// In one cycle for each burst, at which it is first offered at the latest: its beats.
    output logic                begin_o,
    output logic [8:0]          beats_o,
    /// All bursts of the command were offered.
    output logic                done_o,
    /// Every burst that was offered was answered.
    output logic                idle_o
);

  localparam int unsigned AddressWidth = axi_pkg::AddressWidth;
  localparam int unsigned BeatBytesLog2 = $clog2(axi_pkg::StrobeWidth);
  localparam int unsigned LineBeats = Tile / gemm_pkg::Columns;
  localparam int unsigned LineWidth = $clog2(LineBeats) + 1;
  localparam int unsigned TileLog2 = $clog2(Tile);
  localparam int unsigned CountWidth = gemm_pkg::CountWidth;
  localparam int unsigned BurstsWidth = $clog2(MaxBursts) + 1;

  // The first row of the current row of tiles, of the current column in it, of the current tile, and the current row of elements.
  logic [AddressWidth-1:0] row_q, column_q, tile_q, line_q, address_q;
  logic [AddressWidth-1:0] right, down, next_row, next_column, next_tile, next_line, next;
  logic [CountWidth-1:0] rows_q, columns_q, depth_q;  ///< Left, with the current one.
  logic [TileLog2-1:0] lines_q;                       ///< Done.
  logic [LineWidth-1:0] left_q;                       ///< Beats left in the row of elements.
  logic [8:0] beats, boundary;
  logic [1:0] space_q;
  logic [BurstsWidth-1:0] bursts_q;
  logic active_q, inside_q, valid_q;
  logic may, take, line_end, tile_end, column_end, row_end;
  axi_pkg::address_t address_out_q;

  // What stays the same during a command is on the way for many cycles.
  assign right = AddressWidth'(4 * Tile);
  assign down = AddressWidth'(matrix_i.stride) << TileLog2;

  // Beats to the boundary, in the row, and in the longest burst.
  assign boundary = 9'd256 - {1'b0, address_q[11:BeatBytesLog2]};
  always_comb begin
    beats = 9'(left_q);
    if (beats > 9'(BurstBeats)) beats = 9'(BurstBeats);
    if (beats > boundary) beats = boundary;
  end

  assign may = active_q && !abort_i && (inside_q || space_q != 2'd0) && bursts_q < BurstsWidth'(MaxBursts);
  assign take = may && (!valid_q || ready_i);
  assign line_end = 9'(left_q) == beats;
  assign tile_end = line_end && lines_q == '1;
  assign column_end = tile_end && depth_q == CountWidth'(1);
  assign row_end = column_end && columns_q == CountWidth'(1);

  assign next_row = row_q + (matrix_i.by_row ? down : '0);
  assign next_column = column_q + (matrix_i.by_column ? right : '0);
  assign next_tile = tile_q + (matrix_i.inner_right ? right : '0) + (matrix_i.inner_down ? down : '0);
  assign next_line = line_q + AddressWidth'(matrix_i.stride);
  always_comb begin
    next = next_line;
    if (tile_end) next = next_tile;
    if (column_end) next = next_column;
    if (row_end) next = next_row;
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      if (!line_end) begin
        address_q <= address_q + (AddressWidth'(beats) << BeatBytesLog2);
        left_q <= left_q - LineWidth'(beats);
      end else begin
        address_q <= next;
        line_q <= next;
        left_q <= LineWidth'(LineBeats);
      end
      if (tile_end) tile_q <= next;
      if (column_end) column_q <= next;
      if (row_end) row_q <= next;
      if (line_end) lines_q <= lines_q + 1'b1;
      if (tile_end) depth_q <= column_end ? extent_i.depth : depth_q - 1'b1;
      if (column_end) columns_q <= row_end ? extent_i.columns : columns_q - 1'b1;
      if (row_end) rows_q <= rows_q - 1'b1;
      address_out_q <= axi_pkg::burst_at(address_q, beats);
    end
    if (start_i) begin
      row_q <= matrix_i.origin;
      column_q <= matrix_i.origin;
      tile_q <= matrix_i.origin;
      line_q <= matrix_i.origin;
      address_q <= matrix_i.origin;
      left_q <= LineWidth'(LineBeats);
      lines_q <= '0;
      rows_q <= extent_i.rows;
      columns_q <= extent_i.columns;
      depth_q <= extent_i.depth;
    end
    if (!rst_ni) begin
      active_q <= 1'b0;
      inside_q <= 1'b0;
      valid_q <= 1'b0;
      space_q <= '0;
      bursts_q <= '0;
    end else begin
      valid_q <= take || (valid_q && !ready_i);
      bursts_q <= bursts_q + BurstsWidth'(take) - BurstsWidth'(answered_i);
      if (take) inside_q <= !tile_end;
      if (start_i) active_q <= 1'b1;
      else if ((take && row_end && rows_q == CountWidth'(1)) || abort_i) active_q <= 1'b0;
      if (start_i) begin
        space_q <= Space;
        inside_q <= 1'b0;
      end else begin
        space_q <= space_q + 2'(space_i) - 2'(take && !inside_q);
      end
    end
  end

  assign valid_o = valid_q;
  assign address_o = address_out_q;
  assign begin_o = take;
  assign beats_o = beats;
  assign done_o = !active_q;
  assign idle_o = bursts_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!answered_i || bursts_q != '0) else $error("answer to a burst that was not made");
      assert (!start_i || (idle_o && done_o)) else $error("a command before the end of the last one");
      assert (!space_i || start_i || space_q != 2'd3) else $error("more space than tiles");
    end
  end
`endif

endmodule
