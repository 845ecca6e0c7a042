// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// The interrupt of the mailbox: which interfaces have got entries, and when the host is to hear of them. docs/models/exanet-ni.md describes the registers.
/// A request is moderated: it waits until so many entries have come, or until so many cycles have passed since the first of them.
module ni_interrupts (
    input  logic                              clk_i,
    /// Synchronous, active low.
    input  logic                              rst_ni,
    /// An entry has been added to the mailbox of this interface.
    input  logic                              event_valid_i,
    input  logic [ni_pkg::InterfaceWidth-1:0] event_interface_i,

    /// Writes of the host, one at a time: pending bits that it has seen, which takes the request back; bits that are enabled; moderation.
    input  logic                              pending_write_i,
    input  logic                              enable_write_i,
    input  logic                              moderation_write_i,
    /// Not all registers have all bits.
    input  logic [63:0]                       data_i,
    /// The registers.
    output logic [63:0]                       pending_o,
    output logic [63:0]                       enable_o,
    output logic [63:0]                       moderation_o,

    /// The request, by level.
    output logic                              irq_o,
    /// Without input nothing happens.
    output logic                              idle_o
);

  localparam int unsigned CountWidth = 16;
  localparam int unsigned DelayWidth = 24;

  logic [ni_pkg::NumInterfaces-1:0] pending_q, enable_q, added;
  logic [CountWidth-1:0] limit_q, events_q;
  logic [DelayWidth-1:0] delay_q, waited_q;
  logic irq_q, armed, hit;

  assign added = event_valid_i ? ni_pkg::NumInterfaces'(1) << event_interface_i : '0;
  assign hit = (added & enable_q) != '0;
  assign armed = (pending_q & enable_q) != '0;

  // What comes while the host clears its bit stays.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      enable_q <= '0;
      limit_q <= '0;
      delay_q <= '0;
    end else begin
      pending_q <= (pending_q & ~(pending_write_i ? data_i : 64'd0)) | added;
      if (enable_write_i) enable_q <= data_i;
      if (moderation_write_i) {delay_q, limit_q} <= data_i[CountWidth+DelayWidth-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      events_q <= '0;
      waited_q <= '0;
      irq_q <= 1'b0;
    end else if (pending_write_i || !armed) begin
      events_q <= CountWidth'(hit);
      waited_q <= '0;
      irq_q <= 1'b0;
    end else begin
      if (hit && events_q != '1) events_q <= events_q + 1'b1;
      if (waited_q != '1) waited_q <= waited_q + 1'b1;
      if ((limit_q != '0 && events_q >= limit_q) || waited_q >= delay_q) irq_q <= 1'b1;
    end
  end

  assign pending_o = pending_q;
  assign enable_o = enable_q;
  assign moderation_o = {{(64 - CountWidth - DelayWidth) {1'b0}}, delay_q, limit_q};
  assign irq_o = irq_q;
  assign idle_o = armed == irq_q && !event_valid_i;

endmodule
