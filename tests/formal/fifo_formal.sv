// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The queue of rtl/lib loses, doubles and reorders nothing: what goes out is what went in, entry by entry, as long as nobody pushes into a full one or takes
/// from an empty one.
module fifo_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic       push_i,
    input logic [3:0] data_i,
    input logic       pop_i
);

  localparam int unsigned Depth = 4;

  logic full, valid, empty;
  logic [3:0] data;
  logic [2:0] count;

  fifo #(
      .Width(4),
      .Depth(Depth)
  ) i_fifo (
      .clk_i,
      .rst_ni,
      .push_i (push_i && !full),
      .data_i,
      .full_o (full),
      .valid_o(valid),
      .data_o (data),
      .pop_i  (pop_i && valid),
      .empty_o(empty),
      .count_o(count)
  );

  // A shift register of its own: entry 0 is the oldest.
  logic [4*Depth-1:0] model_q;
  logic [2:0] count_q;
  logic [2:0] after_pop;
  logic started_q;
  initial started_q = 1'b0;

  assign after_pop = count_q - {2'd0, pop_i && valid};

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      count_q <= '0;
    end else begin
      count_q <= after_pop + {2'd0, push_i && !full};
      if (pop_i && valid) model_q <= model_q >> 4;
      if (push_i && !full) begin
        for (int i = 0; i < Depth; i++) begin
          if (after_pop == 3'(i)) model_q[4*i+:4] <= data_i;
        end
      end
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (started_q) begin
      assert (count_q <= 3'(Depth));
      assert (valid == (count_q != 3'd0));
      assert (empty == !valid);
      assert (count == count_q);
      assert (full == (count_q == 3'(Depth)));
      assert (!valid || data == model_q[3:0]);
    end
  end

endmodule
