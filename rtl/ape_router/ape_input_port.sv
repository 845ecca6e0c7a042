// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// An input port: one buffered VC each, the store of their headers and footers, the routing of what comes in, and the register that returns their credits to the neighbour.
module ape_input_port #(
    parameter int unsigned IntraPorts = 3,
    parameter int unsigned InterPorts = 2,
    parameter int unsigned DataWidth = 128,
    parameter int unsigned MaxPayload = 512,
    parameter int unsigned HeaderDepth = 128,
    parameter int unsigned PayloadDepth = 1024,
    parameter int unsigned CounterWidth = 16,
    /// Output ports to which this input may send.
    parameter bit [IntraPorts+InterPorts-1:0] Outputs = {(IntraPorts+InterPorts){1'b1}},
    localparam int unsigned NumPorts = IntraPorts + InterPorts,
    localparam int unsigned IdWidth = $clog2(NumPorts) + 1,
    localparam int unsigned PortWidth = IdWidth - 1
) (
    input  logic                                         clk_i,
    /// Synchronous, active low.
    input  logic                                         rst_ni,
    /// See ape_route and ape_input_vc.
    input  ape_router_pkg::position_t                    position_i,
    input  logic [5:0]                                   order_i,
    input  logic                                         vc_by_direction_i,
    input  logic [NumPorts-1:0]                          port_enable_i,
    input  logic                                         enable_i,
    /// The word from the link.
    input  logic                                         rx_valid_i,
    input  logic                                         rx_vc_i,
    input  logic                                         rx_sop_i,
    input  logic                                         rx_eop_i,
    input  logic [DataWidth-1:0]                         rx_data_i,
    /// Credits to the link, registered.
    output logic                                         credit_valid_o,
    output logic                                         credit_vc_o,
    output logic [ape_router_pkg::ReturnWidth-1:0]       credit_words_o,
    output logic [ape_router_pkg::ReturnPacketWidth-1:0] credit_packets_o,
    /// Towards the outputs; see ape_input_vc. VC 0 in the low part of each.
    output logic [1:0]                                   waiting_o,
    output logic [2*IdWidth-1:0]                         want_o,
    output logic [2*ape_router_pkg::LengthWidth-1:0]     length_o,
    input  logic [1:0]                                   grant_i,
    output logic [1:0]                                   valid_o,
    output logic [2*IdWidth-1:0]                         target_o,
    output logic [2*DataWidth-1:0]                       data_o,
    output logic [1:0]                                   first_o,
    output logic [1:0]                                   last_o,
    output logic [1:0]                                   ending_o,
    input  logic [1:0]                                   pop_i,
    /// For marks; see ape_input_vc.
    output logic [2*ape_router_pkg::QueueWidth-1:0]      queued_o,
    output logic [1:0]                                   head_valid_o,
    output logic [2*PortWidth-1:0]                       head_port_o,
    input  logic [ape_router_pkg::LengthWidth-1:0]       least_i,
    output logic [1:0]                                   large_o,
    output logic [2*ape_router_pkg::PacketsWidth-1:0]    packets_o,
    /// Nothing is buffered, pending or registered here.
    output logic                                         idle_o,
    /// Counters.
    output logic [CounterWidth-1:0]                      dropped_route_o,
    output logic [CounterWidth-1:0]                      dropped_disabled_o,
    output logic [CounterWidth-1:0]                      malformed_o,
    /// Sticky: a word was lost.
    output logic                                         error_o
);

  localparam int unsigned ReturnWidth = ape_router_pkg::ReturnWidth;
  localparam int unsigned ReturnPacketWidth = ape_router_pkg::ReturnPacketWidth;
  localparam int unsigned IndexWidth = HeaderDepth < 2 ? 1 : $clog2(HeaderDepth);

  logic [2*ReturnWidth-1:0] pending_words;
  logic [2*ReturnPacketWidth-1:0] pending_packets;
  logic [1:0] has_pending, returned, empty, error, dropped_route, dropped_disabled, refused, malformed;
  logic [1:0] routes, disables, malforms;
  logic turn, credit_valid_q, credit_vc_q;
  logic [ReturnWidth-1:0] credit_words_q;
  logic [ReturnPacketWidth-1:0] credit_packets_q;
  logic [CounterWidth-1:0] dropped_route_q, dropped_disabled_q, malformed_q;
  // The router needs only some fields of the header.
  /* verilator lint_off UNUSEDSIGNAL */
  ape_router_pkg::header_t header;
  /* verilator lint_on UNUSEDSIGNAL */
  logic route_valid, route_vc, allowed;
  logic [PortWidth-1:0] route_port;
  logic [1:0] store, store_footer, fetch, fetch_footer, fetch_grant;
  logic [2*IndexWidth-1:0] store_index, fetch_index;
  logic [ape_router_pkg::HeaderWidth-1:0] fetched;
  logic clk;  ///< Stands while nothing is here.

  idle_gate i_gate (
      .clk_i,
      .rst_ni,
      .busy_i(!idle_o || rx_valid_i),
      .clk_o (clk)
  );

  assign header = rx_data_i[ape_router_pkg::HeaderWidth-1:0];

  ape_route #(
      .IntraPorts(IntraPorts),
      .InterPorts(InterPorts)
  ) i_route (
      .coordinates_i(header.coordinates),
      .ties_i       (header.ties[2:0]),
      .tile_port_i  (header.tile_port),
      .vc_i         (rx_vc_i),
      .position_i,
      .order_i,
      .vc_by_direction_i,
      .valid_o      (route_valid),
      .port_o       (route_port),
      .vc_o         (route_vc)
  );

  // Ports beyond the last never come here with a valid route; the loop keeps indices in range whatever the number of ports.
  always_comb begin
    allowed = 1'b0;
    for (int p = 0; p < NumPorts; p++) begin
      if (route_port == PortWidth'(p)) allowed = Outputs[p];
    end
  end

  ape_control_store #(
      .HeaderDepth(HeaderDepth)
  ) i_control (
      .clk_i         (clk),
      .rst_ni,
      .write_i       (store != 2'b00),
      .write_vc_i    (rx_vc_i),
      .write_footer_i(store_footer[rx_vc_i]),
      .write_index_i (rx_vc_i ? store_index[2*IndexWidth-1:IndexWidth] : store_index[IndexWidth-1:0]),
      .data_i        (rx_data_i[ape_router_pkg::HeaderWidth-1:0]),
      .fetch_i       (fetch),
      .fetch_footer_i(fetch_footer),
      .fetch_index_i (fetch_index),
      .grant_o       (fetch_grant),
      .data_o        (fetched)
  );

  for (genvar v = 0; v < 2; v++) begin : gen_vc
    ape_input_vc #(
        .IntraPorts  (IntraPorts),
        .InterPorts  (InterPorts),
        .DataWidth   (DataWidth),
        .MaxPayload  (MaxPayload),
        .HeaderDepth (HeaderDepth),
        .PayloadDepth(PayloadDepth)
    ) i_vc (
        .clk_i             (clk),
        .rst_ni,
        .port_enable_i,
        .enable_i,
        .push_i            (rx_valid_i && rx_vc_i == (v == 1)),
        .sop_i             (rx_sop_i),
        .eop_i             (rx_eop_i),
        .data_i            (rx_data_i),
        .route_valid_i     (route_valid && allowed),
        .route_i           ({route_port, route_vc}),
        .store_o           (store[v]),
        .store_footer_o    (store_footer[v]),
        .store_index_o     (store_index[IndexWidth*v+:IndexWidth]),
        .fetch_o           (fetch[v]),
        .fetch_footer_o    (fetch_footer[v]),
        .fetch_index_o     (fetch_index[IndexWidth*v+:IndexWidth]),
        .fetch_grant_i     (fetch_grant[v]),
        .fetched_i         (fetched),
        .waiting_o         (waiting_o[v]),
        .want_o            (want_o[IdWidth*v+:IdWidth]),
        .length_o          (length_o[ape_router_pkg::LengthWidth*v+:ape_router_pkg::LengthWidth]),
        .grant_i           (grant_i[v]),
        .valid_o           (valid_o[v]),
        .target_o          (target_o[IdWidth*v+:IdWidth]),
        .data_o            (data_o[DataWidth*v+:DataWidth]),
        .first_o           (first_o[v]),
        .last_o            (last_o[v]),
        .ending_o          (ending_o[v]),
        .pop_i             (pop_i[v]),
        .queued_o          (queued_o[ape_router_pkg::QueueWidth*v+:ape_router_pkg::QueueWidth]),
        .head_valid_o      (head_valid_o[v]),
        .head_port_o       (head_port_o[PortWidth*v+:PortWidth]),
        .least_i,
        .large_o           (large_o[v]),
        .packets_o         (packets_o[ape_router_pkg::PacketsWidth*v+:ape_router_pkg::PacketsWidth]),
        .pending_words_o   (pending_words[ReturnWidth*v+:ReturnWidth]),
        .pending_packets_o (pending_packets[ReturnPacketWidth*v+:ReturnPacketWidth]),
        .return_i          (returned[v]),
        .empty_o           (empty[v]),
        .dropped_route_o   (dropped_route[v]),
        .dropped_disabled_o(dropped_disabled[v]),
        .refused_o         (refused[v]),
        .malformed_o       (malformed[v]),
        .error_o           (error[v])
    );
    assign has_pending[v] = pending_words[ReturnWidth*v+:ReturnWidth] != '0 ||
                            pending_packets[ReturnPacketWidth*v+:ReturnPacketWidth] != '0;
  end

  // In turn where both have credits, so that neither piles up even while every word that comes is dropped.
  assign turn = !credit_valid_q || credit_vc_q;
  assign returned = has_pending == 2'b11 ? (turn ? 2'b01 : 2'b10) : has_pending;

  assign routes = {1'b0, dropped_route[0]} + {1'b0, dropped_route[1]};
  assign disables = {1'b0, dropped_disabled[0]} + {1'b0, dropped_disabled[1]} + {1'b0, refused != 2'b00};
  assign malforms = {1'b0, malformed[0]} + {1'b0, malformed[1]};

  always_ff @(posedge clk) begin
    if (!rst_ni) begin
      credit_valid_q <= 1'b0;
      credit_vc_q <= 1'b0;
      credit_words_q <= '0;
      credit_packets_q <= '0;
      dropped_route_q <= '0;
      dropped_disabled_q <= '0;
      malformed_q <= '0;
    end else begin
      credit_valid_q <= returned != 2'b00;
      credit_vc_q <= returned[1];
      credit_words_q <= returned[1] ? pending_words[2*ReturnWidth-1:ReturnWidth] : pending_words[ReturnWidth-1:0];
      credit_packets_q <= returned[1] ? pending_packets[2*ReturnPacketWidth-1:ReturnPacketWidth] :
                                        pending_packets[ReturnPacketWidth-1:0];
      // Both VCs of a port can count at the same edge.
      dropped_route_q <= dropped_route_q + CounterWidth'(routes);
      dropped_disabled_q <= dropped_disabled_q + CounterWidth'(disables);
      malformed_q <= malformed_q + CounterWidth'(malforms);
    end
  end

  assign credit_valid_o = credit_valid_q;
  assign credit_vc_o = credit_vc_q;
  assign credit_words_o = credit_words_q;
  assign credit_packets_o = credit_packets_q;
  assign idle_o = empty == 2'b11 && has_pending == 2'b00 && !credit_valid_q;
  assign dropped_route_o = dropped_route_q;
  assign dropped_disabled_o = dropped_disabled_q;
  assign malformed_o = malformed_q;
  assign error_o = error != 2'b00;

endmodule
