# Verilated models for the unit tests: testbench/rtl/<name>.sv is the top module <name>, used by the tests as V<name>.h.
RTL_BENCHES += rtl_link_bench
RTL_BENCHES += rtl_timer_bench
RTL_BENCHES += rtl_counters_bench
RTL_BENCHES += rtl_interval_bench
RTL_BENCHES += rtl_table_bench
RTL_BENCHES += rtl_places_bench
RTL_BENCHES += rtl_order_bench
RTL_BENCHES += rtl_limiter_bench
RTL_BENCHES += rtl_credit_bench
RTL_BENCHES += rtl_balancer_bench
RTL_BENCHES += rtl_node_bench
RTL_BENCHES += rtl_injection_bench
RTL_BENCHES += rtl_fifo_bench
RTL_BENCHES += rtl_tdm_parts_bench
RTL_BENCHES += rtl_tdm_bench
RTL_BENCHES += rtl_tree_sum_bench
RTL_BENCHES += rtl_scan_parts_bench rtl_scan_unit_bench rtl_scan_engine_bench
