// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// ni_fifo: what goes in comes out, once and in order, and the queue is never asked for what it does not have.
module ni_fifo_formal (
    input logic       clk_i,
    input logic       push_i,
    input logic [3:0] data_i,
    input logic       pop_i
);

  logic rst_q = 1'b0;
  always_ff @(posedge clk_i) rst_q <= 1'b1;

  logic full, valid;
  logic [3:0] data;

  ni_fifo #(
      .Width(4),
      .Depth(4)
  ) i_dut (
      .clk_i,
      .rst_ni (rst_q),
      .push_i,
      .data_i,
      .full_o (full),
      .valid_o(valid),
      .data_o (data),
      .pop_i
  );

  // One entry, chosen freely, is followed: it was pushed when `before_q` others were ahead of it.
  (* anyseq *) logic follow;
  logic followed_q;
  logic [3:0] value_q;
  logic [2:0] count_q, before_q;

  always_ff @(posedge clk_i) begin
    if (!rst_q) begin
      followed_q <= 1'b0;
      value_q <= '0;
      count_q <= '0;
      before_q <= '0;
    end else begin
      count_q <= count_q + {2'd0, push_i} - {2'd0, pop_i};
      if (push_i && follow && !followed_q) begin
        followed_q <= 1'b1;
        value_q <= data_i;
        before_q <= count_q - {2'd0, pop_i};
      end else if (followed_q && pop_i) begin
        if (before_q == '0) followed_q <= 1'b0;
        else before_q <= before_q - 3'd1;
      end
    end
  end

  always_comb begin
    if (rst_q) begin
      if (full) assume (!push_i);
      if (!valid) assume (!pop_i);
      assert (count_q <= 3'd4);
      assert (full == (count_q == 3'd4));
      assert (valid == (count_q != '0));
      if (followed_q) begin
        assert (before_q < count_q);
        if (before_q == 3'd0) assert (data == value_q);
      end
    end
  end

endmodule
