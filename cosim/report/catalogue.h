// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// What exists: topologies, routing algorithms, traffic patterns, as the messages of the experiment declare them.
#pragma once

#include <string>
#include <vector>

namespace fabrictwin {

/// A field of the experiment file.
struct CatalogueField {
  std::string name;  ///< "dims"; of a message in a message "router.name".
  std::string type;  ///< "number", "quantity", "choice", ...
  bool repeated = false;
  std::string default_value;        ///< Empty if there is none.
  std::string unit;                 ///< May be empty.
  std::vector<std::string> values;  ///< Of a choice, as `--set` takes them: in lower case.
};

/// One of the things to choose from.
struct CatalogueEntry {
  std::string name;        ///< As `--set` takes it: in lower case.
  std::string about;       ///< One line.
  std::string vc_classes;  ///< Of a routing algorithm: the classes of VCs that it tells apart.
  std::vector<CatalogueField> fields;
};

/// All things of one kind, with the fields that they have in common.
struct Catalogue {
  std::string kind;  ///< "topologies".
  std::vector<CatalogueEntry> entries;
  std::vector<CatalogueField> fields;
};

/// The kinds: "topologies", "routing", "traffic".
std::vector<std::string> catalogue_kinds();
/// The catalogue of a kind; the kind is one of these. All of it is read from the descriptors of the experiment, so
/// that nothing can be forgotten.
Catalogue make_catalogue(const std::string& kind);

/// For people and for scripts.
std::string catalogue_text(const Catalogue& catalogue);
std::string catalogue_json(const Catalogue& catalogue);

}  // namespace fabrictwin
