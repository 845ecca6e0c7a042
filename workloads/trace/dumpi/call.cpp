// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/trace/dumpi/call.h"

#include <algorithm>
#include <array>

#include "cosim/base/text.h"
#include "fmt/format.h"
#include "workloads/trace/format/text_source.h"

namespace fabrictwin::trace::dumpi {
namespace {

// No call has more arguments; the limit bounds memory if a call never returns.
constexpr size_t kMaxFields = 64;
constexpr int64_t kNsPerSecond = 1'000'000'000;
constexpr int64_t kMaxSeconds = 1'000'000'000;

// Parses "12.000000500": seconds with up to nine digits after the point.
bool parse_seconds(std::string_view text, int64_t& ns) {
  const size_t point = std::min(text.find('.'), text.size());
  const std::string_view part = text.substr(std::min(point + 1, text.size()));
  uint64_t whole = 0;
  uint64_t fraction = 0;
  if (!parse_number(text.substr(0, point), whole) || whole >= uint64_t{kMaxSeconds} || part.size() > 9) return false;
  if (!part.empty() && !parse_number(part, fraction)) return false;
  for (size_t digits = part.size(); digits < 9; ++digits) fraction *= 10;
  ns = static_cast<int64_t>(whole) * kNsPerSecond + static_cast<int64_t>(fraction);
  return true;
}

// Calls that neither send nor wait. A name that ends in '_' or '*' is a prefix of names.
constexpr std::array<std::string_view, 43> kLocal = {"MPI_Initialized",
                                                     "MPI_Finalized",
                                                     "MPI_Comm_rank",
                                                     "MPI_Comm_size",
                                                     "MPI_Comm_group",
                                                     "MPI_Comm_compare",
                                                     "MPI_Comm_test_inter",
                                                     "MPI_Comm_set_",
                                                     "MPI_Comm_get_",
                                                     "MPI_Comm_call_errhandler",
                                                     "MPI_Comm_create_errhandler",
                                                     "MPI_Comm_create_keyval",
                                                     "MPI_Comm_delete_attr",
                                                     "MPI_Comm_free_keyval",
                                                     "MPI_Group_",
                                                     "MPI_Op_",
                                                     "MPI_Type_",
                                                     "MPI_Get_count",
                                                     "MPI_Get_elements",
                                                     "MPI_Get_processor_name",
                                                     "MPI_Get_version",
                                                     "MPI_Get_address",
                                                     "MPI_Address",
                                                     "MPI_Pack*",
                                                     "MPI_Unpack*",
                                                     "MPI_Buffer_",
                                                     "MPI_Errhandler_",
                                                     "MPI_Error_",
                                                     "MPI_Attr_",
                                                     "MPI_Keyval_",
                                                     "MPI_Pcontrol",
                                                     "MPI_Wtime",
                                                     "MPI_Wtick",
                                                     "MPI_Dims_create",
                                                     "MPI_Info_",
                                                     "MPI_Test_cancelled",
                                                     "MPI_Status_",
                                                     "MPI_Query_thread",
                                                     "MPI_Is_thread_main",
                                                     "MPI_Alloc_mem",
                                                     "MPI_Free_mem",
                                                     "MPI_Request_get_status",
                                                     "MPI_Topo_test"};

bool is_local(std::string_view name) {
  return std::any_of(kLocal.begin(), kLocal.end(), [&](std::string_view each) {
    if (each.ends_with('*')) return name.starts_with(each.substr(0, each.size() - 1));
    return each.ends_with('_') ? name.starts_with(each) : name == each;
  });
}

}  // namespace

bool Call::local() const { return is_local(name); }

absl::Status Call::error(std::string_view reason) const {
  return format::text_error(file, line, 1, text, fmt::format("{}: {}", name, reason));
}

absl::Status Call::error_at(const Field& field, std::string_view reason) const {
  return format::text_error(file, field.line, 1, field.text, fmt::format("{}: {}", name, reason));
}

absl::StatusOr<const Field*> Call::field(std::string_view wanted) const {
  for (const Field& each : fields) {
    if (each.name == wanted) return &each;
  }
  return error(fmt::format("the argument '{}' is missing", wanted));
}

absl::StatusOr<int64_t> Call::integer(std::string_view wanted) const {
  const absl::StatusOr<const Field*> found = field(wanted);
  if (!found.ok()) return found.status();
  int64_t value = 0;
  if (!parse_number(std::string_view((*found)->value), value)) return error_at(**found, "this is not a whole number");
  return value;
}

bool Call::ignored(std::string_view wanted) const {
  return std::any_of(fields.begin(), fields.end(),
                     [&](const Field& each) { return each.name == wanted && each.value == "<IGNORED>"; });
}

absl::StatusOr<std::vector<int64_t>> Call::list(std::string_view wanted) const {
  const absl::StatusOr<const Field*> found = field(wanted);
  if (!found.ok()) return found.status();
  std::string_view text = (*found)->value;
  if (text == "<IGNORED>") return error_at(**found, "this was not recorded, but is needed");
  if (!text.starts_with('[') || !text.ends_with(']')) return error_at(**found, "here a list as in [3, 4] is expected");
  text = strip(text.substr(1, text.size() - 2));
  std::vector<int64_t> values;
  if (text.empty()) return values;
  for (const std::string_view part : split(text, ",")) {
    if (!parse_number(strip(part), values.emplace_back()))
      return error_at(**found, "one of these is not a whole number");
  }
  return values;
}

bool Reader::read_line() {
  while (std::getline(stream_, text_)) {
    ++number_;
    if (text_.ends_with('\r')) text_.pop_back();
    if (!strip(text_).empty()) return true;
  }
  return false;
}

absl::Status Reader::error(std::string_view text) const {
  return format::text_error(file_, std::max(number_, 1), 1, text_, std::string(text));
}

absl::StatusOr<std::optional<Reader::Stamp>> Reader::stamp() const {
  constexpr std::string_view kEntering = " entering at walltime ";
  constexpr std::string_view kReturning = " returning at walltime ";
  const std::string_view text = text_;
  Stamp stamp;
  size_t at = text.find(kEntering);
  stamp.entering = at != std::string_view::npos;
  if (!stamp.entering) at = text.find(kReturning);
  if (at == std::string_view::npos) return std::nullopt;
  stamp.name = text.substr(0, at);
  std::string_view rest = text.substr(at + (stamp.entering ? kEntering : kReturning).size());
  const size_t comma = rest.find(", cputime ");
  const size_t thread = rest.find(" seconds in thread ");
  if (comma == std::string_view::npos || thread == std::string_view::npos ||
      !parse_seconds(rest.substr(0, comma), stamp.ns))
    return error("this is not a time as in 'walltime 12.000000500, cputime 0.000000100 seconds in thread 0.'");
  rest = rest.substr(thread + std::string_view(" seconds in thread ").size());
  if (rest != "0." && rest != "0") return error("only calls of thread 0 are supported");
  return stamp;
}

absl::StatusOr<Field> Reader::argument() const {
  const std::string_view text = strip(text_);
  const size_t equals = text.find('=');
  const size_t blank = text.substr(0, equals).find_last_of(' ');
  if (equals == std::string_view::npos || blank == std::string_view::npos)
    return error("here an argument as in 'int count=8', or the end of the call, is expected");
  Field field;
  field.line = number_;
  field.text = text_;
  // "requests[2]" is an argument with the name "requests".
  const std::string_view name = text.substr(blank + 1, equals - blank - 1);
  field.name = std::string(name.substr(0, name.find('[')));
  std::string_view value = text.substr(equals + 1);
  if (value.ends_with(')') && value.find(" (") != std::string_view::npos) {
    const size_t parenthesis = value.find(" (");
    field.label = std::string(value.substr(parenthesis + 2, value.size() - parenthesis - 3));
    value = value.substr(0, parenthesis);
  }
  field.value = std::string(value);
  return field;
}

absl::StatusOr<std::optional<Call>> Reader::next() {
  // Counters of the processor may follow the end of a call.
  bool more = read_line();
  while (more && strip(text_).starts_with("Perfcounters:")) more = read_line();
  if (!more) {
    if (stream_.bad()) return absl::UnavailableError(fmt::format("{}: cannot be read", file_));
    return std::nullopt;
  }
  absl::StatusOr<std::optional<Stamp>> begin = stamp();
  if (!begin.ok()) return begin.status();
  if (!begin->has_value() || !(*begin)->entering || !(*begin)->name.starts_with("MPI"))
    return error(
        "here a call as in 'MPI_Send entering at walltime ...' is expected; print only calls, as dumpi2ascii does");
  Call call;
  call.file = file_;
  call.name = std::string((*begin)->name);
  call.line = number_;
  call.text = text_;
  call.entered_ns = (*begin)->ns;
  while (read_line()) {
    const absl::StatusOr<std::optional<Stamp>> end = stamp();
    if (!end.ok()) return end.status();
    if (end->has_value()) {
      if ((*end)->entering || (*end)->name != call.name)
        return error(fmt::format("{} has not returned yet", format::quotable(call.name)));
      if ((*end)->ns < call.entered_ns) return error("it returns before it was entered");
      call.returned_ns = (*end)->ns;
      return call;
    }
    if (strip(text_).starts_with("Perfcounters:")) continue;
    if (call.fields.size() == kMaxFields) return error("a call does not have so many arguments");
    absl::StatusOr<Field> field = argument();
    if (!field.ok()) return field.status();
    call.fields.push_back(*std::move(field));
  }
  return error(fmt::format("the file ends inside of {}; is it cut off?", format::quotable(call.name)));
}

}  // namespace fabrictwin::trace::dumpi
