// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The pins of a clock buffer of UltraScale+, for tools that do not know it.
module BUFGCE (
    input  wire I,
    input  wire CE,
    output wire O
);

  assign O = I && CE;

endmodule
