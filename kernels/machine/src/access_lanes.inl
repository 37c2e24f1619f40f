// Loads and stores of one to four elements in each lane, where the range that the access reached last holds all of them
// and nobody records them; else the step's slow function does it, which finds ranges, tells faults and records.
// Included behind lanes.inl.

/// Where lanes reach, and whether they may.
struct Reached {
  U64 least = ~U64{0}, most = 0, joined = 0;
  bool row = false;  ///< neighbours reach neighbours, in all lanes
  bool lies_in(const Reach& range, U64 bytes, U64 width) const {
    return least >= range.begin && most + bytes <= range.end && (joined & (width - 1)) == 0;
  }
};

/// @param at  gets the addresses
template <class Base>
Reached reach(const Lanes& lanes, const Step& step, U64 width, U64* at) {
  const auto* base = numbers<Base>(lanes, step.in[1]);
  const auto* mask = mask_of(lanes, step);
  const Base offset = static_cast<Base>(step.number);
  const Base first = base[0] + offset;
  U64 least = ~U64{0}, most = 0, joined = 0, differs = 0;
  WARPIPE_EACH_LANE {
    const U64 address = static_cast<Base>(base[i] + offset);
    const U64 on = static_cast<U64>(static_cast<S64>(static_cast<S32>(mask[i])));
    const U64 at_least = address | ~on, at_most = address & on;
    at[i] = address;
    least = at_least < least ? at_least : least;
    most = at_most > most ? at_most : most;
    joined |= at_most;
    differs |= address ^ (first + i * width);
  }
  return {least, most, joined, differs == 0};
}

inline U32 active_of(const Lanes& lanes, const Step& step) { return static_cast<U32>(lanes.active >> step.first_lane); }

template <class Each>
inline void each_active(U32 active, const Each& each) {
  if (active == ~U32{0})
    for (std::size_t i = 0; i < kLanes; ++i) each(i);
  else
    for (; active != 0; active &= active - 1) each(static_cast<std::size_t>(__builtin_ctz(active)));
}

template <class Raw>
inline Raw element_at(U64 address) {
  Raw raw;
  __builtin_memcpy(&raw, reinterpret_cast<const void*>(address), sizeof(Raw));  // NOLINT: an address of this process
  return raw;
}

template <class Raw, class Out>
inline void load_elements(const Lanes& lanes, const Step& step, const SimpleAccess& more, const U64* at, U64 first,
                          bool row) {
  const auto active = active_of(lanes, step);
  for (U32 element = 0; element < more.elements; ++element) {
    auto* out = reinterpret_cast<Out*>(lanes.base[0] + more.places[element]);
    const U64 from = first + element * sizeof(Raw);
    if (row && active == ~U32{0} && more.elements == 1) {
      for (std::size_t i = 0; i < kLanes; ++i)
        out[i] = static_cast<Out>(element_at<Raw>(from + at[0] + i * sizeof(Raw)));
    } else {
      each_active(active, [&](std::size_t i) { out[i] = static_cast<Out>(element_at<Raw>(from + at[i])); });
    }
  }
}

template <class Raw, class In>
inline void store_elements(const Lanes& lanes, const Step& step, const SimpleAccess& more, const U64* at, U64 first,
                           bool row) {
  const auto active = active_of(lanes, step);
  const auto put_at = [](U64 address, In number) {
    const auto raw = static_cast<Raw>(number);
    __builtin_memcpy(reinterpret_cast<void*>(address), &raw, sizeof(Raw));  // NOLINT: an address of this process
  };
  for (U32 element = 0; element < more.elements; ++element) {
    const auto* in = reinterpret_cast<const In*>(lanes.base[more.places[element] & 1] + (more.places[element] & ~1U));
    const U64 to = first + element * sizeof(Raw);
    if (row && active == ~U32{0} && more.elements == 1) {
      for (std::size_t i = 0; i < kLanes; ++i) put_at(to + at[0] + i * sizeof(Raw), in[i]);
    } else {
      each_active(active, [&](std::size_t i) { put_at(to + at[i], in[i]); });
    }
  }
}

