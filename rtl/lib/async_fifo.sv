// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// First-in first-out queue between two clocks (Cummings, "Simulation and Synthesis Techniques for Asynchronous FIFO Design", 2002): its pointers cross as
/// Gray codes through two flip-flops. An entry is visible two to three edges of the reader after it was pushed.
module async_fifo #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two, at least 4.
    parameter int unsigned Depth = 16
) (
    input  logic             write_clk_i,
    /// Synchronous to `write_clk_i`, active low. Both ends are reset together, for at least four edges of each clock.
    input  logic             write_rst_ni,
    /// Appends an entry; without effect while full.
    input  logic             push_i,
    input  logic [Width-1:0] data_i,
    output logic             full_o,
    input  logic             read_clk_i,
    /// Synchronous to `read_clk_i`, active low.
    input  logic             read_rst_ni,
    output logic             valid_o,
    output logic [Width-1:0] data_o,
    /// Removes the oldest entry; without effect while there is none.
    input  logic             pop_i
);

  localparam int unsigned PointerWidth = $clog2(Depth);

  if (Depth < 4 || Depth != 1 << PointerWidth) begin : gen_check_depth
    $error("async_fifo: Depth must be a power of two, at least 4");
  end

  (* ram_style = "distributed" *)
  logic [Width-1:0] data_q[Depth];
  logic [PointerWidth:0] write_q, write_gray_q, write_next;
  logic [PointerWidth:0] read_q, read_gray_q, read_next;
  (* ASYNC_REG = "TRUE" *)
  logic [PointerWidth:0] read_meta_q, read_seen_q;
  (* ASYNC_REG = "TRUE" *)
  logic [PointerWidth:0] write_meta_q, write_seen_q;

  // Full: the Gray codes differ in their two highest bits only.
  assign full_o = write_gray_q == {~read_seen_q[PointerWidth:PointerWidth-1], read_seen_q[PointerWidth-2:0]};
  assign write_next = write_q + {{PointerWidth{1'b0}}, push_i && !full_o};

  always_ff @(posedge write_clk_i) begin
    if (push_i && !full_o) data_q[write_q[PointerWidth-1:0]] <= data_i;
    if (!write_rst_ni) begin
      write_q <= '0;
      write_gray_q <= '0;
      read_meta_q <= '0;
      read_seen_q <= '0;
    end else begin
      write_q <= write_next;
      write_gray_q <= write_next ^ (write_next >> 1);
      read_meta_q <= read_gray_q;
      read_seen_q <= read_meta_q;
    end
  end

  assign valid_o = read_gray_q != write_seen_q;
  assign data_o = data_q[read_q[PointerWidth-1:0]];
  assign read_next = read_q + {{PointerWidth{1'b0}}, pop_i && valid_o};

  always_ff @(posedge read_clk_i) begin
    if (!read_rst_ni) begin
      read_q <= '0;
      read_gray_q <= '0;
      write_meta_q <= '0;
      write_seen_q <= '0;
    end else begin
      read_q <= read_next;
      read_gray_q <= read_next ^ (read_next >> 1);
      write_meta_q <= write_gray_q;
      write_seen_q <= write_meta_q;
    end
  end

endmodule
