// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// rdma_firmware grants one invocation at a time, to one who asked, and not before its delay is over; work goes on alone as long as it is granted. Without a
/// delay it grants what is asked for. The delay may change at any time.
module rdma_firmware_formal (
    input logic       clk_i,
    input logic [1:0] request_i,
    input logic [1:0] delay_i
);
  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [1:0] grant;
  rdma_firmware i_dut (
      .clk_i,
      .rst_ni,
      .delay_i({18'd0, delay_i}),
      .request_i,
      .grant_o(grant),
      .done_i (grant != '0),
      .idle_o ()
  );

  // The least delay since the last grant is the least that an invocation after it may have.
  logic [1:0] before = '0;
  logic [1:0] least = 2'd3;
  logic [2:0] since = 3'd7;
  logic [1:0] lower;
  assign lower = delay_i < least ? delay_i : least;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Who asks waits for its grant.
      assume ((before & ~request_i) == '0);
      before <= request_i & ~grant;
      since <= grant != '0 ? 3'd0 : since == 3'd7 ? 3'd7 : since + 1'b1;
      least <= grant != '0 ? 2'd3 : lower;
      assert ((grant & ~request_i) == '0);
      if (lower != '0) assert (grant != 2'b11);
      if (grant != '0) assert (since >= {1'b0, lower});
      if (delay_i == '0 && since == 3'd0) assert (grant == request_i);
    end
  end
endmodule
