// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// rdma_firmware grants one invocation at a time, to one who asked, and not before its delay is over; work goes on alone as long as it is granted.
module rdma_firmware_formal (
    input logic       clk_i,
    input logic [1:0] request_i
);
  localparam int unsigned Delay = 3;

  logic rst_ni = 1'b0;
  always_ff @(posedge clk_i) rst_ni <= 1'b1;

  logic [1:0] grant;
  rdma_firmware #(
      .Delay(Delay)
  ) i_dut (
      .clk_i,
      .rst_ni,
      .request_i,
      .grant_o(grant),
      .done_i (grant != '0)
  );

  logic [1:0] before = '0;
  logic [2:0] since = 3'd7;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      // Who asks waits for its grant.
      assume ((before & ~request_i) == '0);
      before <= request_i & ~grant;
      since <= grant != '0 ? 3'd0 : since == 3'd7 ? 3'd7 : since + 1'b1;
      assert (grant != 2'b11);
      assert ((grant & ~request_i) == '0);
      if (grant != '0) assert (since >= 3'(Delay));
    end
  end
endmodule
