// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// stream_fifo keeps order and loses nothing, whatever happens at its ports: any one entry comes out as it went in, at its turn.
module stream_fifo_formal (
    input logic       clk_i,
    input logic       valid_i,
    input logic       ready_i,
    input logic [2:0] data_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic       ready, valid;
  logic [2:0] data;
  stream_fifo #(
      .Width(3),
      .Depth(4)
  ) i_dut (
      .clk_i,
      .rst_ni,
      .valid_i,
      .ready_o(ready),
      .data_i,
      .valid_o(valid),
      .ready_i,
      .data_o (data)
  );

  // One entry is followed from its arrival: how many are before it.
  logic [2:0] count = '0;
  logic       followed = 1'b0;
  logic       followed_here = 1'b0;
  logic [2:0] before = '0;
  logic [2:0] value = '0;
  logic       follow;
  (* anyseq *) logic choose;
  assign follow = choose && !followed && valid_i && ready && rst_ni;

  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      count <= count + 3'(valid_i && ready) - 3'(valid && ready_i);
      if (follow) begin
        followed <= 1'b1;
        followed_here <= 1'b1;
        before <= count - 3'(valid && ready_i);
        value <= data_i;
      end else if (followed_here && valid && ready_i) begin
        before <= before - 1'b1;
        if (before == '0) followed_here <= 1'b0;
      end
      assert (count <= 3'd4);
      assert (valid == (count != '0));
      assert (ready == (count != 3'd4));
      if (followed_here) begin
        assert (before < count);
        if (before == '0) assert (data == value);
      end
    end
  end
endmodule
