// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "tests/workloads/trace/otf2/otf2_writer.h"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace fabrictwin {
namespace {

// Names of regions and other strings, by their reference.
constexpr auto kStrings = std::to_array<std::string_view>({"",
                                                           "main",
                                                           "Working",
                                                           "EZTrace finalize",
                                                           "MPI_Init",
                                                           "MPI_Finalize",
                                                           "MPI_Send",
                                                           "MPI_Recv",
                                                           "MPI_Isend",
                                                           "MPI_Irecv",
                                                           "MPI_Wait",
                                                           "MPI_Waitall",
                                                           "MPI_Sendrecv",
                                                           "MPI_Ssend",
                                                           "MPI_Bsend",
                                                           "MPI_Issend",
                                                           "MPI_Ibsend",
                                                           "MPI_Irsend",
                                                           "MPI_Start",
                                                           "MPI_Test",
                                                           "MPI_Collective",
                                                           "MPI_Icollective",
                                                           "MPI_Scan",
                                                           "MPI_Iallreduce",
                                                           "MPI_Comm_dup",
                                                           "MPI_Comm_free",
                                                           "MPI_Cancel",
                                                           "MPI_Waitsome",
                                                           "MPI_Ssend_init",
                                                           "mpi_recv_",
                                                           "MPI_File_write",
                                                           "MPI_COMM_WORLD",
                                                           "MPI_COMM_SELF",
                                                           "odd ranks",
                                                           "duplicate",
                                                           "between",
                                                           "location"});
constexpr std::string_view kEztrace = "EZTrace finalize";

uint32_t string_of(std::string_view text) {
  const auto found = std::find(kStrings.begin(), kStrings.end(), text);
  if (found == kStrings.end()) std::abort();
  return static_cast<uint32_t>(found - kStrings.begin());
}

uint32_t region_number(std::string_view region, bool own_numbers) {
  const uint32_t global = string_of(region);
  return own_numbers ? static_cast<uint32_t>(kStrings.size()) - global : global;
}

// What the numbers that a location has of its own are: those that count from the other end.
void write_own_numbers(OTF2_DefWriter* writer) {
  std::vector<uint32_t> regions;
  for (size_t own = 0; own <= kStrings.size(); ++own) regions.push_back(static_cast<uint32_t>(kStrings.size() - own));
  const std::vector<uint32_t> communicators = {kOtf2Between, kOtf2Duplicate, kOtf2Odd, kOtf2Self, kOtf2World};
  const auto write = [&](OTF2_MappingType type, const std::vector<uint32_t>& numbers) {
    OTF2_IdMap* map = OTF2_IdMap_CreateFromUint32Array(numbers.size(), numbers.data(), false);
    OTF2_DefWriter_WriteMappingTable(writer, type, map);
    OTF2_IdMap_Free(map);
  };
  write(OTF2_MAPPING_REGION, regions);
  write(OTF2_MAPPING_COMM, communicators);
}

OTF2_FlushType before_flush(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }
OTF2_TimeStamp after_flush(void*, OTF2_FileType, OTF2_LocationRef) { return 0; }

// What EZTrace calls its locations; others count them.
uint64_t location_of(const Otf2Layout& layout, uint32_t rank) { return layout.eztrace ? rank * 536870911ull : rank; }

void write_groups(OTF2_GlobalDefWriter* writer, const Otf2Layout& layout) {
  std::vector<uint64_t> all(layout.ranks);
  std::vector<uint64_t> locations(layout.ranks);
  std::vector<uint64_t> odd;
  for (uint32_t rank = 0; rank < layout.ranks; ++rank) {
    all[rank] = rank;
    locations[rank] = location_of(layout, rank);
    if (rank % 2 == 1) odd.push_back(rank);
  }
  const OTF2_Paradigm paradigm = layout.mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_PTHREAD;
  OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, paradigm, OTF2_GROUP_FLAG_NONE,
                                  layout.ranks, locations.data());
  const uint32_t world = layout.eztrace ? 0 : 1;
  OTF2_GlobalDefWriter_WriteGroup(writer, world, 0, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, OTF2_GROUP_FLAG_NONE,
                                  layout.ranks, all.data());
  OTF2_GlobalDefWriter_WriteGroup(writer, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, paradigm, OTF2_GROUP_FLAG_NONE, 0, nullptr);
  OTF2_GlobalDefWriter_WriteGroup(writer, 3, 0, OTF2_GROUP_TYPE_COMM_GROUP, paradigm, OTF2_GROUP_FLAG_NONE,
                                  static_cast<uint32_t>(odd.size()), odd.data());
  OTF2_GlobalDefWriter_WriteComm(writer, kOtf2World, string_of("MPI_COMM_WORLD"), world, OTF2_UNDEFINED_COMM,
                                 OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, kOtf2Self, string_of("MPI_COMM_SELF"), 2, OTF2_UNDEFINED_COMM,
                                 OTF2_COMM_FLAG_NONE);
  OTF2_GlobalDefWriter_WriteComm(writer, kOtf2Odd, string_of("odd ranks"), 3, kOtf2World,
                                 OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
  OTF2_GlobalDefWriter_WriteComm(writer, kOtf2Duplicate, string_of("duplicate"), world, kOtf2World,
                                 OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
  OTF2_GlobalDefWriter_WriteInterComm(writer, kOtf2Between, string_of("between"), world, 3, kOtf2World,
                                      OTF2_COMM_FLAG_NONE);
}

}  // namespace

void Otf2Location::enter(std::string_view region) {
  OTF2_EvtWriter_Enter(writer_, nullptr, now, region_number(region, own_numbers_));
}

void Otf2Location::leave(std::string_view region) {
  OTF2_EvtWriter_Leave(writer_, nullptr, now, region_number(region, own_numbers_));
}

void Otf2Location::collective(std::string_view region, OTF2_CollectiveOp operation, uint64_t sent, uint64_t received,
                              uint32_t root, uint32_t communicator) {
  in(region, [&] {
    OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, now);
    OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, now + 5, operation, number_of(communicator), root, sent,
                                    received);
  });
}

