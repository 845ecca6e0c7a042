// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parities of 128 bits under three constant masks at once. For synthesis the bits are first added up by which of the masks name them (seven sums), and a
/// parity is then one gate over four of the sums: a third fewer gates than three trees of their own, and no more levels.
module apelink_parities #(
    /// Zero where a parity is not needed.
    parameter logic [127:0] Mask0 = '1,
    parameter logic [127:0] Mask1 = '1,
    parameter logic [127:0] Mask2 = '1
) (
    input  logic [127:0] bits_i,
    output logic [2:0]   parities_o
);

`ifdef SYNTHESIS
  /// Sum s is of the bits that mask m names if bit m of s is set, and does not name if it is not.
  logic [7:1] sums;

  for (genvar s = 1; s < 8; s++) begin : gen_sum
    apelink_parity #(
        .Mask((s % 2 == 1 ? Mask0 : ~Mask0) & (s / 2 % 2 == 1 ? Mask1 : ~Mask1) & (s / 4 == 1 ? Mask2 : ~Mask2))
    ) i_parity (
        .bits_i,
        .parity_o(sums[s])
    );
  end
  apelink_xor6 i_parity0 (
      .bits_i  ({2'b00, sums[1], sums[3], sums[5], sums[7]}),
      .parity_o(parities_o[0])
  );
  apelink_xor6 i_parity1 (
      .bits_i  ({2'b00, sums[2], sums[3], sums[6], sums[7]}),
      .parity_o(parities_o[1])
  );
  apelink_xor6 i_parity2 (
      .bits_i  ({2'b00, sums[4], sums[5], sums[6], sums[7]}),
      .parity_o(parities_o[2])
  );
`else
  assign parities_o = {^(bits_i & Mask2), ^(bits_i & Mask1), ^(bits_i & Mask0)};
`endif

endmodule
