// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/otf2/archive.h"

#include <otf2/otf2.h>

#include <cstdarg>
#include <filesystem>
#include <utility>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/otf2/event_callbacks.h"

namespace fabrictwin::trace::otf2 {
namespace {

// The library prints errors by default; this keeps the first one, which is the most specific.
struct LibraryError {
  std::string text;

  static OTF2_ErrorCode keep(void* self, const char*, uint64_t, const char*, OTF2_ErrorCode code, const char* format,
                             va_list arguments) {
    std::string& text = static_cast<LibraryError*>(self)->text;
    char message[256] = "";
    if (format != nullptr) std::vsnprintf(message, sizeof(message), format, arguments);
    if (text.empty()) text = fmt::format("{}{}{}", OTF2_Error_GetDescription(code), *message ? ": " : "", message);
    return code;
  }
};

class QuietLibrary {
 public:
  QuietLibrary() : before_(OTF2_Error_RegisterCallback(&LibraryError::keep, &error_)) {}
  ~QuietLibrary() { OTF2_Error_RegisterCallback(before_, nullptr); }
  QuietLibrary(const QuietLibrary&) = delete;
  QuietLibrary& operator=(const QuietLibrary&) = delete;

  absl::Status error(std::string_view what) const {
    return absl::InvalidArgumentError(error_.text.empty() ? std::string(what)
                                                          : fmt::format("{}: {}", what, error_.text));
  }

