// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parity of those of 128 bits that a constant mask names. For synthesis it is a tree of six-input gates over the named bits: mappers make trees from wide
/// parities that are a third larger. Simulators are better off with whole words.
module apelink_parity #(
    parameter logic [127:0] Mask = '1
) (
    /// Not all of them are named.
    /* verilator lint_off UNUSEDSIGNAL */
    input  logic [127:0] bits_i,
    /* verilator lint_on UNUSEDSIGNAL */
    output logic         parity_o
);

`ifdef SYNTHESIS
  function automatic int unsigned ones(input int unsigned below);
    ones = 0;
    for (int unsigned i = 0; i < below; i++) begin
      if (Mask[i[6:0]]) ones = ones + 1;
    end
  endfunction

  // Zeros, the named bits, the gates' outputs: gate g takes six of these and adds one, so no list per level is needed.
  localparam int unsigned Count = ones(128);
  localparam int unsigned Gates = (Count + 3) / 5;
  localparam int unsigned Zeros = 5 * Gates + 1 - Count;  ///< In front, so that the last gate does not read itself.
  /* verilator lint_off UNOPTFLAT */
  logic [6*Gates:0] pool;
  /* verilator lint_on UNOPTFLAT */

  for (genvar i = 0; i < 128; i++) begin : gen_named
    if (Mask[i]) begin : gen_bit
      assign pool[Zeros+ones(i)] = bits_i[i];
    end
  end
  for (genvar g = 0; g < Gates; g++) begin : gen_gate
    apelink_xor6 i_xor (
        .bits_i  (pool[6*g+:6]),
        .parity_o(pool[Zeros+Count+g])
    );
  end
  if (Zeros > 0) begin : gen_zeros
    assign pool[Zeros-1:0] = '0;
  end
  assign parity_o = pool[6*Gates];
`else
  assign parity_o = ^(bits_i & Mask);
`endif

endmodule
