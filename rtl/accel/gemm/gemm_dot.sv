// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Dot product of `Lanes` numbers in each cycle: a multiplier for each, and a balanced tree of adders, in which neighbours are added first.
module gemm_dot #(
    /// A power of two, at least 2.
    parameter int unsigned Lanes = 4
) (
    input  logic                clk_i,
    input  logic [32*Lanes-1:0] a_i,
    input  logic [32*Lanes-1:0] b_i,
    /// fp32_pkg::MultiplierLatency + $clog2(Lanes) * fp32_pkg::AdderLatency cycles later.
    output logic [31:0]         result_o
);

  if (Lanes < 2 || Lanes != 1 << $clog2(Lanes)) begin : gen_check
    $error("gemm_dot: Lanes must be a power of two, at least 2");
  end

  // Nodes of the tree by number: 1 is the root, the children of n are 2n and 2n + 1, products are the leaves from Lanes on.
  logic [32*2*Lanes-1:32] node;

  for (genvar l = 0; l < Lanes; l++) begin : gen_products
    fp32_multiplier i_multiplier (
        .clk_i,
        .a_i     (a_i[32*l+:32]),
        .b_i     (b_i[32*l+:32]),
        .result_o(node[32*(Lanes+l)+:32])
    );
  end
  for (genvar n = 1; n < Lanes; n++) begin : gen_sums
    fp32_adder i_adder (
        .clk_i,
        .a_i     (node[32*(2*n)+:32]),
        .b_i     (node[32*(2*n+1)+:32]),
        .result_o(node[32*n+:32])
    );
  end
  assign result_o = node[63:32];

endmodule
