// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/recorder/part_reader.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "fmt/format.h"

namespace fabrictwin::recorder {
namespace {

using recorder::Action;
using recorder::Datatype;

// The recorder is built without protobuf, so its numbers must equal protobuf's.
static_assert(static_cast<int>(Action::kInit) == v1::INIT && static_cast<int>(Action::kFinalize) == v1::FINALIZE &&
              static_cast<int>(Action::kCompute) == v1::COMPUTE && static_cast<int>(Action::kSend) == v1::SEND &&
              static_cast<int>(Action::kIrecv) == v1::IRECV && static_cast<int>(Action::kWaitall) == v1::WAITALL &&
              static_cast<int>(Action::kBarrier) == v1::BARRIER && static_cast<int>(Action::kReduce) == v1::REDUCE &&
              static_cast<int>(Action::kExscan) == v1::EXSCAN &&
              static_cast<int>(Action::kAlltoallv) == v1::ALLTOALLV &&
              static_cast<int>(Action::kReduceScatter) == v1::REDUCE_SCATTER &&
              static_cast<int>(Action::kCommCreate) == v1::COMM_CREATE &&
              static_cast<int>(Action::kIbsend) == v1::IBSEND && static_cast<int>(Action::kProbe) == v1::PROBE &&
              static_cast<int>(Action::kWait) == v1::WAIT && static_cast<int>(Action::kIbarrier) == v1::IBARRIER &&
              static_cast<int>(Action::kIreduceScatter) == v1::IREDUCE_SCATTER);
static_assert(static_cast<int>(Datatype::kByte) == v1::BYTE && static_cast<int>(Datatype::kUnsigned) == v1::UNSIGNED &&
              static_cast<int>(Datatype::kLongLong) == v1::LONG_LONG &&
              static_cast<int>(Datatype::kDouble) == v1::DOUBLE);
static_assert(recorder::kHighestCommunicator == trace::format::kMaxCommunicator);

constexpr int64_t kFsPerNanosecond = 1'000'000;

absl::Status cannot_read(const std::string& path) {
  const std::string text = fmt::format("{}: cannot be read: {}", path, std::strerror(errno));
  return errno == ENOENT ? absl::NotFoundError(text) : absl::InvalidArgumentError(text);
}

}  // namespace

absl::StatusOr<PartReader> PartReader::open(const std::string& path) {
  PartReader reader;
  reader.path_ = path;
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return cannot_read(path);
  struct stat about {};
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) about.st_size = 0;
  reader.size_ = static_cast<size_t>(about.st_size);
  if (reader.size_ >= recorder::kPartEvents) {
    reader.memory_ = mmap(nullptr, reader.size_, PROT_READ, MAP_PRIVATE, fd, 0);
    if (reader.memory_ == MAP_FAILED) reader.memory_ = nullptr;
  }
  close(fd);
  if (reader.memory_ == nullptr) return reader.error("is not the part of a recording: too short");
  std::memcpy(&reader.header_, reader.memory_, sizeof reader.header_);
  const recorder::PartHeader& header = reader.header_;
  if (std::memcmp(header.magic, recorder::kPartMagic, sizeof header.magic) != 0)
    return reader.error("is not the part of a recording");
  if (header.ranks == 0 || header.ranks > trace::format::kMaxRanks || header.rank >= header.ranks ||
      header.state > recorder::PartState::kFailed || header.bytes > reader.size_ - recorder::kPartEvents) {
    return reader.error("the header makes no sense");
  }
  reader.next_ = static_cast<const uint8_t*>(reader.memory_) + recorder::kPartEvents;
  reader.end_ = reader.next_ + header.bytes;
  return reader;
}

PartReader::PartReader(PartReader&& other) noexcept
    : path_(std::move(other.path_)),
      header_(other.header_),
      memory_(std::exchange(other.memory_, nullptr)),
      size_(other.size_),
      next_(other.next_),
      end_(other.end_),
      events_(other.events_) {}

PartReader::~PartReader() {
  if (memory_ != nullptr) munmap(memory_, size_);
}

