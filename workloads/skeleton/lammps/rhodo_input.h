// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The input of LAMMPS' rhodopsin benchmark, and its search for bonded atoms, which are equal on any number of ranks.
#pragma once

#include <array>
#include <string_view>

namespace fabrictwin::skeleton::lammps::rhodo {

// In the notation of EventList::script(): the lines of in.rhodo, the header of data.rhodo and its sections in pieces,
// the sections on bonds twice.
inline constexpr std::string_view kInput =
    "18 1 21 32 1 21 25 23*2 25 45 31 26 1 41 | 2 13*2 14 17 16 2 15 16 17 20 19 2 20*2 26 2 8 B1i 8 657 B1i 13 "
    "2012 B1i 13 1483 B1i 14 4537 B1i 17 6544 B1i 17 152 B1i 7 47299 48265 49418 49716 50021 48693 49829 49480 "
    "49032 49469 50437 50425 51333 51995 50926 50976 50930 51503 50844 50989 52024 52309 52220 52164 52214 52237 "
    "52228 52331 52380 52405 52491 13011 A1l A1i*2 A1l*4 A1i B1i 12 38729 39885 39836 39896 39881 39769 39726 "
    "39733 39768 39948 40761 40640 40635 40740 40664 40717 40611 40745 40618 40752 40723 40713 40728 40769 40793 "
    "40825 40705 40752 40767 40736 40733 10204 B1i 7 14896 18269 18277 18299 18260 18452 18561 18545 18561 19155 "
    "21633 21617 21633 21617 21633 21617 21633 21617 21784 22529*8 1651 A1i B1i 8 19242 21707 24106 24145 24095 "
    "24050 24163 24130 24088 24462 25499 25489 25496 25490 25489*3 25499 27970 28561*2 28571 28561 28569 28561*4 "
    "28571 28561*2 28562 28570 28562 28568 28635 28673*3 14869 A1i B1i 11 22920 25209 26209 29420 29352 29411 "
    "29396 29381 29348 29596 30507 30387 30380 30434 30493 30588 30625 30637 30628 30634 30636 30626 30637 30625 "
    "30637 30634 30631 30634 33457 34723 34733 34721 34733 34721 34733 34721 34733 34726 34728 34733 34721 34733 "
    "34722 34732 34731 34728*2 34731 34723 34733 34721 34733 34721 34733 34721 17289 A1i B1i 11 27014 319 A1i "
    "B1i 2 13*2 14 17 16 2 15 16 17 20 19 2 20*2 26 2 8 B1i 8 B1i 13 B1i 13 B1i 14 B1i 17 B1i 17 B1i 7 B1i 12 "
    "B1i 7 14896 18269 18277 18299 18260 18452 18561 18545 18561 19155 21633 21617 21633 21617 21633 21617 21633 "
    "21617 21784 22529*8 1651 A1l B1i 8 19242 21707 24106 24145 24095 24050 24163 24130 24088 24462 25499 25489 "
    "25496 25490 25489*3 25499 27970 28561*2 28571 28561 28569 28561*4 28571 28561*2 28562 28570 28562 28568 "
    "28635 28673*3 14869 A1l B1i 11 22920 25209 26209 29420 29352 29411 29396 29381 29348 29596 30507 30387 "
    "30380 30434 30493 30588 30625 30637 30628 30634 30636 30626 30637 30625 30637 30634 30631 30634 33457 34723 "
    "34733 34721 34733 34721 34733 34721 34733 34726 34728 34733 34721 34733 34722 34732 34731 34728*2 34731 "
    "34723 34733 34721 34733 34721 34733 34721 17289 A1l B1i 11 27014 319 A1l B1i | ";
/// An alltoallv among all ranks with queries or replies on bonded atoms.
struct TopologyExchange {
  std::string_view before;      ///< Calls before it.
  double bytes_per_atom = 0;    ///< Bytes of all ranks together, for each atom; or
  double bytes_per_square = 0;  ///< for each square Angstrom of border between ranks, which bonds cross.
};

inline constexpr std::array<TopologyExchange, 14> kTopology = {{
    {.before = "T1i A1i", .bytes_per_atom = 8},
    {.before = "T1i A1i", .bytes_per_square = 0.407},
    {.before = "T1i A1i", .bytes_per_square = 0.407},
    {.before = "A1i T1i A1i", .bytes_per_square = 1.295},
    {.before = "T1i A1i", .bytes_per_square = 1.295},
    {.before = "A1i T1i A1i", .bytes_per_square = 4.92},
    {.before = "T1i A1i", .bytes_per_square = 4.92},
    {.before = "A1i*2 | 1 51 T1i A1i", .bytes_per_atom = 8},
    {.before = "T1i A1i", .bytes_per_square = 2.44},
    {.before = "T1i A1i", .bytes_per_square = 2.44},
    {.before = "A1i T1i A1i", .bytes_per_square = 1.22},
    {.before = "T1i A1i", .bytes_per_square = 1.22},
    {.before = "A1i*2 T1i A1i", .bytes_per_square = 1.17},
    {.before = "T1i A1i", .bytes_per_square = 1.17},
}};

inline constexpr std::string_view kAfterTopology =
    "A1i*4 93 1 23 1 19 22 20 1 7 A1d*2 A1i*3 G36b*2 A1i G36b*2 A1i G36b*2 A1i G36b*2 A1i G36b*2 A1i G36b*4";
inline constexpr std::string_view kEnd =
    "| A1d A1i A1l A1d*38 A1i A1d*3 A10i A1i A1d*3 A10i A1i A1d*3 A10i A1d*2 B1i |";

}  // namespace fabrictwin::skeleton::lammps::rhodo
