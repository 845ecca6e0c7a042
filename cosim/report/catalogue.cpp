// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
#include "cosim/report/catalogue.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

#include "cosim/base/text.h"
#include "cosim/report/message_json.h"
#include "cosim/report/text_table.h"
#include "fabrictwin/v1/experiment.pb.h"

namespace fabrictwin::report {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;

std::string type_of(const FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_STRING: {
      const std::string& unit = field.options().GetExtension(v1::unit);
      return unit == "rate" || unit == "time" || unit == "size" ? "quantity" : "text";
    }
    case FieldDescriptor::CPPTYPE_BOOL:
      return "true or false";
    case FieldDescriptor::CPPTYPE_ENUM:
      return "choice";
    default:
      return "number";
  }
}

/// The names that can be chosen, in lower case, without the unspecified zero.
std::vector<std::string> values_of(const FieldDescriptor& field) {
  std::vector<std::string> values;
  if (field.cpp_type() != FieldDescriptor::CPPTYPE_ENUM) return values;
  const EnumDescriptor& type = *field.enum_type();
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() != 0) values.push_back(to_lower(type.value(i)->name()));
  }
  return values;
}

void add_fields(const Descriptor& message, const std::string& prefix, std::vector<CatalogueField>& fields) {
  for (int i = 0; i < message.field_count(); ++i) {
    const FieldDescriptor& field = *message.field(i);
    const std::string name = prefix + std::string(field.name());
    if (field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      add_fields(*field.message_type(), name + ".", fields);
      continue;
    }
    fields.push_back({name, type_of(field), field.is_repeated(), field.options().GetExtension(v1::default_text),
                      field.options().GetExtension(v1::unit), values_of(field),
                      field.options().GetExtension(v1::exanet_default)});
  }
}

/// All values that can be chosen, without the unspecified zero.
std::vector<CatalogueEntry> entries_of(const EnumDescriptor& type) {
  std::vector<CatalogueEntry> entries;
  for (int i = 0; i < type.value_count(); ++i) {
    const auto& value = *type.value(i);
    if (value.number() == 0) continue;
    entries.push_back({to_lower(value.name()),
                       value.options().GetExtension(v1::value_about),
                       value.options().GetExtension(v1::vc_classes),
                       {}});
  }
  return entries;
}

/// The values of the enum `field` of `message`, and the other fields of `message`.
Catalogue choices_of(const std::string& kind, const Descriptor& message, const std::string& field) {
  Catalogue catalogue{kind, {}, {}};
  if (const FieldDescriptor* choice = message.FindFieldByName(field); choice != nullptr)
    catalogue.entries = entries_of(*choice->enum_type());
  add_fields(message, "", catalogue.fields);
  std::erase_if(catalogue.fields, [&](const CatalogueField& other) { return other.name == field; });
  return catalogue;
}

/// The messages of which an experiment has one.
Catalogue messages_of(const std::string& kind, const Descriptor& choice) {
  Catalogue catalogue{kind, {}, {}};
  for (int i = 0; i < choice.field_count(); ++i) {
    const Descriptor& message = *choice.field(i)->message_type();
    CatalogueEntry entry{std::string(choice.field(i)->name()), message.options().GetExtension(v1::about), "", {}};
    add_fields(message, "", entry.fields);
    catalogue.entries.push_back(std::move(entry));
  }
  return catalogue;
}

/// A message of which there is one kind.
Catalogue fields_of(const std::string& kind, const Descriptor& message) {
  Catalogue catalogue{kind, {{kind, message.options().GetExtension(v1::about), "", {}}}, {}};
  add_fields(message, "", catalogue.entries.front().fields);
  return catalogue;
}

nlohmann::ordered_json json_of(const std::vector<CatalogueField>& fields) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const CatalogueField& field : fields) {
    json.push_back({{"name", field.name},
                    {"type", field.type},
                    {"repeated", field.repeated},
                    {"default", field.default_value},
                    {"unit", field.unit}});
    if (!field.values.empty()) json.back()["values"] = field.values;
    if (!field.exanet_default.empty()) json.back()["exanet_default"] = field.exanet_default;
  }
  return json;
}

