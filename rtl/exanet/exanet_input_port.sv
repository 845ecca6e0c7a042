// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An input port: one buffered VC each, and the register that returns their credits to the neighbour.
module exanet_input_port #(
    /// Bits of a word: 128, 256 or 512. Header and footer are the low 128 bits of a word of their own.
    parameter int unsigned DataWidth = exanet_pkg::DataWidth,
    /// Buffer size of each VC in words.
    parameter int unsigned BufferWords = 64,
    /// Entries of the route table of each VC; see exanet_input_vc.
    parameter int unsigned RouteTableEntries = 0,
    /// Ports of the router.
    parameter int unsigned NumPorts = 7,
    localparam int unsigned InputIdWidth = $clog2(NumPorts) + 1,
    localparam int unsigned RouteWidth = InputIdWidth + 1
) (
    input  logic                                     clk_i,
    /// Synchronous, active low.
    input  logic                                     rst_ni,
    /// Own coordinates and lattice sizes minus one, X in the low byte; constant.
    input  logic [23:0]                              here_i,
    input  logic [23:0]                              last_i,
    /// Routing by table; see exanet_input_vc. The write enable has a bit for each VC.
    input  logic                                     table_enable_i,
    input  logic [1:0]                               table_we_i,
    input  logic [exanet_pkg::TableAddressWidth-1:0] table_address_i,
    input  logic [RouteWidth-1:0]                    table_data_i,
    /// Output ports that exist; constant.
    input  logic [NumPorts-1:0]                      port_enable_i,
    /// This port exists; without it input is ignored.
    input  logic                                     enable_i,
    /// The word from the link.
    input  logic                                     rx_valid_i,
    input  logic                                     rx_vc_i,
    input  logic                                     rx_sop_i,
    input  logic                                     rx_eop_i,
    input  logic [DataWidth-1:0]                     rx_data_i,
    /// Credits to the link, registered.
    output logic                                     credit_valid_o,
    output logic                                     credit_vc_o,
    output logic [exanet_pkg::CreditWidth-1:0]       credit_count_o,
    /// Towards the outputs; see exanet_input_vc. VC 0 in the low part of each.
    output logic [1:0]                               waiting_o,
    output logic [2*InputIdWidth-1:0]                want_o,
    output logic [2*exanet_pkg::LengthStride-1:0]    length_o,
    output logic [1:0]                               routed_o,
    output logic [2*exanet_pkg::CreditWidth-1:0]     count_o,
    input  logic [1:0]                               grant_i,
    output logic [1:0]                               valid_o,
    output logic [2*DataWidth-1:0]                   data_o,
    output logic [1:0]                               first_o,
    output logic [1:0]                               last_o,
    input  logic [1:0]                               pop_i,
    /// Nothing is buffered, pending or registered here.
    output logic                                     idle_o,
    /// Sticky.
    output logic                                     error_o
);

  logic [2*exanet_pkg::CreditWidth-1:0] pending;
  logic [1:0] has_pending, error;
  logic credit_valid_q, credit_vc_q;
  logic [exanet_pkg::CreditWidth-1:0] credit_count_q;

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    exanet_input_vc #(
        .DataWidth        (DataWidth),
        .BufferWords      (BufferWords),
        .Vc               (v == 1),
        .RouteTableEntries(RouteTableEntries),
        .NumPorts         (NumPorts)
    ) i_vc (
        .clk_i,
        .rst_ni,
        .here_i,
        .last_i,
        .table_enable_i,
        .table_we_i(table_we_i[v]),
        .table_address_i,
        .table_data_i,
        .port_enable_i,
        .push_i   (rx_valid_i && enable_i && rx_vc_i == (v == 1)),
        .sop_i    (rx_sop_i),
        .eop_i    (rx_eop_i),
        .data_i   (rx_data_i),
        .waiting_o(waiting_o[v]),
        .want_o   (want_o[InputIdWidth*v+:InputIdWidth]),
        .length_o (length_o[exanet_pkg::LengthStride*v+:exanet_pkg::LengthStride]),
        .routed_o (routed_o[v]),
        .count_o  (count_o[exanet_pkg::CreditWidth*v+:exanet_pkg::CreditWidth]),
        .grant_i  (grant_i[v]),
        .valid_o  (valid_o[v]),
        .data_o   (data_o[DataWidth*v+:DataWidth]),
        .first_o  (first_o[v]),
        .last_o   (last_o[v]),
        .pop_i    (pop_i[v]),
        .pending_o(pending[exanet_pkg::CreditWidth*v+:exanet_pkg::CreditWidth]),
        .return_i (v == 1 ? has_pending == 2'b10 : has_pending[0]),
        .error_o  (error[v])
    );
    assign has_pending[v] = pending[exanet_pkg::CreditWidth*v+:exanet_pkg::CreditWidth] != '0;
  end

  // VC 0 goes first; VC 1 cannot starve, since a VC has credits to return at most once a packet.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      credit_valid_q <= 1'b0;
      credit_vc_q <= 1'b0;
      credit_count_q <= '0;
    end else begin
      credit_valid_q <= has_pending != 2'b00;
      credit_vc_q <= !has_pending[0] && has_pending[1];
      credit_count_q <= has_pending[0] ? pending[exanet_pkg::CreditWidth-1:0] :
                                         pending[2*exanet_pkg::CreditWidth-1:exanet_pkg::CreditWidth];
    end
  end

  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_count_o = credit_count_q;
  assign idle_o = valid_o == 2'b00 && has_pending == 2'b00 && !credit_valid_q;
  assign error_o = error != 2'b00;

endmodule
