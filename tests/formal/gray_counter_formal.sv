// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One bit in Gray code changes at a step and none without, and they decode to the binary count: another clock that samples them at any moment sees the
/// old count or the new one.
module gray_counter_formal (
    input logic clk_i,
    input logic rst_ni,
    input logic step_i
);

  logic [4:0] binary, gray, decoded, before_q, changed;
  logic begun_q, started_q, stepped_q;
  initial begun_q = 1'b0;
  initial started_q = 1'b0;

  gray_counter #(
      .Width(5)
  ) i_counter (
      .clk_i,
      .rst_ni,
      .step_i,
      .binary_o(binary),
      .gray_o  (gray)
  );

  for (genvar b = 0; b < 5; b++) begin : gen_bit
    assign decoded[b] = ^(gray >> b);
  end
  assign changed = gray ^ before_q;

  always_ff @(posedge clk_i) begin
    begun_q <= 1'b1;
    started_q <= rst_ni;
    stepped_q <= step_i && rst_ni && started_q;
    before_q <= gray;
  end

  always_comb begin
    assume (begun_q || !rst_ni);
    if (started_q) begin
      assert (decoded == binary);
      if (stepped_q) assert (changed != '0 && (changed & (changed - 5'd1)) == '0);
    end
  end

endmodule

