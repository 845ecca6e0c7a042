// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// Packets of several ports to the network interface, in turn. A packet that is there as a whole goes before those that still come, so that none of these
/// holds the memory up.
module nanet_switch #(
    parameter int unsigned NumPorts = 4,
    localparam int unsigned Width = 129  ///< Word, and whether it is the last one of its packet.
) (
    input  logic                      clk_i,
    /// Synchronous, active low.
    input  logic                      rst_ni,
    input  logic [NumPorts-1:0]       valid_i,
    output logic [NumPorts-1:0]       ready_o,
    input  logic [NumPorts*Width-1:0] data_i,
    output logic                      valid_o,
    input  logic                      ready_i,
    output logic                      last_o,
    output logic [127:0]              data_o
);

  localparam int unsigned Depth = 128;
  localparam int unsigned CountWidth = $clog2(Depth) + 2;

  logic [NumPorts-1:0]       valid, whole, full, pop, grant, owner_q, owner;
  logic [NumPorts*Width-1:0] data;
  logic                      busy_q;

  for (genvar p = 0; p < NumPorts; p++) begin : gen_port
    logic [CountWidth-1:0] packets_q;
    logic push;
    /* verilator lint_off UNUSEDSIGNAL */
    logic unused_empty;
    /* verilator lint_on UNUSEDSIGNAL */
    assign push = valid_i[p] && ready_o[p];
    assign ready_o[p] = !full[p];
    assign whole[p] = valid[p] && packets_q != '0;
    fifo #(
        .Width   (Width),
        .Depth   (Depth),
        .BlockRam(1'b1)
    ) i_fifo (
        .clk_i,
        .rst_ni,
        .push_i (push),
        .data_i (data_i[p*Width+:Width]),
        .full_o (full[p]),
        .pop_i  (pop[p]),
        .valid_o(valid[p]),
        .data_o (data[p*Width+:Width]),
        .empty_o(unused_empty),
        /* verilator lint_off PINCONNECTEMPTY */
        .count_o()
        /* verilator lint_on PINCONNECTEMPTY */
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) packets_q <= '0;
      else packets_q <= packets_q + CountWidth'(push && data_i[p*Width+Width-1]) - CountWidth'(pop[p] && data[p*Width+Width-1]);
    end
  end

  round_robin_arbiter #(
      .NumRequests(NumPorts)
  ) i_arbiter (
      .clk_i,
      .rst_ni,
      .enable_i (!busy_q),
      .request_i(whole != '0 ? whole : valid),
      .grant_o  (grant)
  );

  assign owner = busy_q ? owner_q : grant;
  always_comb begin
    {last_o, data_o} = '0;
    for (int p = 0; p < NumPorts; p++) if (owner[p]) {last_o, data_o} = data[p*Width+:Width];
  end
  assign valid_o = (valid & owner) != '0;
  assign pop = valid_o && ready_i ? owner : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      owner_q <= '0;
    end else begin
      // The choice stays, as long as the first word is not taken, too.
      busy_q <= owner != '0 && !(valid_o && ready_i && last_o);
      owner_q <= owner;
    end
  end

endmodule
