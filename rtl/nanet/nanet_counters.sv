// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// A counter for each kind of result. Results of several sources are never of one kind.
module nanet_counters #(
    parameter int unsigned NumSources = 5,
    localparam int unsigned R = nanet_pkg::ResultWidth
) (
    input  logic                    clk_i,
    /// Synchronous, active low.
    input  logic                    rst_ni,
    input  logic [NumSources-1:0]   valid_i,
    input  logic [NumSources*R-1:0] kind_i,
    input  logic [R-1:0]            select_i,
    output logic [31:0]             count_o
);

  logic [(1<<R)*32-1:0] counts;

  for (genvar k = 0; k < 1 << R; k++) begin : gen_kind
    logic [31:0] count_q;
    logic [NumSources-1:0] here;
    for (genvar s = 0; s < NumSources; s++) begin : gen_source
      assign here[s] = valid_i[s] && kind_i[s*R+:R] == R'(k);
    end
    assign counts[32*k+:32] = count_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) count_q <= '0;
      else if (here != '0) count_q <= count_q + 1'b1;
    end
  end

  assign count_o = counts[{select_i, 5'd0}+:32];

endmodule
