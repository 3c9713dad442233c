// glue - the C++ side of a variant, for every kind of node: compiled by build_variant.sh, with the verilated
// model, into the variant's shared object.
//
// Macros: SAFNET_MODEL the model's class, SAFNET_MODULE the class of its top module, SAFNET_TIMER that of the
// timer, SAFNET_HOST the header and SAFNET_HOST_TYPE the class template of the node's host;
// SAFNET_SYMBOLS the model's symbol table, SAFNET_ROOT_MODULE the class that has its ports, SAFNET_EVALUATE
// the function that evaluates it, SAFNET_WHOLE_NETWORK if the model is a whole network.
#include SAFNET_MODEL_HEADER
#include SAFNET_SYMBOLS_HEADER
#include SAFNET_HOST

#ifdef SAFNET_WHOLE_NETWORK

#include "sim/variant/verilated_network.hpp"

extern "C" safnet::Machine* safnet_make_network(std::uint32_t nodes, const safnet::NodeSettings* settings,
                                                safnet::MachineObserver* observer,
                                                safnet::NetworkWave* wave) {
  return new safnet::VerilatedNetwork<safnet::SAFNET_HOST_TYPE<SAFNET_MODEL>>(
      nodes, *settings, observer, std::unique_ptr<safnet::NetworkWave>(wave));
}

#else

#include SAFNET_TIMER_HEADER
#include "sim/variant/verilated_batch.hpp"
#include "sim/variant/verilated_timer.hpp"

extern "C" safnet::NodeBatch* safnet_make_batch(const safnet::BatchConfig* config) {
  return new safnet::VerilatedBatch<safnet::SAFNET_HOST_TYPE<SAFNET_ROOT_MODULE>>(*config);
}
// All memories of a model are members of its symbol table.
extern "C" std::size_t safnet_node_bytes() { return sizeof(SAFNET_MODEL) + sizeof(SAFNET_SYMBOLS); }
extern "C" safnet::TimerModel* safnet_make_timer(VerilatedContext* context) {
  return new safnet::VerilatedTimer<SAFNET_TIMER>(context);
}

#endif