/// Where the next iterations of a loop will be, if they go on as the last ones did.
inline void fetch_ahead(Reach& range, U64 at, U64 bytes) {
  constexpr U64 kIterations = 6, kLine = 64;
  const U64 step = at - range.last;
  range.last = at;
  for (U64 line = 0; line < bytes; line += kLine)
    __builtin_prefetch(reinterpret_cast<const void*>(at + kIterations * step + line));  // NOLINT: is not followed
}

/// Global memory, by addresses of 64 bits; what is generic and lies in another space is in no range.
template <class Raw, class Number, bool stores>
void access_global(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const SimpleAccess*>(step.more);
  auto* const at = reinterpret_cast<U64*>(lanes.base[0] + step.in[0]);
  const auto reached = reach<U64>(lanes, step, sizeof(Raw), at);
  auto& range = lanes.reached[more.number];
  const U64 bytes = more.elements * sizeof(Raw);
  if (!reached.lies_in(range, bytes, bytes) || (lanes.recorded != nullptr && lanes.recorded[more.number] != 0))
    return more.slow(lanes, step);
  if (reached.row) fetch_ahead(range, at[0], kLanes * sizeof(Raw));
  if constexpr (stores) {
    ++lanes.writes;
    store_elements<Raw, Number>(lanes, step, more, at, 0, reached.row);
  } else {
    load_elements<Raw, Number>(lanes, step, more, at, 0, reached.row);
  }
}

/// Shared memory, by addresses of 32 bits.
template <class Raw, class Number, bool stores>
void access_shared(Lanes& lanes, const Step& step) {
  const auto& more = *static_cast<const SimpleAccess*>(step.more);
  auto* const at = reinterpret_cast<U64*>(lanes.base[0] + step.in[0]);
  const auto reached = reach<U32>(lanes, step, sizeof(Raw), at);
  const U64 bytes = more.elements * sizeof(Raw);
  if (!reached.lies_in({0, lanes.shared_bytes, 0}, bytes, bytes) ||
      (lanes.recorded != nullptr && lanes.recorded[more.number] != 0))
    return more.slow(lanes, step);
  const auto first = reinterpret_cast<U64>(lanes.shared);
  if constexpr (stores) {
    ++lanes.writes;
    store_elements<Raw, Number>(lanes, step, more, at, first, reached.row);
  } else {
    load_elements<Raw, Number>(lanes, step, more, at, first, reached.row);
  }
}

template <class Raw, class Number>
Function access_of(bool shared, bool stores) {
  if (shared) return stores ? access_shared<Raw, Number, true> : access_shared<Raw, Number, false>;
  return stores ? access_global<Raw, Number, true> : access_global<Raw, Number, false>;
}

template <class Number>
Function access_of_width(U32 width, bool has_sign, bool shared, bool stores) {
  switch (width) {
    case 1:
      return has_sign && !stores ? access_of<S8, Number>(shared, stores) : access_of<U8, Number>(shared, stores);
    case 2:
      return has_sign && !stores ? access_of<S16, Number>(shared, stores) : access_of<U16, Number>(shared, stores);
    case 4:
      return has_sign && !stores && sizeof(Number) == 8 ? access_of<S32, Number>(shared, stores)
                                                        : access_of<U32, Number>(shared, stores);
    default:
      return sizeof(Number) == 8 ? access_of<U64, Number>(shared, stores) : Function{nullptr};
  }
}

Function find_access(U32 width, bool has_sign, bool wide, bool shared, bool stores) {
  return wide ? access_of_width<U64>(width, has_sign, shared, stores)
              : access_of_width<U32>(width, has_sign, shared, stores);
}

// ---- other lanes