/// The kind of a field: "number", or "one of bernoulli, bursty, closed_loop".
std::string kind_of(const CatalogueField& field) {
  return field.values.empty() ? field.type : fmt::format("one of {}", fmt::join(field.values, ", "));
}

/// The default in words: "8; EXANET: 4", or "-".
std::string default_of(const CatalogueField& field) {
  std::string text = field.default_value.empty() ? "-" : field.default_value;
  if (!field.exanet_default.empty()) text += fmt::format("; EXANET: {}", field.exanet_default);
  return text;
}

/// The schemes of queues, which a comparison takes beside those of rates.
std::string queue_schemes_text() {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : entries_of(*v1::Queues::Scheme_descriptor())) names.push_back(entry.name);
  return fmt::format("queues (--list queues), in compare --schemes also with one of these\n  {}\n",
                     fmt::join(names, ", "));
}

std::string fields_table(const std::vector<CatalogueField>& fields) {
  TextTable table({"field", "default", "unit"});
  table.align_left(1);
  table.align_left(2);
  for (const CatalogueField& field : fields) {
    table.add({field.name + (field.repeated ? " ..." : ""), default_of(field),
               field.unit.empty() ? kind_of(field) : field.unit});
  }
  return table.text(4);
}

}  // namespace

std::vector<std::string> catalogue_kinds() {
  return {"topologies", "routing", "traffic", "congestion", "queues", "pfc", "transport"};
}

Catalogue make_catalogue(const std::string& kind) {
  if (kind == "traffic") return choices_of(kind, *v1::Traffic::descriptor(), "pattern");
  if (kind == "topologies") return messages_of(kind, *v1::Topology::descriptor());
  if (kind == "congestion") return messages_of(kind, *v1::Congestion::descriptor());
  if (kind == "queues") return choices_of(kind, *v1::Queues::descriptor(), "scheme");
  if (kind == "pfc") return fields_of(kind, *v1::Pfc::descriptor());
  if (kind == "transport") return fields_of(kind, *v1::Transport::descriptor());
  const FieldDescriptor* routing = v1::Experiment::descriptor()->FindFieldByName("routing");
  if (routing == nullptr) return {kind, {}, {}};
  return choices_of(kind, *routing->message_type(), "algorithm");
}

std::string catalogue_text(const Catalogue& catalogue) {
  std::string text = catalogue.kind + "\n";
  size_t width = 0;
  for (const CatalogueEntry& entry : catalogue.entries) width = std::max(width, entry.name.size());
  for (const CatalogueEntry& entry : catalogue.entries) {
    std::string about = entry.about;
    if (!entry.vc_classes.empty()) about += fmt::format(" (VC classes: {})", entry.vc_classes);
    text += wrapped("  " + entry.name, width + 4, about);
    if (!entry.fields.empty()) text += fields_table(entry.fields);
  }
  if (!catalogue.fields.empty()) text += "fields\n" + fields_table(catalogue.fields);
  if (catalogue.kind == "congestion") text += queue_schemes_text();
  return text;
}

std::string catalogue_json(const Catalogue& catalogue) {
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  for (const CatalogueEntry& entry : catalogue.entries) {
    nlohmann::ordered_json json = {{"name", entry.name}, {"about", entry.about}};
    if (catalogue.kind == "routing") json["vc_classes"] = entry.vc_classes;
    if (!entry.fields.empty()) json["parameters"] = json_of(entry.fields);
    entries.push_back(std::move(json));
  }
  nlohmann::ordered_json json;
  json[catalogue.kind] = std::move(entries);
  if (!catalogue.fields.empty()) json["parameters"] = json_of(catalogue.fields);
  return json_text(json) + "\n";
}

}  // namespace fabrictwin::report
