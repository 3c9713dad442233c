// families - the networks that the papers study, built from their numbers: every family there is.
//
// Every function returns a graph with its canonical spelling, with translations if the family is Cayley, and
// with the formulas that are known for its distances. Sizes must be legal; a family's descriptor checks what
// users type.
#pragma once

#include "cpp_model/graph/family/butterflies.hpp"
#include "cpp_model/graph/family/complete_graphs.hpp"
#include "cpp_model/graph/family/complete_tree.hpp"
#include "cpp_model/graph/family/composed.hpp"
#include "cpp_model/graph/family/fat_tree.hpp"
#include "cpp_model/graph/family/folded_cubes.hpp"
#include "cpp_model/graph/family/listed_networks.hpp"
#include "cpp_model/graph/family/petersen.hpp"
#include "cpp_model/graph/family/products.hpp"
#include "cpp_model/graph/family/rings.hpp"
#include "cpp_model/graph/family/star.hpp"
#include "cpp_model/graph/family/word_digraphs.hpp"
