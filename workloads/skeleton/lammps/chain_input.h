// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The input of LAMMPS' chain benchmark, the same on any number of ranks, in the notation of EventList::script().
#pragma once

#include <string_view>

namespace fabrictwin::skeleton::lammps::chain {

// The first lines of in.chain, and of in.chain.scaled, which has three variables, a map of atoms and `replicate`.
inline constexpr std::string_view kInput = "B1i 28 1 10 16 21 1 21";
inline constexpr std::string_view kScaledInput = "B1i 28 1 19*3 1 10 16 21*2 1 21";
// The header of data.chain, its sections in pieces of 1024 lines, and those on bonds once more.
inline constexpr std::string_view kData =
    "| 2 13*2 10 13*2 2 14*2 15 18*2 2 24*3 2 8 B1i 8 5 B1i 7 40524 42610 42254 42219 42372 42112 42384 42500 42502 "
    "43181 44795 44593 44172 44845 44935 44653 44503 44755 45081 45076 44496 44584 44717 44515 44907 45084 44366 "
    "44770 44712 44498 44571 11132 A1l A1i*2 A1l*4 A1i B1i 12 32206 33307 33238 33282 33302 33263 33320 33273 33238 "
    "33530 34227 34313 34370 34391 34304 34396 34401 34294 34254 34340 34264 34273 34325 34275 34305 34335 34349 "
    "34224 34308 34252 34378 8574 B1i 7 14109 17409*8 18331 20481*20 19201 A1i B1i 2 13*2 10 13*2 2 14*2 15 18*2 2 "
    "24*3 2 8 B1i 8 B1i 7 B1i 12 B1i 7 14109 17409*8 18331 20481*20 19201 A1l B1i |";
// The calls around each alltoallv when ranks search for the partners of bonds.
inline constexpr std::string_view kBeforeSearch = "T1i A1i";
inline constexpr std::string_view kAfterSearch = "A1i*2 |";
// `replicate`, before and after each rank has sent its atoms to all others.
inline constexpr std::string_view kReplicate = "1 19 | A1i*3";
inline constexpr std::string_view kAfterReplicate = "A1l A1i*3 |";
// The settings from `neighbor` to `run`.
inline constexpr std::string_view kSettings = "1 17 29 1 21 30 1 23 22 28 1 15 40 1 20 15 1 9 A1i*6";
inline constexpr std::string_view kAfterGhosts = "A1i A1d A1i*2";
inline constexpr std::string_view kAfterForces = "A1l R1d*3";
inline constexpr std::string_view kOutput = "A2l A1d*2 A3d A1d*2";
inline constexpr std::string_view kEnd =
    "| A1d A1i A1l A1d*33 A1i A1d*3 A10i A1i A1d*3 A10i A1i A1d*3 A10i A1d*2 B1i |";

}  // namespace fabrictwin::skeleton::lammps::chain