/// The lane that a lane reads.
/// @param within  gets whether that one is in its segment of the warp; else it reads itself
/// @source PTX ISA, shfl.sync
template <LaneOp op>
inline U32 source_lane(U32 own, U32 distance, U32 bounds, U32& within) {
  constexpr U32 kAll = 31;
  const U32 clamp = bounds & kAll, segment = (bounds >> 8) & kAll;
  const U32 first = own & segment, last = first | (clamp & ~segment & kAll);
  distance &= kAll;
  U32 from = first | (distance & ~segment & kAll);
  if constexpr (op == LaneOp::ShuffleUp) from = own - distance;
  if constexpr (op == LaneOp::ShuffleDown) from = own + distance;
  if constexpr (op == LaneOp::ShuffleAcross) from = own ^ distance;
  const bool is = op == LaneOp::ShuffleUp ? own >= last + distance : from <= last;
  within = is ? 1 : 0;
  return is ? from : own;
}

inline void permute(const U32* from, const U32* lane, U32* to) {
#if defined(__AVX512F__)
  const __m512i low = _mm512_load_si512(from), high = _mm512_load_si512(from + 16);
  for (std::size_t i = 0; i < kLanes; i += 16)
    _mm512_store_si512(to + i, _mm512_permutex2var_epi32(low, _mm512_load_si512(lane + i), high));
#else
  for (std::size_t i = 0; i < kLanes; ++i) to[i] = from[lane[i]];
#endif
}

/// in[0] are numbers, in[1] distances, in[2] bounds; in[3] - 1 gets who reads within its segment, where that is not 0.
template <LaneOp op>
void shuffle(Lanes& lanes, const Step& step) {
  const auto* distance = numbers<U32>(lanes, step.in[1]);
  const auto* bounds = numbers<U32>(lanes, step.in[2]);
  const auto* mask = lanes.mask;
  const auto active = static_cast<U32>(lanes.active);
  alignas(kAlignment) U32 from[kLanes], truth[kLanes], read[kLanes];
  WARPIPE_EACH_LANE {
    const U32 own = static_cast<U32>(i), lane = source_lane<op>(own, distance[i], bounds[i], truth[i]);
    from[i] = ((active >> lane) & 1) != 0 ? lane : own;
  }
  permute(numbers<U32>(lanes, step.in[0]), from, read);
  auto* out = results<U32>(lanes, step);
  WARPIPE_EACH_LANE out[i] = mask[i] != 0 ? read[i] : out[i];
  if (step.in[3] == 0) return;
  auto* within = reinterpret_cast<U32*>(lanes.base[0] + step.in[3] - 1);
  WARPIPE_EACH_LANE within[i] = mask[i] != 0 ? truth[i] : within[i];
}

Function find_shuffle(LaneOp op) {
  return op == LaneOp::ShuffleUp       ? shuffle<LaneOp::ShuffleUp>
         : op == LaneOp::ShuffleDown   ? shuffle<LaneOp::ShuffleDown>
         : op == LaneOp::ShuffleAcross ? shuffle<LaneOp::ShuffleAcross>
         : op == LaneOp::ShuffleIndex  ? shuffle<LaneOp::ShuffleIndex>
                                       : Function{nullptr};
}

// ---- guards

/// Lanes in which in[0] holds, or does not where `number` is 1, alone are active; `first_lane`: how many a warp has.
void begin_guard(Lanes& lanes, const Step& step) {
  const auto* holds = numbers<U32>(lanes, step.in[0]);
  const U32 turned = 0 - static_cast<U32>(step.number);
  lanes.outer = lanes.active;
  for (U32 first = 0; first < step.first_lane; first += kLanes) {
    const U32* const words = lanes.words + first;
    const U32* const truths = holds + first;
    U32* const guarded = lanes.guard_words + first;
    WARPIPE_EACH_LANE guarded[i] = words[i] & ((truths[i] != 0 ? ~U32{0} : 0) ^ turned);
  }
  lanes.mask = lanes.guard_words;
  lanes.active = to_bits(lanes.guard_words, step.first_lane);
}
void end_guard(Lanes& lanes, const Step& /*step*/) {
  lanes.mask = lanes.words;
  lanes.active = lanes.outer;
}
