// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// In place of rtl/accel/gemm/gemm_dot.sv where there are too many multipliers to simulate: the same numbers after the same time, by this computer's arithmetic.
module gemm_dot #(
    parameter int unsigned Lanes = 4
) (
    input  logic                clk_i,
    input  logic [32*Lanes-1:0] a_i,
    input  logic [32*Lanes-1:0] b_i,
    output logic [31:0]         result_o
);

  import "DPI-C" function int unsigned gemm_host_dot(
    input bit [4095:0] a,
    input bit [4095:0] b,
    input int lanes
  );

  localparam int unsigned Latency = fp32_pkg::MultiplierLatency + $clog2(Lanes) * fp32_pkg::AdderLatency;

  logic [31:0] result_q[Latency];

  always_ff @(posedge clk_i) begin
    result_q[0] <= gemm_host_dot(4096'(a_i), 4096'(b_i), int'(Lanes));
    for (int i = 1; i < Latency; i++) result_q[i] <= result_q[i-1];
  end
  assign result_o = result_q[Latency-1];

endmodule
