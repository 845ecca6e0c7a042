// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Multipliers and adders side by side, for tests: what an evaluation costs besides them is shared by all.
module fp32_lanes_top #(
    parameter int unsigned Lanes = 16
) (
    input  logic                clk_i,
    input  logic [32*Lanes-1:0] a_i,
    input  logic [32*Lanes-1:0] b_i,
    output logic [32*Lanes-1:0] product_o,
    output logic [32*Lanes-1:0] sum_o
);

  for (genvar l = 0; l < Lanes; l++) begin : gen_lanes
    fp32_multiplier i_multiplier (
        .clk_i,
        .a_i     (a_i[32*l+:32]),
        .b_i     (b_i[32*l+:32]),
        .result_o(product_o[32*l+:32])
    );
    fp32_adder i_adder (
        .clk_i,
        .a_i     (a_i[32*l+:32]),
        .b_i     (b_i[32*l+:32]),
        .result_o(sum_o[32*l+:32])
    );
  end

endmodule
