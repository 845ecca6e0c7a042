// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The switch of an FPGA without network links: joins its network interface to the other FPGAs of the board. Input-queued; no coordinates, only a
/// table. A word sampled at edge k is taken by the link at edge k + 2 at the earliest. Packets leave whole: what has begun is finished first.
///
/// The fields of port p are bit p (or slice p) of the vectors. A word moves at an edge where valid and ready are high.
module qfdb_switch #(
    /// Even.
    parameter int unsigned NumPorts = 4,
    parameter int unsigned DataWidth = 128,
    /// Words that each input holds; a power of two.
    parameter int unsigned Depth = 32,
    /// Destinations of this board, by the low bits of the destination in the header.
    parameter int unsigned IndexWidth = 2,
    parameter int unsigned CounterWidth = 16,
    localparam int unsigned PortWidth = $clog2(NumPorts),
    localparam int unsigned TableEntries = 2 ** IndexWidth
) (
    input  logic                             clk_i,
    /// Synchronous, active low.
    input  logic                             rst_ni,
    /// The upper bits of the destinations of this board. Constant.
    input  logic [23-IndexWidth:0]           board_i,
    /// Port for each destination of this board, and the last entry for all others; bit 0 of an entry says that it leads somewhere.
    input  logic [(TableEntries+1)*(PortWidth+1)-1:0] table_i,
    /// Words from the links.
    input  logic [NumPorts-1:0]              rx_valid_i,
    input  logic [NumPorts-1:0]              rx_sop_i,
    input  logic [NumPorts-1:0]              rx_eop_i,
    input  logic [NumPorts*DataWidth-1:0]    rx_data_i,
    output logic [NumPorts-1:0]              rx_ready_o,
    /// Words to the links, registered.
    output logic [NumPorts-1:0]              tx_valid_o,
    output logic [NumPorts-1:0]              tx_sop_o,
    output logic [NumPorts-1:0]              tx_eop_o,
    output logic [NumPorts*DataWidth-1:0]    tx_data_o,
    input  logic [NumPorts-1:0]              tx_ready_i,
    /// By input port, modulo 2^CounterWidth: packets that lead nowhere, and words outside a packet.
    output logic [NumPorts*CounterWidth-1:0] dropped_o,
    /// Nothing is inside. Follows the registers.
    output logic                             idle_o
);

  localparam int unsigned PointerWidth = $clog2(Depth);
  localparam int unsigned EntryWidth = PortWidth + 1;
  localparam int unsigned WordWidth = DataWidth + 2;

  if (Depth < 2 || Depth != 1 << PointerWidth || NumPorts < 2 || NumPorts % 2 != 0) begin : gen_check
    $error("qfdb_switch: Depth must be a power of two and NumPorts even, both at least 2");
  end
  if (IndexWidth < 1 || IndexWidth > 8 || CounterWidth < 2) begin : gen_check_widths
    $error("qfdb_switch: IndexWidth must be 1 to 8 and CounterWidth 2 or more");
  end
  if (DataWidth < 128) begin : gen_check_data
    $error("qfdb_switch: DataWidth must hold a header, 128 bits");
  end

  // By input port.
  logic [NumPorts*WordWidth-1:0] word;
  logic [NumPorts-1:0] request_valid, pop;
  logic [NumPorts-1:0] input_valid;
  logic [NumPorts*PortWidth-1:0] port;
  // By output port, then input port.
  logic [NumPorts*NumPorts-1:0] take;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_input
    logic [WordWidth-1:0] memory_q[Depth];
    logic [PointerWidth:0] write_q, read_q;
    logic [CounterWidth-1:0] dropped_q;
    logic [WordWidth-1:0] head;
    logic [EntryWidth-1:0] entry;
    logic [23:0] destination;
    logic valid, sop, eop, in_packet_q, dropping_q, drop;
    logic [PortWidth-1:0] port_q;

    assign rx_ready_o[p] = (write_q ^ read_q) != {1'b1, {PointerWidth{1'b0}}};
    assign valid = write_q != read_q;
    assign input_valid[p] = valid;
    assign head = memory_q[read_q[PointerWidth-1:0]];
    assign word[WordWidth*p+:WordWidth] = head;
    assign {sop, eop} = head[WordWidth-1-:2];
    assign destination = head[47:24];
    assign entry = destination[23:IndexWidth] == board_i ?
        table_i[EntryWidth*32'(destination[IndexWidth-1:0])+:EntryWidth] : table_i[EntryWidth*TableEntries+:EntryWidth];
    // A packet goes where its header says; what is outside of one, or leads nowhere, goes nowhere.
    assign drop = valid && (dropping_q || (!in_packet_q && (!sop || !entry[0])));
    assign request_valid[p] = valid && !drop;
    assign port[PortWidth*p+:PortWidth] = in_packet_q ? port_q : entry[EntryWidth-1:1];

    always_ff @(posedge clk_i) begin
      if (rx_valid_i[p] && rx_ready_o[p]) begin
        memory_q[write_q[PointerWidth-1:0]] <= {rx_sop_i[p], rx_eop_i[p], rx_data_i[DataWidth*p+:DataWidth]};
      end
      if (!rst_ni) begin
        write_q <= '0;
        read_q <= '0;
        in_packet_q <= 1'b0;
        dropping_q <= 1'b0;
        dropped_q <= '0;
        port_q <= '0;
      end else begin
        if (rx_valid_i[p] && rx_ready_o[p]) write_q <= write_q + 1'b1;
        if (pop[p] || drop) read_q <= read_q + 1'b1;
        if (pop[p]) begin
          in_packet_q <= !eop;
          port_q <= port[PortWidth*p+:PortWidth];
        end
        if (drop) dropping_q <= !eop && (dropping_q || sop);
        if (drop && !dropping_q) dropped_q <= dropped_q + 1'b1;
      end
    end

    assign dropped_o[CounterWidth*p+:CounterWidth] = dropped_q;
  end

  for (genvar o = 0; o < NumPorts; o++) begin : gen_output
    logic [NumPorts-1:0] request, grant, owner_q, candidate;
    logic free, busy_q, valid_q;
    logic [WordWidth-1:0] chosen, word_q;

    for (genvar i = 0; i < NumPorts; i++) begin : gen_request
      assign request[i] = request_valid[i] && port[PortWidth*i+:PortWidth] == PortWidth'(o);
      assign take[NumPorts*o+i] = candidate[i] && free;
    end
    assign free = !valid_q || tx_ready_i[o];

    ape_arbiter #(
        .NumRequests(NumPorts)
    ) i_arbiter (
        .clk_i,
        .rst_ni,
        .enable_i(!busy_q && free),
        .request_i(request),
        .beaten_i((NumPorts / 2 * NumPorts / 2)'(0)),
        .grant_o (grant)
    );

    assign candidate = busy_q ? request & owner_q : grant;

    always_comb begin
      chosen = '0;
      for (int i = 0; i < NumPorts; i++) begin
        if (candidate[i]) chosen = chosen | word[WordWidth*i+:WordWidth];
      end
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        busy_q <= 1'b0;
        valid_q <= 1'b0;
        owner_q <= '0;
      end else begin
        if (free) valid_q <= candidate != '0;
        if (free && candidate != '0) begin
          busy_q <= !chosen[DataWidth];
          owner_q <= candidate;
        end
      end
      if (free) word_q <= chosen;
    end

    assign tx_valid_o[o] = valid_q;
    assign {tx_sop_o[o], tx_eop_o[o], tx_data_o[DataWidth*o+:DataWidth]} = word_q;
  end

  assign idle_o = input_valid == '0 && tx_valid_o == '0;

  always_comb begin
    pop = '0;
    for (int o = 0; o < NumPorts; o++) pop = pop | take[NumPorts*o+:NumPorts];
  end

endmodule