std::string write_otf2(const std::string& folder, const Otf2Layout& layout,
                       const std::function<void(uint32_t rank, Otf2Location& location)>& record) {
  OTF2_Archive* archive = OTF2_Archive_Open(folder.c_str(), "traces", OTF2_FILEMODE_WRITE, 1024 * 1024, 4 * 1024 * 1024,
                                            OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
  static const OTF2_FlushCallbacks kFlush = {before_flush, after_flush};
  OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr);
  OTF2_Archive_SetSerialCollectiveCallbacks(archive);
  OTF2_Archive_OpenEvtFiles(archive);
  std::vector<uint64_t> locations;
  for (uint32_t rank = 0; rank < layout.ranks; ++rank) locations.push_back(location_of(layout, rank));
  for (uint32_t thread = 0; thread < layout.threads; ++thread) locations.push_back(100 + thread);
  std::vector<uint64_t> counts;
  for (uint32_t i = 0; i < locations.size(); ++i) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive, locations[i]);
    Otf2Location location(writer, layout.own_numbers);
    record(i, location);
    OTF2_EvtWriter_GetNumberOfEvents(writer, &counts.emplace_back());
    OTF2_Archive_CloseEvtWriter(archive, writer);
  }
  OTF2_Archive_CloseEvtFiles(archive);
  OTF2_Archive_OpenDefFiles(archive);
  for (const uint64_t location : locations) {
    OTF2_DefWriter* writer = OTF2_Archive_GetDefWriter(archive, location);
    if (layout.own_numbers) {
      write_own_numbers(writer);
      // What to add to its stamps.
      OTF2_DefWriter_WriteClockOffset(writer, 0, static_cast<int64_t>(1000 * location), 0);
      OTF2_DefWriter_WriteClockOffset(writer, 1'000'000, static_cast<int64_t>(1000 * location), 0);
    }
    OTF2_Archive_CloseDefWriter(archive, writer);
  }
  OTF2_Archive_CloseDefFiles(archive);

  OTF2_GlobalDefWriter* writer = OTF2_Archive_GetGlobalDefWriter(archive);
  if (layout.clock) OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, 0, 1'000'000, 0);
  for (uint32_t i = 0; i < kStrings.size(); ++i) {
    if (kStrings[i] == kEztrace && !layout.eztrace) continue;
    OTF2_GlobalDefWriter_WriteString(writer, i, std::string(kStrings[i]).c_str());
  }
  for (uint32_t i = 1; i < kStrings.size(); ++i) {
    const bool mpi = kStrings[i].starts_with("MPI_") && !layout.eztrace;
    OTF2_GlobalDefWriter_WriteRegion(writer, i, i, i, 0, OTF2_REGION_ROLE_FUNCTION,
                                     mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER, OTF2_REGION_FLAG_NONE, 0, 0, 0);
  }
  OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
  for (uint32_t rank = 0; rank < layout.ranks; ++rank) {
    OTF2_GlobalDefWriter_WriteLocationGroup(writer, rank, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                            OTF2_UNDEFINED_LOCATION_GROUP);
  }
  for (uint32_t i = 0; i < locations.size(); ++i) {
    OTF2_GlobalDefWriter_WriteLocation(writer, locations[i], string_of("location"), OTF2_LOCATION_TYPE_CPU_THREAD,
                                       layout.eztrace ? 2 : counts[i] + static_cast<uint64_t>(layout.extra_events),
                                       i < layout.ranks ? i : 0);
  }
  write_groups(writer, layout);
  OTF2_Archive_Close(archive);
  return folder + "/traces.otf2";
}

}  // namespace fabrictwin
