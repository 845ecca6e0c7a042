// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0

/// What the units of the ExaNeSt network interface share: the GVAS address, the packets and their check. docs/models/exanet-ni.md is the contract.
///
/// A packet of the network interface is an ordinary ExaNet packet (exanet_pkg::header_t, payload, footer) whose first payload word is `ni_header_t`;
/// `bytes` of data follow in 0 to 15 words, and the footer holds the CRC of all words before it:
///   header_t: payload_bytes = 16 + bytes, source and destination = the nodes' numbers, message = tag.
package ni_pkg;

  localparam int unsigned PdidWidth = 16;
  localparam int unsigned NodeWidth = 22;
  localparam int unsigned RankWidth = 3;
  localparam int unsigned VaWidth = 39;
  localparam int unsigned GvasWidth = 80;
  localparam int unsigned KindWidth = 4;
  localparam int unsigned TagWidth = 32;
  localparam int unsigned HeaderBytes = 16;      ///< The network interface's own header.
  localparam int unsigned MaxDataBytes = 240;    ///< Data in one packet of any kind: 256 less the own header.
  localparam int unsigned KindLow = 61;          ///< Lowest bit of the kind of a packet in its header.
  localparam int unsigned PayloadBytesLow = 48;  ///< Lowest bit of payload_bytes in exanet_pkg::header_t.

  localparam int unsigned NumInterfaces = 64;    ///< Virtual interfaces of the packetizer, and as many of the mailbox.
  localparam int unsigned InterfaceWidth = 6;
  localparam int unsigned ChannelWidth = 2;
  localparam int unsigned NumChannels = 256;     ///< Channels of all interfaces: number 4 * interface + channel.
  localparam int unsigned ChannelIdWidth = 8;
  localparam int unsigned SequenceWidth = 24;
  localparam int unsigned MaxMessageBytes = 64;
  localparam int unsigned MessageBytesWidth = 7;
  localparam int unsigned MessageWidth = 512;    ///< Bits of the largest message.

  /// A global virtual address, most significant field first.
  typedef struct packed {
    logic [15:0] pdid;  ///< Protection domain.
    logic [21:0] node;
    logic [2:0]  rank;
    logic [38:0] va;
  } gvas_t;

  /// The first payload word, most significant field first.
  typedef struct packed {
    logic [3:0]  kind;         ///< See below.
    logic [2:0]  source_rank;
    logic [8:0]  bytes;        ///< Data after this word, 0 to 240.
    logic [31:0] tag;          ///< Comes back in the answer. Messages, acks, nacks: message_tag_t. RDMA kinds: as the RDMA units say.
    logic [79:0] destination;  ///< gvas_t.
  } ni_header_t;

  /// Tag of a message and of what answers it.
  typedef struct packed {
    logic [23:0] sequence_number;
    logic [7:0]  channel;  ///< 4 * interface + channel of the packetizer that sent the message.
  } message_tag_t;

  // Kinds of own headers. Those with bit 3 go to the RDMA stream port; the others that are not named here are unknown and dropped.
  localparam logic [3:0] KindMessage = 4'd1;
  localparam logic [3:0] KindAck = 4'd2;
  localparam logic [3:0] KindNack = 4'd3;          ///< The reason is in the low bits of the destination's address.
  localparam int unsigned KindRdmaBit = 3;

  // Kinds of packets, in bits 63:61 of the ExaNet header. The RDMA unit's packets have no own header: docs/models/exanet-rdma.md.
  localparam logic [2:0] PacketOwn = 3'd0;          ///< The first payload word is an own header.
  localparam logic [2:0] PacketRdmaWrite = 3'd1;    ///< A cell of a block.
  localparam logic [2:0] PacketRdmaRead = 3'd2;     ///< Request to the remote send unit.
  localparam logic [2:0] PacketRdmaAck = 3'd3;      ///< Acknowledges a block.
  localparam logic [2:0] PacketRdmaNack = 3'd4;
  localparam logic [2:0] PacketRdmaNotify = 3'd5;   ///< Completion notification.
  // 7 is that of the Allreduce accelerator: allreduce_pkg::PacketReduce.
  localparam logic [2:0] PacketNotice = 3'd6;       ///< A cell of the node to which it goes has met congestion.

  localparam int unsigned MarkBit = 96;             ///< Of a footer: the packet has met congestion. The CRC takes it as zero.
  localparam logic [127:0] Mark = 128'd1 << MarkBit;

  /// The ExaNet header (exanet_pkg::header_t) as the network interface fills it, most significant field first.
  typedef struct packed {
    logic [7:0]  ties;
    logic [31:0] message;
    logic [23:0] source;
    logic [2:0]  kind;           ///< See above; the routers do not look at it.
    logic [2:0]  tile_port;      ///< Intra-tile port through which the packet leaves at its destination.
    logic [9:0]  payload_bytes;
    logic [23:0] destination;
    logic [23:0] coordinates;
  } packet_header_t;

  // What became of a message. None stands for "not seen yet" in the mailbox, and Pending for an entry that is being written to the host's memory; the others but
  // Accepted are reasons of a nack.
  localparam int unsigned VerdictWidth = 3;
  localparam logic [2:0] VerdictNone = 3'd0;
  localparam logic [2:0] VerdictAccepted = 3'd1;
  localparam logic [2:0] VerdictPdid = 3'd2;
  localparam logic [2:0] VerdictDisabled = 3'd3;
  localparam logic [2:0] VerdictFull = 3'd4;
  localparam logic [2:0] VerdictMemory = 3'd5;  ///< The host's memory has refused an entry of the ring.
  localparam logic [2:0] VerdictPending = 3'd6;

  // Rings of the mailbox in the host's memory.
  localparam int unsigned RingBitsMax = 12;  ///< A ring has 2^1 to 2^12 entries.
  localparam int unsigned RingSlotWidth = 32;  ///< An entry has 128 bytes.
  localparam int unsigned RingWrites = 32;  ///< Entries that are being written, or wait for that.

  /// The register of an interface's ring, most significant field first.
  typedef struct packed {
    logic        in_memory;  ///< Otherwise the ring is in block RAM.
    logic        events;     ///< Each entry is told when it has been written.
    logic        broken;     ///< Read only: the memory has refused an entry, and messages are until the register is written.
    logic [17:0] reserved;   ///< Zero.
    logic [3:0]  bits;       ///< The ring has 2^bits entries.
    logic [31:0] base;       ///< Address / 128; a multiple of the entries.
    logic [6:0]  low;        ///< Zero.
  } ring_t;

  localparam int unsigned RingEntryWidth = 631;
  /// An entry that goes to the host's memory.
  typedef struct packed {
    logic [31:0]  slot;         ///< Address / 128.
    logic [18:0]  user;         ///< Rank, protection domain.
    logic [2:0]   words;        ///< 0 to 4 words of data.
    logic         lap;          ///< 1 in the first round of the ring, then turned in each.
    logic [63:0]  description;
    logic [511:0] data;
  } ring_entry_t;

  // States of a channel of the packetizer.
  localparam logic [2:0] StateIdle = 3'd0;
  localparam logic [2:0] StateOngoing = 3'd1;
  localparam logic [2:0] StateAcked = 3'd2;
  localparam logic [2:0] StateNacked = 3'd3;
  localparam logic [2:0] StateTimedOut = 3'd4;

  // Virtual channels at the tile port: answers do not queue behind what asks for answers.
  localparam logic VcRequest = 1'b0;
  localparam logic VcAnswer = 1'b1;

  /// Row i says which bits of (word xor CRC) make bit i of the CRC after one more word. CRC-32 of IEEE 802.3 (reflected, 0xEDB88320).
  localparam logic [32*128-1:0] CrcRows = {
      128'h826880ef_a40da72d_78c17d03_f5a36f17,  // Bit 31.
      128'hc35cc098_760b74bb_c4a1c382_0f72d89c,  // Bit 30.
      128'he3c6e0a3_9f081d70_9a919cc2_f21a0359,  // Bit 29.
      128'h71e37051_cf840eb8_4d48ce61_790d01ac,  // Bit 28.
      128'hba9938c7_43cfa071_5e651a33_4925efc1,  // Bit 27.
      128'hdf241c8c_05ea7715_d7f3f01a_513198f7,  // Bit 26.
      128'h6f920e46_02f53b8a_ebf9f80d_2898cc7b,  // Bit 25.
      128'hb5a187cc_a5773ae8_0d3d8105_61ef092a,  // Bit 24.
      128'hd8b84309_f6b63a59_7e5fbd81_4554eb82,  // Bit 23.
      128'h6c5c2184_fb5b1d2c_bf2fdec0_a2aa75c1,  // Bit 22.
      128'hb446902d_d9a029bb_27569263_a4f655f7,  // Bit 21.
      128'hd84bc8f9_48ddb3f0_eb6a3432_27d845ec,  // Bit 20.
      128'hee4d6493_00637ed5_0d74671a_e64f4de1,  // Bit 19.
      128'h7726b249_8031bf6a_86ba338d_7327a6f0,  // Bit 18.
      128'h3b935924_c018dfb5_435d19c6_b993d378,  // Bit 17.
      128'h1dc9ac92_600c6fda_a1ae8ce3_5cc9e9bc,  // Bit 16.
      128'h8c8c56a6_940b90c0_28163b72_5bc79bc9,  // Bit 15.
      128'h46462b53_4a05c860_140b1db9_2de3cde4,  // Bit 14.
      128'h232315a9_a502e430_0a058edc_96f1e6f2,  // Bit 13.
      128'h11918ad4_d2817218_0502c76e_4b78f379,  // Bit 12.
      128'h08c8c56a_6940b90c_028163b7_25bc79bc,  // Bit 11.
      128'h046462b5_34a05c86_0140b1db_92de3cde,  // Bit 10.
      128'h805ab1b5_3e5d896e_786125ee_3ccc7178,  // Bit 9.
      128'hc245d835_3b23639a_44f1eff4_ebc557ab,  // Bit 8.
      128'h6122ec1a_9d91b1cd_2278f7fa_75e2abd5,  // Bit 7.
      128'h3091760d_4ec8d8e6_913c7bfd_3af155ea,  // Bit 6.
      128'h9a203be9_0369cb5e_305f40fd_68dbc5e2,  // Bit 5.
      128'h4d101df4_81b4e5af_182fa07e_b46de2f1,  // Bit 4.
      128'h26880efa_40da72d7_8c17d03f_5a36f178,  // Bit 3.
      128'h1344077d_206d396b_c60be81f_ad1b78bc,  // Bit 2.
      128'h09a203be_90369cb5_e305f40f_d68dbc5e,  // Bit 1.
      128'h04d101df_481b4e5a_f182fa07_eb46de2f  // Bit 0.
  };

  localparam logic [31:0] CrcStart = 32'hffffffff;

  /// The CRC register after one more 128-bit word, low byte first. Begin with CrcStart; the footer is crc_footer() of the register after the last word.
  function automatic logic [31:0] crc_word(input logic [31:0] crc, input logic [127:0] word);
    logic [127:0] mixed;
    mixed = word ^ {96'd0, crc};
`ifdef FORMAL
    // Proofs are about which words go where; whether a CRC fits is free to choose, and wide parities are what solvers are worst at.
    crc_word = mixed[31:0];
`else
    for (int i = 0; i < 32; i++) crc_word[i] = ^(mixed & CrcRows[128*i+:128]);
`endif
  endfunction

  /// The footer word: CRC in the low 32 bits, zero above.
  function automatic logic [127:0] crc_footer(input logic [31:0] crc);
    crc_footer = {96'd0, ~crc};
  endfunction

  /// Coordinates of a node as the ExaNet header wants them. A node number is {z, y, x, tile port} with `tile_bits` (at most 3) for the tile port, `x_bits`
  /// and `y_bits` (at most 8 each) for x and y.
  function automatic logic [23:0] node_coordinates(input logic [21:0] node, input logic [1:0] tile_bits, input logic [3:0] x_bits,
                                                   input logic [3:0] y_bits);
    logic [21:0] position;
    position = node >> tile_bits;
    node_coordinates = {8'(position >> x_bits >> y_bits), 8'(position >> x_bits) & ~(8'hff << y_bits), position[7:0] & ~(8'hff << x_bits)};
  endfunction

  /// The intra-tile port of a node.
  function automatic logic [2:0] node_tile_port(input logic [2:0] node, input logic [1:0] tile_bits);
    node_tile_port = node & ~(3'b111 << tile_bits);
  endfunction

  /// The ExaNet header of a packet with `bytes` of data after the own header. The tie bits are constant for a pair of nodes, so that its packets stay
  /// in order, and differ from pair to pair.
  function automatic logic [127:0] exanet_header(input logic [21:0] source, input logic [21:0] destination, input logic [31:0] tag,
                                                 input logic [8:0] bytes, input logic [1:0] tile_bits, input logic [3:0] x_bits,
                                                 input logic [3:0] y_bits);
    exanet_header = {5'd0, source[2:0] ^ destination[5:3], tag, 2'd0, source, PacketOwn, node_tile_port(destination[2:0], tile_bits),
                     {1'b0, bytes} + 10'd16, 2'd0, destination, node_coordinates(destination, tile_bits, x_bits, y_bits)};
  endfunction

endpackage
