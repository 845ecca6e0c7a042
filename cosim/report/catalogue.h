// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// The catalogue of topologies, routing algorithms and traffic patterns, read from the experiment's messages.
#pragma once

#include <string>
#include <vector>

namespace fabrictwin::report {

/// A field of the experiment file.
struct CatalogueField {
  std::string name;  ///< "dims"; "router.name" for a field of a nested message.
  std::string type;  ///< "number", "quantity", "choice", ...
  bool repeated = false;
  std::string default_value;        ///< Empty if there is none.
  std::string unit;                 ///< May be empty.
  std::vector<std::string> values;  ///< The values of a choice, in lower case, as `--set` takes them.
  std::string exanet_default;       ///< The default with routers of the model EXANET, if it is another one.
};

/// One entry of a catalogue, such as a topology.
struct CatalogueEntry {
  std::string name;        ///< The name in lower case, as `--set` takes it.
  std::string about;       ///< A description of one line.
  std::string vc_classes;  ///< The VC classes of a routing algorithm.
  std::vector<CatalogueField> fields;
};

/// All entries of one kind, with the fields that they have in common.
struct Catalogue {
  std::string kind;  ///< "topologies".
  std::vector<CatalogueEntry> entries;
  std::vector<CatalogueField> fields;
};

/// The kinds of catalogues: "topologies", "routing", "traffic".
std::vector<std::string> catalogue_kinds();
/// The catalogue of one of catalogue_kinds(). It is read entirely from the descriptors of the experiment, so that it is
/// always complete.
Catalogue make_catalogue(const std::string& kind);

/// The catalogue as text for people and as JSON for scripts.
std::string catalogue_text(const Catalogue& catalogue);
std::string catalogue_json(const Catalogue& catalogue);

}  // namespace fabrictwin::report
