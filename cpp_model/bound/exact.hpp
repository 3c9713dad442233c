// exact - has moved to cpp_model/number; this stays until algorithm/, claim/ and sim/ say so themselves.
#pragma once

#include "cpp_model/number/exact.hpp"
