// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Fields of a message by their names, with the defaults that its .proto file states.
#pragma once

#include <google/protobuf/message.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "cosim/experiment/check/field_checker.h"

namespace fabrictwin::experiment {

/// Reads fields of one message. Mistakes go to the field checker with their source location, and a harmless value is
/// returned.
class MessageReader {
 public:
  /// `path` is the path of the message, "workload.exchange". All arguments must outlive the reader.
  MessageReader(const google::protobuf::Message& message, std::string path, FieldChecker& fields)
      : message_(message), path_(std::move(path)), fields_(fields) {}

  /// A reader of a message inside this one, `name` from here: "engine".
  MessageReader of(const google::protobuf::Message& message, std::string_view name) const {
    return {message, path_of(name), fields_};
  }

  bool has(std::string_view name) const { return fields_.locations().has(path_of(name)); }
  /// Whether a text is written, even an empty one.
  bool has_text(std::string_view name) const { return fields_.written(path_of(name), text_of(name)); }
  std::string path_of(std::string_view name) const;
  const std::string& path() const { return path_; }
  FieldChecker& fields() const { return fields_; }
  void complain(std::string_view name, std::string_view message) const { fields_.complain(path_of(name), message); }
  /// Adds a diagnostic at a field, or at the message if the field is not written.
  void complain_near(std::string_view name, std::string_view message) const {
    fields_.complain(has(name) ? path_of(name) : path_, message);
  }

  /// A whole number from `least` to `most`. Its default is `fallback` if that is given, else the default that is
  /// stated.
  int32_t number(std::string_view name, int32_t least, int32_t most, int32_t fallback = 0) const;
  /// A whole number from 1 to `most` that has no default; `example` says how to write it ("ranks: 512").
  int32_t required(std::string_view name, int32_t most, std::string_view example) const;
  /// The numbers of a repeated field, each from `least` to `most`; if there are none, the defaults that are stated.
  std::vector<int32_t> numbers(std::string_view name, int32_t least, int32_t most) const;

  /// A quantity, by default `fallback` if that is given, else the one that is stated; it is also what a mistake is
  /// replaced by.
  template <typename Quantity>
  Quantity quantity(std::string_view name, absl::StatusOr<Quantity> (*parse)(std::string_view),
                    std::string_view fallback = {}) const {
    const std::string by_default = fallback.empty() ? default_of(name) : std::string(fallback);
    const std::optional<Quantity> value = fields_.quantity<Quantity>(path_of(name), text_of(name), by_default, parse);
    return value.has_value() ? *value : parse(by_default).value_or(Quantity{});
  }
  /// Such a quantity; nothing, after a diagnostic, if it cannot be parsed.
  template <typename Quantity>
  std::optional<Quantity> valid(std::string_view name, absl::StatusOr<Quantity> (*parse)(std::string_view)) const {
    return fields_.quantity<Quantity>(path_of(name), text_of(name), default_of(name), parse);
  }
  /// A quantity that has no default; nothing if it cannot be parsed.
  template <typename Quantity>
  std::optional<Quantity> parsed(std::string_view name, absl::StatusOr<Quantity> (*parse)(std::string_view)) const {
    return fields_.quantity<Quantity>(path_of(name), text_of(name), "", parse);
  }
  /// The size of a message, at most 1GiB.
  Bytes message_size(std::string_view name) const;

  /// A value of an enum, by default the one that is stated. It may be one that the enum does not have.
  template <typename Enum>
  Enum choice(std::string_view name) const {
    return static_cast<Enum>(value_of(name));
  }

  /// An optional truth value, by default the one that is stated.
  bool flag(std::string_view name) const;

  /// The default that is stated for a field.
  std::string default_of(std::string_view name) const;
  /// The default that is stated for a numeric field: a whole number, or any.
  int32_t default_number(std::string_view name) const;
  double default_real(std::string_view name) const;
  /// The one that is stated for a whole number with routers of the model EXANET.
  int32_t exanet_default_number(std::string_view name) const;
  /// The default that is stated for a field of an enum.
  template <typename Enum>
  Enum default_choice(std::string_view name) const {
    return static_cast<Enum>(default_value(name));
  }

 protected:
  const google::protobuf::FieldDescriptor* field(std::string_view name) const;
  int32_t number_of(std::string_view name) const;
  int value_of(std::string_view name) const;
  int default_value(std::string_view name) const;
  std::string text_of(std::string_view name) const;

  const google::protobuf::Message& message_;
  std::string path_;
  FieldChecker& fields_;
};

/// The longest message that a workload may send.
inline constexpr int64_t kMaxMessageBytes = int64_t{1} << 30;

/// `bytes`, the size of a message at `path`; a diagnostic and zero if that is too long.
Bytes check_message_size(std::string_view path, Bytes bytes, FieldChecker& fields);

}  // namespace fabrictwin::experiment
