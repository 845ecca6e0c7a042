// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Parity of six bits: one look-up table. A module of its own so that a mapper keeps it.
(* keep_hierarchy *)
module apelink_xor6 (
    input  logic [5:0] bits_i,
    output logic       parity_o
);

  assign parity_o = ^bits_i;

endmodule
