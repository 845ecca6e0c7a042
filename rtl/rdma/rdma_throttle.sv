// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Holds back the cells of the send unit while the network is congested: a notice from a destination raises that destination's index into a table of
/// gaps, a timer lowers all indices, and behind each cell its slot waits for the gap. docs/models/exanet-congestion.md is the contract.
///
/// Indices fall all at once but are stored with the number of timer periods at which they were right, and one is brought up to date in each cycle.
module rdma_throttle (
    input  logic                clk_i,
    /// Synchronous, active low. The tables are clear 128 cycles later.
    input  logic                rst_ni,
    /// Registers. They change while no index is above `least`.
    input  rdma_pkg::throttle_t config_i,
    /// Eight entries of the table at once, 16 bits each, of which the lower 14 count.
    input  logic                table_write_i,
    input  logic [3:0]          table_index_i,
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [127:0]        table_gaps_i,
    /* verilator lint_on UNUSEDSIGNAL */
    /// A notice from a node has arrived.
    input  logic                notice_i,
    input  logic [6:0]          notice_node_i,
    /// A cell is sent: its slot, destination, and words of payload (1 to 16).
    input  logic                cell_i,
    input  logic [3:0]          cell_slot_i,
    input  logic [6:0]          cell_node_i,
    input  logic [4:0]          cell_words_i,
    /// A transfer begins in a slot, possibly with a cell in the same cycle; where it goes. Behind one that went there too it must wait for the gap.
    input  logic                begin_i,
    input  logic [3:0]          begin_slot_i,
    input  logic [6:0]          begin_node_i,
    output logic                begin_waits_o,
    /// Slots whose next cell must wait.
    output logic [rdma_pkg::NumSlots-1:0] blocked_o,
    /// Without input nothing changes.
    output logic                idle_o
);

  localparam int unsigned NumSlots = rdma_pkg::NumSlots;
  localparam int unsigned TimeWidth = 19;  ///< The longest gap, 18 * 16383 cycles and the cell, is shorter than 2^19.

  logic        clearing_q;
  logic [6:0]  sweep_q;     ///< The next entry that is cleared or brought up to date.
  // The timer.
  logic [6:0]  highest_q;   ///< No index is above this one, and one has it while it is above `least`.
  logic [7:0]  unit_q;      ///< Cycles of 1.024 us.
  logic [15:0] units_q;
  logic [7:0]  period_q, period_now;
  logic        running, unit_over, expired;
  // Indices: the value, and the period in which it was right.
  (* ram_style = "distributed" *)
  logic [14:0] entries_q[rdma_pkg::NumThrottled];
  logic [6:0]  entry, stored, raised, fallen, cell_stored, cell_index;
  logic [7:0]  sum, age, cell_age;
  logic [7:0]  stored_period, cell_period;
  // The gap behind the cell that was sent last.
  (* ram_style = "distributed" *)
  logic [111:0] gaps_q[16];
  logic [111:0] table_gaps;
  logic        index_valid_q, gap_valid_q, blocks;
  logic [3:0]  index_slot_q, gap_slot_q;
  logic [4:0]  index_words_q, gap_words_q, cell_length;
  logic [6:0]  index_q;
  logic [13:0] gap_q;
  logic [18:0] product;
  // Waiting slots. A slot is armed when its end is known.
  logic [TimeWidth-1:0] now_q;
  logic [NumSlots-1:0] blocked_q, armed_q;
  logic [TimeWidth-1:0] end_q[NumSlots];
  logic [6:0]  node_q[NumSlots];  ///< The destination of the slot's last cell.
  logic        same;

  assign running = highest_q > config_i.least;
  assign unit_over = unit_q == 8'(rdma_pkg::ThrottleUnit - 1);
  assign expired = running && unit_over && units_q + 16'd1 == config_i.timer;
  assign period_now = period_q + {7'd0, expired};

  function automatic logic [6:0] aged(input logic [6:0] index, input logic [7:0] by, input logic [6:0] least);
    aged = by >= {1'b0, index} ? '0 : index - by[6:0];
    if (aged < least) aged = least;
  endfunction

  always_comb begin
    for (int e = 0; e < 8; e++) table_gaps[14*e+:14] = table_gaps_i[16*e+:14];
  end

  // --- Indices ---
  assign entry = notice_i && !clearing_q ? notice_node_i : sweep_q;
  assign {stored, stored_period} = entries_q[entry];
  assign age = period_now - stored_period;
  assign fallen = aged(stored, age, config_i.least);
  assign sum = {1'b0, fallen} + {1'b0, config_i.increase};
  assign raised = sum > {1'b0, config_i.limit} ? config_i.limit : sum[6:0];

  assign {cell_stored, cell_period} = entries_q[cell_node_i];
  assign cell_age = period_q - cell_period;
  assign cell_index = aged(cell_stored, cell_age, config_i.least);
  assign blocks = cell_i && config_i.enable && cell_index != '0;

  always_ff @(posedge clk_i) begin
    if (clearing_q) entries_q[entry] <= '0;
    else if (notice_i && config_i.enable) entries_q[entry] <= {raised, period_now};
    else if (!notice_i && running) entries_q[entry] <= {fallen, period_now};
    if (clearing_q) gaps_q[sweep_q[3:0]] <= '0;
    else if (table_write_i) gaps_q[table_index_i] <= table_gaps;
    if (!rst_ni) begin
      clearing_q <= 1'b1;
      sweep_q <= '0;
      highest_q <= '0;
      period_q <= '0;
    end else begin
      if (clearing_q || (running && !notice_i)) sweep_q <= sweep_q + 1'b1;
      if (sweep_q == '1) clearing_q <= 1'b0;
      if (running) begin
        unit_q <= unit_over ? '0 : unit_q + 1'b1;
        if (unit_over) units_q <= expired ? '0 : units_q + 1'b1;
      end else begin
        unit_q <= '0;
        units_q <= '0;
      end
      period_q <= period_now;
      if (notice_i && config_i.enable && !clearing_q && raised > highest_q - {6'd0, expired}) highest_q <= raised;
      else if (expired) highest_q <= highest_q - 1'b1;
    end
  end

  // --- Gaps ---
  assign cell_length = cell_words_i < 5'd4 ? 5'd6 : cell_words_i + 5'd2;
  assign same = node_q[begin_slot_i] == begin_node_i;
  assign begin_waits_o = same && blocked_q[begin_slot_i];
  assign product = 19'(gap_q) * 19'(gap_words_q);

  always_ff @(posedge clk_i) begin
    index_q <= cell_index;
    index_slot_q <= cell_slot_i;
    index_words_q <= cell_length;
    gap_q <= gaps_q[index_q[6:3]][14*index_q[2:0]+:14];
    gap_slot_q <= index_slot_q;
    gap_words_q <= index_words_q;
    if (cell_i) node_q[cell_slot_i] <= cell_node_i;
    // The next cell is sent a cell and a gap after this one, and chosen two cycles before that; two cycles have passed.
    if (gap_valid_q) end_q[gap_slot_q] <= now_q + TimeWidth'(gap_words_q) + TimeWidth'(product >> config_i.shift) - TimeWidth'(5);
    if (!rst_ni) begin
      index_valid_q <= 1'b0;
      gap_valid_q <= 1'b0;
      blocked_q <= '0;
      armed_q <= '0;
      now_q <= '0;
    end else begin
      index_valid_q <= blocks;
      gap_valid_q <= index_valid_q;
      if (blocked_q != '0) now_q <= now_q + 1'b1;
      for (int s = 0; s < NumSlots; s++) begin
        if (armed_q[s] && now_q == end_q[s]) begin
          blocked_q[s] <= 1'b0;
          armed_q[s] <= 1'b0;
        end
      end
      if (gap_valid_q) armed_q[gap_slot_q] <= 1'b1;
      if (begin_i && !same) begin
        blocked_q[begin_slot_i] <= 1'b0;
        armed_q[begin_slot_i] <= 1'b0;
      end
      if (blocks) blocked_q[cell_slot_i] <= 1'b1;
    end
  end

  assign blocked_o = blocked_q;
  assign idle_o = !clearing_q && !running && blocked_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!blocks || (begin_i && !same) || !blocked_q[cell_slot_i]) else $error("cell of a slot that waits");
      assert (!begin_i || same || !((index_valid_q && index_slot_q == begin_slot_i) || (gap_valid_q && gap_slot_q == begin_slot_i)))
        else $error("transfer begins right behind a cell of the last one");
    end
  end
`endif

endmodule
