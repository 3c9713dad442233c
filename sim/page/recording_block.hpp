// recording_block - a recording as the text that a page carries: columns of whole numbers, compressed, in
// base64. sim/page/recording.js reads it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "cpp_model/schedule/recording.hpp"

namespace safnet {

/// Sends that a page holds at most; of recordings with more a page holds the sends of every so many packets.
inline constexpr std::size_t kMostSendsOfPage = 2'000'000;

/// `head`: what the page says of the recording in words; members about the network and the columns are added.
/// Its `scope` says what was left out, if anything: only what is in `shown` is kept.
std::string recording_block(const Recording& recording, const CycleRange& shown, nlohmann::ordered_json head);

/// The bytes in base64, without line ends.
std::string in_base64(std::string_view bytes);
/// The bytes as gzip has them. Throws std::bad_alloc.
std::string gzipped(std::string_view bytes);

}  // namespace safnet
