// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Credits are neither made nor lost: as long as no more come back than were used, those here and those out there are as many as at first, and the count
/// never passes its initial value whatever comes back.
module credit_counter_formal (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [3:0] take_i,
    input logic [3:0] give_i
);

  (* anyconst *) logic [3:0] first;
  logic [3:0] count;
  logic error;

  credit_counter #(
      .Width(4)
  ) i_counter (
      .clk_i,
      .rst_ni,
      .initial_i(first),
      .take_i   (take),
      .give_i,
      .count_o  (count),
      .error_o  (error)
  );

  logic [3:0] take, used_q;
  logic wrong_q, started_q;
  initial started_q = 1'b0;
  assign take = take_i > count ? count : take_i;

  always_ff @(posedge clk_i) begin
    started_q <= 1'b1;
    if (!rst_ni) begin
      used_q <= '0;
      wrong_q <= 1'b0;
    end else begin
      used_q <= used_q + take - give_i;
      if ({1'b0, used_q} + {1'b0, take} < {1'b0, give_i}) wrong_q <= 1'b1;
    end
  end

  always_comb begin
    assume (started_q || !rst_ni);
    if (started_q) begin
      assert (count <= first);
      assert (error == wrong_q);
      if (!wrong_q) assert ({1'b0, count} + {1'b0, used_q} == {1'b0, first});
    end
  end

endmodule
