// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// One direction of a serial channel between two AXI streams, for simulation: a gearbox to the line rate, two lanes with a latency each, bit errors, and
/// a buffer that puts the lanes together again. Not a part of any device.
module transceiver_model #(
    /// Cycles for each word: 2 is 10 Gb/s at 156.25 MHz.
    parameter int unsigned GearCycles = 2,
    /// Cycles from a word taken to the same word offered on the faster lane, at least 3; more on the other lane.
    parameter int unsigned LatencyCycles = 10,
    parameter int unsigned SkewCycles = 0,
    /// Seed of both lanes' errors; not zero.
    parameter logic [63:0] Seed = 64'h9E37_79B9_7F4A_7C15
) (
    input  logic         clk_i,
    /// Synchronous, active low.
    input  logic         rst_ni,
    input  logic [127:0] s_tdata_i,
    input  logic         s_tvalid_i,
    output logic         s_tready_o,
    output logic [127:0] m_tdata_o,
    output logic         m_tvalid_o,
    input  logic         m_tready_i,
    /// Chance of one wrong bit in a lane's 64 bits, times 2^32.
    input  logic [31:0]  error_rate_i,
    /// Bits to turn over in the word that is taken at this edge.
    input  logic [127:0] flip_i,
    /// Words that the random errors have damaged, counted for each lane.
    output logic [31:0]  random_errors_o,
    /// Most words that have waited for the receiver. The channel takes no more than its buffer holds, as with flow control; a channel without needs a
    /// receiver that keeps this low.
    output logic [8:0]   high_water_o
);

  if (LatencyCycles < 3 || GearCycles < 1 || Seed == 64'd0) begin : gen_check
    $error("transceiver_model: LatencyCycles, GearCycles or Seed");
  end

  logic [7:0] gear_q;
  logic taken;
  logic [1:0] valid, wrong;
  logic [8:0] inside_q, waiting;  ///< Words in the channel; of these in the later lane's buffer.
  logic [31:0] errors_q;

  assign s_tready_o = gear_q == 8'd0 && inside_q != 9'd256;
  assign taken = s_tvalid_i && s_tready_o;

  for (genvar l = 0; l < 2; l++) begin : gen_lane
    localparam int unsigned Delay = LatencyCycles + (l == 1 ? SkewCycles : 0) - 1;
    logic [63:0] line_q[Delay];
    logic [$clog2(Delay)-1:0] at_q;  ///< Where the oldest leaves and the next enters.
    logic [Delay-1:0] line_valid_q;
    logic [63:0] random_q, random_d, fifo_q[256];
    logic [8:0] write_q, read_q;

    // Xorshift: a linear-feedback shift register of 64 bits that makes 64 new ones in a cycle.
    always_comb begin
      random_d = random_q ^ (random_q << 13);
      random_d = random_d ^ (random_d >> 7);
      random_d = random_d ^ (random_d << 17);
    end

    assign wrong[l] = taken && random_q[63:32] < error_rate_i;
    assign valid[l] = write_q != read_q;
    assign m_tdata_o[64*l+:64] = fifo_q[read_q[7:0]];

    always_ff @(posedge clk_i) begin
      line_q[at_q] <= s_tdata_i[64*l+:64] ^ flip_i[64*l+:64] ^ (wrong[l] ? 64'd1 << random_q[5:0] : 64'd0);
      if (line_valid_q[Delay-1]) fifo_q[write_q[7:0]] <= line_q[at_q];
      if (!rst_ni) begin
        line_valid_q <= '0;
        at_q <= '0;
        random_q <= Seed ^ (l == 1 ? 64'hD1B5_4A32_D192_ED03 : 64'd0);
        write_q <= '0;
        read_q <= '0;
      end else begin
        line_valid_q <= Delay'({line_valid_q, taken});
        at_q <= 32'(at_q) == Delay - 1 ? '0 : at_q + 1'b1;
        random_q <= random_d;
        if (line_valid_q[Delay-1]) write_q <= write_q + 1'b1;
        if (m_tvalid_o && m_tready_i) read_q <= read_q + 1'b1;
      end
    end
  end

  assign waiting = gen_lane[1].write_q - gen_lane[1].read_q;
  assign m_tvalid_o = valid == 2'b11;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      gear_q <= '0;
      errors_q <= '0;
      high_water_o <= '0;
      inside_q <= '0;
    end else begin
      if (taken) gear_q <= 8'(GearCycles - 1);
      else if (gear_q != 8'd0) gear_q <= gear_q - 8'd1;
      errors_q <= errors_q + {31'd0, wrong[0]} + {31'd0, wrong[1]};
      inside_q <= inside_q + {8'd0, taken} - {8'd0, m_tvalid_o && m_tready_i};
      if (waiting > high_water_o) high_water_o <= waiting;
    end
  end

  assign random_errors_o = errors_q;

endmodule