absl::Status PartReader::error(std::string_view reason) const {
  return absl::InvalidArgumentError(fmt::format("{}: {}", path_, reason));
}

bool PartReader::get_byte(uint8_t& value) {
  if (next_ == end_) return false;
  value = *next_++;
  return true;
}

bool PartReader::get_number(uint64_t& value) {
  value = 0;
  for (int shift = 0; shift < 70; shift += 7) {
    uint8_t byte = 0;
    if (!get_byte(byte)) return false;
    value |= shift < 64 ? uint64_t{byte & 0x7fu} << shift : 0;
    if ((byte & 0x80) == 0) return true;
  }
  return false;
}

bool PartReader::get_signed(int32_t& value) {
  uint64_t raw = 0;
  if (!get_number(raw) || raw > std::numeric_limits<uint32_t>::max()) return false;
  const auto bits = static_cast<uint32_t>(raw);
  value = static_cast<int32_t>((bits >> 1) ^ (0 - (bits & 1)));
  return true;
}

bool PartReader::get_counts(trace::format::CountForm form, bool world, uint64_t& one, std::vector<uint64_t>& each) {
  if ((form == trace::format::CountForm::kOne || form == trace::format::CountForm::kListed) && !get_number(one))
    return false;
  if (form != trace::format::CountForm::kEachRank && form != trace::format::CountForm::kListed) return true;
  uint64_t size = header_.ranks;
  if ((form == trace::format::CountForm::kListed || !world) && !get_number(size)) return false;
  // Every count takes at least a byte, so a false size cannot cause a large allocation.
  if (static_cast<uint64_t>(end_ - next_) < size) return false;
  each.resize(size);
  for (uint64_t& count : each) {
    if (!get_number(count)) return false;
  }
  return true;
}

bool PartReader::get_datatype(v1::TraceDatatype& datatype) {
  uint8_t number = 0;
  if (!get_byte(number)) return false;
  datatype = static_cast<v1::TraceDatatype>(number);
  return true;
}

bool PartReader::get_duration(Time& duration) {
  uint64_t nanoseconds = 0;
  if (!get_number(nanoseconds) ||
      nanoseconds > static_cast<uint64_t>(std::numeric_limits<int64_t>::max() / kFsPerNanosecond)) {
    return false;
  }
  duration = Time::from_fs(static_cast<int64_t>(nanoseconds) * kFsPerNanosecond);
  return true;
}

bool PartReader::get_values(trace::format::Event& event) {
  const trace::format::ActionShape& shape = trace::format::action_shape(event.action);
  uint64_t communicator = 0;
  if (shape.communicator && !get_number(communicator)) return false;
  if (communicator > trace::format::kMaxCommunicator) return false;
  event.communicator = static_cast<uint32_t>(communicator);
  const bool world = communicator == 0;
  return (shape.peers < 1 || get_signed(event.peer)) && (shape.peers < 2 || get_signed(event.receive_peer)) &&
         (!shape.tag || get_signed(event.tag)) && get_counts(shape.sent, world, event.count, event.send_counts) &&
         get_counts(shape.received, world, event.receive_count, event.receive_counts) &&
         (shape.datatypes < 1 || get_datatype(event.datatype)) &&
         (shape.datatypes < 2 || get_datatype(event.receive_datatype)) &&
         (!shape.duration || get_duration(event.duration));
}

absl::StatusOr<bool> PartReader::next(trace::format::Event& event) {
  if (next_ == end_) return false;
  event = trace::format::Event();
  uint8_t action = 0;
  get_byte(action);
  event.action = static_cast<v1::TraceAction>(action);
  if (!v1::TraceAction_IsValid(event.action) || event.action == v1::TRACE_ACTION_UNSPECIFIED)
    return error(fmt::format("event {}: {} is not an action", events_, action));
  if (!get_values(event)) return error(fmt::format("event {}: is damaged", events_));
  ++events_;
  return true;
}

}  // namespace fabrictwin::recorder
