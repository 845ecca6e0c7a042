// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A queue with a handshake at both ends: an entry is taken at an edge where both valid and ready are high. One that comes in is visible after its edge.
module stream_fifo #(
    parameter int unsigned Width = 8,
    /// Entries; a power of two, at least 2.
    parameter int unsigned Depth = 4
) (
    input  logic             clk_i,
    /// Synchronous, active low.
    input  logic             rst_ni,
    input  logic             valid_i,
    output logic             ready_o,
    input  logic [Width-1:0] data_i,
    output logic             valid_o,
    input  logic             ready_i,
    output logic [Width-1:0] data_o
);

  logic full;
  assign ready_o = !full;

  fifo #(
      .Width(Width),
      .Depth(Depth)
  ) i_fifo (
      .clk_i,
      .rst_ni,
      .push_i (valid_i && ready_o),
      .data_i,
      .full_o (full),
      .valid_o,
      .data_o,
      .pop_i  (valid_o && ready_i),
      /* verilator lint_off PINCONNECTEMPTY */
      .empty_o(),
      .count_o()
      /* verilator lint_on PINCONNECTEMPTY */
  );

endmodule
