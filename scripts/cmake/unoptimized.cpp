// SPDX-FileCopyrightText: The FabricTwin authors
// SPDX-License-Identifier: Apache-2.0
//
// Sources that follow this one in a batch are not optimised.
#pragma clang optimize off
