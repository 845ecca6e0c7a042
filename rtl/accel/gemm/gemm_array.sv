// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The arithmetic: `Lanes` memories with tiles of A and B, a dot product for each of four columns in each cycle, and two buffers with tiles of the result, to one of
/// which the dot products are added.
module gemm_array #(
    /// A power of two, 8 to 128.
    parameter int unsigned Tile = 16,
    /// A power of two, 4 to Tile.
    parameter int unsigned Lanes = 4,
    localparam int unsigned Columns = gemm_pkg::Columns,
    localparam int unsigned DataWidth = axi_pkg::DataWidth,
    localparam int unsigned PassWidth = $clog2(Tile / Lanes),
    localparam int unsigned RowWidth = $clog2(Tile),
    localparam int unsigned GroupWidth = $clog2(Tile / Columns),
    localparam int unsigned StepWidth = PassWidth + GroupWidth + RowWidth,
    localparam int unsigned IndexWidth = GroupWidth + RowWidth
) (
    input  logic                  clk_i,
    /// Synchronous, active low.
    input  logic                  rst_ni,
    input  logic                  start_i,
    /// Beats of tiles: buffer, and position in the tile by rows.
    input  logic                  a_write_i,
    input  logic                  a_buffer_i,
    input  logic [IndexWidth-1:0] a_index_i,
    input  logic [DataWidth-1:0]  a_data_i,
    input  logic                  b_write_i,
    input  logic                  b_buffer_i,
    input  logic [IndexWidth-1:0] b_index_i,
    input  logic [DataWidth-1:0]  b_data_i,
    input  logic                  c_write_i,
    input  logic                  c_buffer_i,
    input  logic [IndexWidth-1:0] c_index_i,
    input  logic [DataWidth-1:0]  c_data_i,
    /// A step (gemm_sequencer).
    input  logic                  issue_i,
    input  logic [StepWidth-1:0]  step_i,
    input  logic                  buffer_i,
    input  logic                  tile_end_i,
    /// A tile of the result is complete: its buffer is read by what follows.
    output logic                  finished_o,
    input  logic                  read_i,
    input  logic                  read_buffer_i,
    input  logic [IndexWidth-1:0] read_index_i,
    output logic [DataWidth-1:0]  read_data_o,
    /// No step is under way.
    output logic                  idle_o
);

  localparam int unsigned ADepth = 2 * Tile * Tile / Lanes;
  localparam int unsigned BDepth = ADepth / Columns;
  localparam int unsigned AWidth = $clog2(ADepth);
  localparam int unsigned BWidth = $clog2(BDepth);
  localparam int unsigned GroupsOfLanes = Lanes / Columns;
  localparam int unsigned GroupLanesWidth = $clog2(GroupsOfLanes);
  localparam int unsigned LaneWidth = $clog2(Lanes);
  /// From a step to its dot products, and to the edge that writes the sums.
  localparam int unsigned DotLatency = 2 + fp32_pkg::MultiplierLatency + LaneWidth * fp32_pkg::AdderLatency;
  localparam int unsigned Latency = DotLatency + fp32_pkg::AdderLatency;

  if (Tile < 8 || Tile > 128 || Tile != 1 << RowWidth) begin : gen_check_tile
    $error("gemm_array: Tile must be a power of two, 8 to 128");
  end
  if (Lanes < 4 || Lanes > Tile || Lanes != 1 << LaneWidth) begin : gen_check_lanes
    $error("gemm_array: Lanes must be a power of two, 4 to Tile");
  end
  if (Tile * Tile / Columns < fp32_pkg::AdderLatency + 2) begin : gen_check_latency
    $error("gemm_array: an element must be written before something is added to it again");
  end

  // Addresses of A in a lane: buffer, pass, row; of B: buffer, pass, group of columns.
  logic [AWidth-1:0] a_write_address, a_read_address;
  logic [BWidth-1:0] b_write_address, b_read_address;
  logic [RowWidth-1:0] a_write_row, b_write_row;
  logic [GroupWidth-1:0] a_write_group, b_write_group;

  assign {a_write_row, a_write_group} = a_index_i;
  assign {b_write_row, b_write_group} = b_index_i;
  if (PassWidth == 0) begin : gen_one_pass
    assign a_write_address = {a_buffer_i, a_write_row};
    assign b_write_address = {b_buffer_i, b_write_group};
    assign a_read_address = {buffer_i, step_i[RowWidth-1:0]};
    assign b_read_address = {buffer_i, step_i[RowWidth+:GroupWidth]};
  end else begin : gen_passes
    assign a_write_address = {a_buffer_i, a_write_group[GroupWidth-1-:PassWidth], a_write_row};
    assign b_write_address = {b_buffer_i, b_write_row[RowWidth-1-:PassWidth], b_write_group};
    assign a_read_address = {buffer_i, step_i[StepWidth-1-:PassWidth], step_i[RowWidth-1:0]};
    assign b_read_address = {buffer_i, step_i[StepWidth-1-:PassWidth], step_i[RowWidth+:GroupWidth]};
  end

  logic [32*Lanes-1:0] a;
  logic [32*Lanes*Columns-1:0] b;  ///< By columns, in each by lanes.

  for (genvar l = 0; l < Lanes; l++) begin : gen_lanes
    logic a_here;
    logic [DataWidth-1:0] b_word;

    if (GroupsOfLanes == 1) begin : gen_all
      assign a_here = a_write_i;
    end else begin : gen_some
      assign a_here = a_write_i && a_write_group[GroupLanesWidth-1:0] == GroupLanesWidth'(l / Columns);
    end

    gemm_lane #(
        .ADepth(ADepth),
        .BDepth(BDepth)
    ) i_lane (
        .clk_i,
        .a_write_i        (a_here),
        .a_write_address_i(a_write_address),
        .a_write_data_i   (a_data_i[32*(l%Columns)+:32]),
        .b_write_i        (b_write_i && b_write_row[LaneWidth-1:0] == LaneWidth'(l)),
        .b_write_address_i(b_write_address),
        .b_write_data_i   (b_data_i),
        .read_i           (issue_i),
        .a_read_address_i (a_read_address),
        .b_read_address_i (b_read_address),
        .a_o              (a[32*l+:32]),
        .b_o              (b_word)
    );
    for (genvar j = 0; j < Columns; j++) begin : gen_columns
      assign b[32*(Lanes*j+l)+:32] = b_word[32*j+:32];
    end
  end

  // Steps and ends of tiles under way, by age. The dot products of the oldest but the adder's latency are there.
  logic [Latency-1:0] issued_q, ends_q;
  logic read_sum, write_sum, read_tile_q, write_tile_q;
  logic [IndexWidth-1:0] read_step_q, write_step_q, read_sum_index, write_sum_index;
  logic [DataWidth-1:0] old, sum;

  // The element that is added to is read one cycle before.
  assign read_sum = issued_q[DotLatency-2];
  assign write_sum = issued_q[Latency-1];
  // Steps have groups of columns first, positions in a tile rows.
  assign read_sum_index = {read_step_q[RowWidth-1:0], read_step_q[RowWidth+:GroupWidth]};
  assign write_sum_index = {write_step_q[RowWidth-1:0], write_step_q[RowWidth+:GroupWidth]};
  assign idle_o = issued_q == '0 && !issue_i;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      issued_q <= '0;
      ends_q <= '0;
      read_step_q <= '0;
      write_step_q <= '0;
      read_tile_q <= 1'b0;
      write_tile_q <= 1'b0;
      finished_o <= 1'b0;
    end else begin
      issued_q <= {issued_q[Latency-2:0], issue_i};
      ends_q <= {ends_q[Latency-2:0], tile_end_i};
      if (read_sum) read_step_q <= read_step_q + 1'b1;
      if (write_sum) write_step_q <= write_step_q + 1'b1;
      if (ends_q[DotLatency-2]) read_tile_q <= !read_tile_q;
      if (ends_q[Latency-1]) write_tile_q <= !write_tile_q;
      finished_o <= ends_q[Latency-1];
    end
  end

  for (genvar j = 0; j < Columns; j++) begin : gen_dots
    logic [31:0] dot;
    gemm_dot #(
        .Lanes(Lanes)
    ) i_dot (
        .clk_i,
        .a_i     (a),
        .b_i     (b[32*Lanes*j+:32*Lanes]),
        .result_o(dot)
    );
    fp32_adder i_sum (
        .clk_i,
        .a_i     (dot),
        .b_i     (old[32*j+:32]),
        .result_o(sum[32*j+:32])
    );
  end

  // The two buffers. One is added to, the other is written to memory and loaded, each through one port to read and one to write.
  logic [2*DataWidth-1:0] buffer_data;
  logic old_buffer_q, read_buffer_q;

  for (genvar t = 0; t < 2; t++) begin : gen_buffers
    logic sum_here, old_here;
    assign sum_here = write_sum && write_tile_q == t[0];
    assign old_here = read_sum && read_tile_q == t[0];
    gemm_ram #(
        .Width(DataWidth),
        .Depth(Tile * Tile / Columns)
    ) i_ram (
        .clk_i,
        .write_i        (sum_here || (c_write_i && c_buffer_i == t[0])),
        .write_address_i(sum_here ? write_sum_index : c_index_i),
        .write_data_i   (sum_here ? sum : c_data_i),
        .read_i         (old_here || (read_i && read_buffer_i == t[0])),
        .read_address_i (old_here ? read_sum_index : read_index_i),
        .read_data_o    (buffer_data[DataWidth*t+:DataWidth])
    );
`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        assert (!sum_here || !c_write_i || c_buffer_i != t[0]) else $error("a buffer is loaded that is added to");
        assert (!old_here || !read_i || read_buffer_i != t[0]) else $error("a buffer is read that is added to");
      end
    end
`endif
  end
  always_ff @(posedge clk_i) begin
    if (read_sum) old_buffer_q <= read_tile_q;
    if (read_i) read_buffer_q <= read_buffer_i;
  end
  assign old = buffer_data[DataWidth*old_buffer_q+:DataWidth];
  assign read_data_o = buffer_data[DataWidth*read_buffer_q+:DataWidth];

endmodule
