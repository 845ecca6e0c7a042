// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What the parts of the matrix-multiply accelerator share.
package gemm_pkg;

  // A package cannot name constants of another one in Yosys: gemm_engine looks whether these agree with axi_pkg.
  /// Elements in a beat of AXI: columns that are multiplied at once.
  localparam int unsigned Columns = 4;
  localparam int unsigned AddressWidth = 64;
  localparam int unsigned CountWidth = 16;   ///< Width of a number of tiles.
  localparam int unsigned StrideWidth = 32;  ///< Width of the bytes from a row of a matrix to the next one.

  /// Where a matrix is, and which of its tiles are visited in which order: rows, in each columns, in each the inner dimension.
  typedef struct packed {
    logic [AddressWidth-1:0]          origin;
    logic [StrideWidth-1:0]           stride;
    logic                             by_row;     ///< Another row of tiles of the result lies further down.
    logic                             by_column;  ///< Another column of tiles of the result lies further right.
    logic                             inner_right;  ///< Along the inner dimension tiles lie further right.
    logic                             inner_down;   ///< Along the inner dimension tiles lie further down.
  } matrix_t;

  /// Numbers of tiles, at least 1 each.
  typedef struct packed {
    logic [CountWidth-1:0] rows;
    logic [CountWidth-1:0] columns;
    logic [CountWidth-1:0] depth;
  } extent_t;

  /// Why a command ended.
  localparam int unsigned ErrorWidth = 4;
  localparam logic [ErrorWidth-1:0] ErrorNone = 4'd0;
  localparam logic [ErrorWidth-1:0] ErrorCount = 4'd1;    ///< A number of tiles is 0.
  localparam logic [ErrorWidth-1:0] ErrorAddress = 4'd2;  ///< An address is no multiple of a beat.
  localparam logic [ErrorWidth-1:0] ErrorStride = 4'd3;   ///< A stride is no multiple of a beat or shorter than a row of a tile.
  localparam logic [ErrorWidth-1:0] ErrorReadA = 4'd4;    ///< The memory answered with an error.
  localparam logic [ErrorWidth-1:0] ErrorReadB = 4'd5;
  localparam logic [ErrorWidth-1:0] ErrorReadC = 4'd6;
  localparam logic [ErrorWidth-1:0] ErrorWriteC = 4'd7;

endpackage