 private:
  LibraryError error_;
  OTF2_ErrorCallback before_;
};

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};
using Reader = std::unique_ptr<OTF2_Reader, CloseReader>;

absl::StatusOr<Reader> open_reader(const std::string& anchor, const QuietLibrary& library) {
  Reader reader(OTF2_Reader_Open(anchor.c_str()));
  if (!reader) return library.error("this is not an OTF2 archive");
  if (OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
    return library.error("the archive cannot be read");
  return reader;
}

Definitions& definitions_of(void* user) { return *static_cast<Definitions*>(user); }

OTF2_CallbackCode on_string(void* user, OTF2_StringRef self, const char* text) {
  definitions_of(user).add_string(self, text);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_region(void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef, OTF2_StringRef,
                            OTF2_RegionRole, OTF2_Paradigm paradigm, OTF2_RegionFlag, OTF2_StringRef, uint32_t,
                            uint32_t) {
  definitions_of(user).add_region(self, name, paradigm == OTF2_PARADIGM_MPI);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_location(void* user, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType type,
                              uint64_t events, OTF2_LocationGroupRef) {
  definitions_of(user).add_location(self, type == OTF2_LOCATION_TYPE_CPU_THREAD, events);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_group(void* user, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                           OTF2_GroupFlag flags, uint32_t count, const uint64_t* members) {
  definitions_of(user).add_group(self, type, paradigm == OTF2_PARADIGM_MPI,
                                 (flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0, {members, members + count});
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_comm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef,
                          OTF2_CommFlag) {
  definitions_of(user).add_communicator(self, name, group);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_inter_comm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef, OTF2_GroupRef,
                                OTF2_CommRef, OTF2_CommFlag) {
  definitions_of(user).add_intercommunicator(self, name);
  return OTF2_CALLBACK_SUCCESS;
}
OTF2_CallbackCode on_clock(void* user, uint64_t ticks_per_second, uint64_t, uint64_t, uint64_t) {
  definitions_of(user).set_clock(ticks_per_second);
  return OTF2_CALLBACK_SUCCESS;
}

absl::Status read_global_definitions(OTF2_Reader* reader, Definitions& definitions, const QuietLibrary& library) {
  OTF2_GlobalDefReader* source = OTF2_Reader_GetGlobalDefReader(reader);
  if (source == nullptr) return library.error("the archive has no definitions");
  OTF2_GlobalDefReaderCallbacks* callbacks = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, on_string);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, on_region);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, on_location);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, on_inter_comm);
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, on_clock);
  uint64_t read = 0;
  const bool sound = OTF2_Reader_RegisterGlobalDefCallbacks(reader, source, callbacks, &definitions) == OTF2_SUCCESS &&
                     OTF2_Reader_ReadAllGlobalDefinitions(reader, source, &read) == OTF2_SUCCESS;
  OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
  return sound ? absl::OkStatus() : library.error("the definitions cannot be read");
}

// The path of OTF2's definitions of a location.
std::filesystem::path definitions_file(const std::string& anchor, uint64_t location) {
  return std::filesystem::path(anchor).replace_extension() / fmt::format("{}.def", location);
}

// Reads all events of a location into `state`.
absl::Status read_location(const std::string& anchor, OTF2_Reader* reader, uint64_t location,
                           const Definitions& definitions, EventState& state, const QuietLibrary& library) {
  // A location's own numbers are translated by the tables in its definitions; without tables, its numbers are the
  // global ones. There is no reader for a damaged file either: OTF2 always writes a header.
  if (OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader, location); local != nullptr) {
    uint64_t read = 0;
    const bool sound = OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read) == OTF2_SUCCESS;
    OTF2_Reader_CloseDefReader(reader, local);
    if (!sound) return library.error(fmt::format("the definitions of location {} cannot be read", location));
  } else if (std::error_code code; std::filesystem::exists(definitions_file(anchor, location), code)) {
    return absl::InvalidArgumentError(fmt::format("the definitions of location {} cannot be read: {} is damaged",
                                                  location, definitions_file(anchor, location).string()));
  }
  OTF2_EvtReader* source = OTF2_Reader_GetEvtReader(reader, location);
  if (source == nullptr) return library.error(fmt::format("the events of location {} cannot be read", location));
  OTF2_EvtReaderCallbacks* callbacks = state.events == nullptr ? thread_event_callbacks() : rank_event_callbacks();
  uint64_t read = 0;
  OTF2_ErrorCode code = OTF2_Reader_RegisterEvtCallbacks(reader, source, callbacks, &state);
  if (code == OTF2_SUCCESS) code = OTF2_Reader_ReadAllLocalEvents(reader, source, &read);
  OTF2_EvtReaderCallbacks_Delete(callbacks);
  OTF2_Reader_CloseEvtReader(reader, source);
  if (!state.status.ok()) return state.status;
  if (code != OTF2_SUCCESS) {
    return library.error(fmt::format("the events of location {} cannot be read behind record {}", location,
                                     state.records == 0 ? 0 : state.records - 1));
  }
  const std::string where =
      state.events == nullptr ? fmt::format("location {}", location) : fmt::format("rank {}", state.events->rank());
  const uint64_t expected = definitions.events(location);
  if (state.records < expected) {
    return absl::InvalidArgumentError(
        fmt::format("{} ends after {} of {} records; is the archive cut off?", where, state.records, expected));
  }
  // EZTrace defines its locations too early, so they have more records.
  if (state.records > expected && !definitions.by_eztrace()) {
    return absl::InvalidArgumentError(fmt::format(
        "{}, record {}: the definitions say that there are only {} records, but there are {}; is the archive damaged?",
        where, expected, expected, state.records));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status Archive::named(const absl::Status& status) const {
  if (status.ok()) return status;
  return absl::Status(status.code(), fmt::format("{}: {}", anchor_, message_of(status)));
}

absl::StatusOr<std::unique_ptr<Archive>> Archive::open(const std::string& anchor) {
  std::error_code code;
  if (!std::filesystem::is_regular_file(anchor, code))
    return absl::NotFoundError(fmt::format("{}: is not a file; name the anchor of the archive, NAME.otf2", anchor));
  auto archive = std::unique_ptr<Archive>(new Archive(anchor));
  if (absl::Status status = archive->read_definitions(); !status.ok()) return archive->named(status);
  return archive;
}

absl::Status Archive::read_definitions() {
  const QuietLibrary library;
  absl::StatusOr<Reader> reader = open_reader(anchor_, library);
  if (!reader.ok()) return reader.status();
  if (absl::Status status = read_global_definitions(reader->get(), definitions_, library); !status.ok()) return status;
  return definitions_.resolve();
}

absl::Status Archive::read(const std::function<absl::Status(uint32_t rank, Call& call)>& sink) const {
  const QuietLibrary library;
  absl::StatusOr<Reader> reader = open_reader(anchor_, library);
  if (!reader.ok()) return named(reader.status());
  const auto select = [&](uint64_t location) {
    return OTF2_Reader_SelectLocation(reader->get(), location) == OTF2_SUCCESS;
  };
  bool selected = true;
  for (const uint64_t location : definitions_.ranks()) selected = selected && select(location);
  for (const uint64_t location : definitions_.threads()) selected = selected && select(location);
  if (!selected) return named(library.error("the locations cannot be read"));
  // There may be no definitions of locations.
  const bool local_definitions = OTF2_Reader_OpenDefFiles(reader->get()) == OTF2_SUCCESS;
  if (OTF2_Reader_OpenEvtFiles(reader->get()) != OTF2_SUCCESS) return named(library.error("the events cannot be read"));
  absl::Status status;
  for (uint32_t rank = 0; rank < definitions_.ranks().size() && status.ok(); ++rank) {
    RankEvents events(definitions_, rank, [&](Call& call) { return sink(rank, call); });
    EventState state{.events = &events};
    const uint64_t location = definitions_.ranks()[rank];
    status = read_location(anchor_, reader->get(), location, definitions_, state, library);
    if (status.ok()) status = events.end();
  }
  for (const uint64_t location : definitions_.threads()) {
    if (!status.ok()) break;
    EventState state{.location = location};
    status = read_location(anchor_, reader->get(), location, definitions_, state, library);
  }
  if (local_definitions) OTF2_Reader_CloseDefFiles(reader->get());
  OTF2_Reader_CloseEvtFiles(reader->get());
  return named(status);
}

}  // namespace fabrictwin::trace::otf2
